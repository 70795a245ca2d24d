"""What a person types and sees: help that teaches, one line and code 2 for bad input, JSON for programs."""

import io
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch

import whichword
from whichword.cli import main
from whichword.networks import Config, Network
from whichword.text import Vocabulary


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


class Runner:
    """The command in this process: a process of its own for each call would spend its time importing torch."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys, self.monkeypatch = capsys, monkeypatch

    def __call__(self, *arguments: str, stdin: str = "", env: dict[str, str] | None = None) -> Done:
        with self.monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["whichword", *arguments])
            patch.setattr(sys, "stdin", io.StringIO(stdin))
            for name, value in ({"COLUMNS": "100", "TERM": "dumb"} | (env or {})).items():
                patch.setenv(name, value)
            with pytest.raises(SystemExit) as ended:
                main()  # typer always ends by SystemExit
        captured = self.capsys.readouterr()
        return Done(int(ended.value.code or 0), captured.out, captured.err)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    return Runner(capsys, monkeypatch)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(0)
    network = Network(Config("lstm", ("no", "yes"), 4, 3), Vocabulary(("a", "good", "film")))
    path = tmp_path_factory.mktemp("models") / "net"
    network.save(path)
    return path


def test_help_and_version(run: Runner) -> None:
    shown = run("--help")
    assert shown.returncode == 0
    for command in ("train", "explain", "methods", "data", "evaluate", "table", "verify", "digest", "demo"):
        assert f" {command} " in shown.stdout
    assert run("--version").stdout == f"whichword {whichword.__version__}\n"


def test_every_command_explains_itself(run: Runner) -> None:
    for command in ("train", "explain", "methods", "data", "evaluate"):
        shown = run(command, "--help")
        assert shown.returncode == 0
        assert "Usage:" in shown.stdout
        assert "xample" in shown.stdout or command == "methods"


def test_methods_lists_all(run: Runner) -> None:
    shown = run("methods").stdout
    for name in whichword.METHODS:
        assert name in shown
    assert "gru, qgru, lstm, qlstm, cnn, linear" in shown


def test_explain_as_json(run: Runner, model: Path) -> None:
    done = run("explain", str(model), "a good film", "never seen", "--json", "-m", "lrp", "-m", "occ_2")
    assert done.returncode == 0, done.stderr
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert first["words"] == ["a", "good", "film"]
    assert list(first["relevance"]) == ["lrp", "occ_2"]
    assert second["unknown"] == [True, True]
    expected = whichword.explain(whichword.load(model), ["a good film"], ["lrp"])[0]
    assert first["relevance"]["lrp"] == pytest.approx(expected.relevance["lrp"].tolist())


def test_explain_reads_standard_input(run: Runner, model: Path) -> None:
    done = run("explain", str(model), "--json", "-m", "last", stdin="a film\ngood\u2028film\n")
    words = [json.loads(line)["words"] for line in done.stdout.splitlines()]
    assert words == [["a", "film"], ["good", "film"]]


def test_explain_in_the_terminal_shows_every_method(run: Runner, model: Path) -> None:
    done = run(
        "explain", str(model), "--all", "a good film \x1b[31m", env={"FORCE_COLOR": "1", "TERM": "xterm-256color"}
    )
    assert done.returncode == 0, done.stderr
    for name in whichword.METHODS:
        assert name in done.stdout
    assert "\x1b[31m" not in done.stdout  # the text's own escape code is shown, not obeyed


def test_target(run: Runner, model: Path) -> None:
    done = run("explain", str(model), "a film", "--target", "no", "--json", "-m", "lrp")
    assert json.loads(done.stdout)["target"] == "no"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["explain", "nowhere", "a"], "nowhere is not a saved network"),
        (["explain", "MODEL", "a", "-m", "lpr"], "did you mean lrp"),
        (["explain", "MODEL", "a", "-m", "lrp[eps=-1]"], "eps must be a positive number"),
        (["explain", "MODEL", "a", "--target", "maybe"], "no class 'maybe'"),
        (["train", "docstring", "--network", "cnn"], "did you mean docstrings"),
        (["train", "docstrings", "--network", "lstn"], "did you mean lstm"),
        (["train", "docstrings", "--batch", "0"], "batch must be at least 1"),
        (["train", "nothing.csv"], "nothing.csv"),
        (["data", "yelp", "--data", "."], "yelp"),
        (["evaluate", "nowhere", "--corpus", "docstrings", "--out", "OUT"], "nowhere"),
        (["table", "nowhere"], "nowhere"),
    ],
)
def test_bad_input_is_one_line_and_code_2(
    run: Runner, model: Path, tmp_path: Path, arguments: list[str], message: str
) -> None:
    names = {"MODEL": str(model), "OUT": str(tmp_path / "run")}
    done = run(*(names.get(argument, argument) for argument in arguments))
    assert done.returncode == 2, done.stderr
    assert message in done.stderr
    assert done.stderr.startswith("whichword: ")
    assert done.stderr.count("\n") == 1
    assert not done.stdout


def test_debug_shows_the_traceback(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["whichword", "--debug", "explain", str(model), "a", "-m", "lpr"])
    with pytest.raises(whichword.InputError, match="did you mean lrp"):
        main()


def test_as_a_process_of_its_own(model: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", "from whichword.cli import main; main()"]
    done = subprocess.run(
        [*command, "explain", str(model), "a", "-m", "lpr"], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2
    assert done.stderr == "whichword: no method is called 'lpr'; did you mean lrp?\n"
    assert not done.stdout


def test_a_command_that_does_not_exist(run: Runner) -> None:
    done = run("explian")
    assert done.returncode == 2
    assert "explian" in done.stderr
