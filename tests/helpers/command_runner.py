"""The command in this process, as it is typed."""

import io
import sys
from dataclasses import dataclass

import pytest

from whichword.cli import main


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


class Runner:
    """A process of its own for each call would spend its time importing torch."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys, self.monkeypatch = capsys, monkeypatch

    def __call__(self, *arguments: str, stdin: str = "", env: dict[str, str] | None = None) -> Done:
        with self.monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["whichword", *arguments])
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode("utf8", "surrogateescape"))))
            for name, value in ({"COLUMNS": "100", "TERM": "dumb"} | (env or {})).items():
                patch.setenv(name, value)
            with pytest.raises(SystemExit) as ended:
                main()
        captured = self.capsys.readouterr()
        return Done(int(ended.value.code or 0), captured.out, captured.err)
