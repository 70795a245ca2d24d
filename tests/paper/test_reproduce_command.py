"""`python -m experiments.paper`, as it is typed."""

import shutil
import sys
from pathlib import Path

import pytest
from experiments.paper.__main__ import app
from experiments.paper.page import BEGIN, END

from whichword.cli.app import main

EXPERIMENTS = Path(__file__).parents[2] / "experiments" / "paper"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    def typed(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["experiments.paper", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main(app)
        shown = capsys.readouterr()
        return int(ended.value.code or 0), shown.out, shown.err

    return typed


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    for name in ("paper.toml", "published.csv"):
        shutil.copy(EXPERIMENTS / name, tmp_path)
    return tmp_path / "paper.toml"


def test_show_without_results_decides_nothing(run, spec: Path) -> None:
    code, out, _ = run(spec, "--show")
    assert code == 0
    assert "Claims" in out
    assert "undecided" in out
    assert not (spec.parent / "results").exists()


def test_what_is_kept_in_the_repository_is_shown(run, tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(f"{BEGIN}{END}")
    code, out, _ = run(EXPERIMENTS / "paper.toml", "--show", "--quick", "--page", tmp_path / "page.md")
    assert code == 0
    assert "C18 lstm" in out
    assert "| C18 |" in (tmp_path / "page.md").read_text()


def test_a_wrong_name_is_one_line(run, spec: Path, tmp_path: Path) -> None:
    code, _, error = run(spec, "--out", tmp_path / "out", "--only", "topics")
    assert code == 2
    assert error.startswith("whichword: nothing is called 'topics'")
    assert not (tmp_path / "out").exists()


def test_without_networks_nothing_is_played(run, spec: Path, tmp_path: Path) -> None:
    code, _, error = run(
        spec, "--data", tmp_path, "--out", tmp_path / "out", "--no-train", "--only", "C10,agreement-gru"
    )
    assert code == 0
    assert error.splitlines() == [
        f"{name}: left out, its network is not trained yet" for name in ("topic-cnn", "agreement-gru")
    ]


def test_a_missing_corpus_is_named(run, spec: Path, tmp_path: Path) -> None:
    code, _, error = run(spec, "--data", tmp_path, "--out", tmp_path / "out", "--only", "C18", "--workers", "1")
    assert code == 2
    assert "corpus agreement is not in" in error
