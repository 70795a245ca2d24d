"""`whichword trust` and `whichword.trust`, from a file to a verdict."""

import csv
import json
from pathlib import Path

import pytest
from command_runner import Runner

import whichword
from whichword.cli.trust import seconds
from whichword.errors import InputError

FEW = ("-m", "lrp,omit_1,random,last")
KEYS = {"status", "group", "choice", "avoid", "needed"}


@pytest.fixture
def reviews(tmp_path: Path) -> Path:
    """As Python's csv module writes it."""
    path = tmp_path / "reviews.csv"
    with path.open("w", newline="", encoding="utf8") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "label"])
        for n in range(60):
            writer.writerow([f'A {"good" if n % 2 else "bad"} film, {n}. It is "so".', "yes" if n % 2 else "no"])
    return path


def test_a_verdict_on_one_screen(run: Runner, model: Path, reviews: Path, tmp_path: Path) -> None:
    corpus, out = f"{reviews}[train=10,heldout=10,test=80]", tmp_path / "run"
    done = run("trust", str(model), "--corpus", corpus, *FEW, "--out", str(out))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) <= 25
    assert "Cannot tell yet" in lines[0]
    assert lines[-2] == f"report: {out / 'report.html'}"
    assert lines[-1].startswith("next: whichword ")
    assert "Cannot tell yet" in (out / "report.html").read_text("utf8")
    assert "documents tell methods apart that are some" in done.stderr
    assert run("verify", str(out)).returncode == 0


def test_json_and_nothing_else(run: Runner, model: Path, reviews: Path, tmp_path: Path) -> None:
    corpus = f"{reviews}[train=10,heldout=10,test=80]"
    done = run("trust", str(model), "--corpus", corpus, *FEW, "--out", str(tmp_path / "run"), "--json")
    (line,) = done.stdout.splitlines()
    verdict = json.loads(line)
    assert set(verdict) >= KEYS
    assert (verdict["status"], verdict["choice"]) == ("undecided", None)
    assert (tmp_path / "run" / "report.html").exists()


def test_from_python(model: Path, tmp_path: Path) -> None:
    texts = [f"A {'good' if n % 2 else 'bad'} film, {n}." for n in range(30)]
    labels = ["yes" if n % 2 else "no" for n in range(30)]
    loaded = whichword.load(model)
    verdict = whichword.trust(loaded, texts, labels, methods=["lrp", "random"], out=tmp_path / "run")
    (advice,) = verdict.advice
    assert (advice.model, advice.status) == ("model", "undecided")
    assert verdict.to_json()[0]["choice"] is None
    assert verdict.report.exists()
    assert "Cannot tell yet" in str(verdict)
    with pytest.raises(InputError, match="30 texts, but 1 labels"):
        whichword.trust(loaded, texts, ["yes"])
    with pytest.raises(InputError, match="there is no text"):
        whichword.trust(loaded, [], [])


def test_times() -> None:
    assert [seconds(text) for text in ("90", "90s", "10m", "1.5h")] == [90, 90, 600, 5400]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "missing argument 'models'"),
        ("MODEL", "no corpus was named"),
        ("MODEL --corpus grammar --time soon", "--time: 'soon' is no time; write 90s, 10m or 1h"),
        ("MODEL --corpus grammar --time 0", "--time: '0' is no time"),
        ("MODEL --corpus grammar --margin 0", "the margin must lie between 0 and 1 (100 points), not 0"),
        ("MODEL --corpus grammar --margin 120", "the margin must lie between"),
        ("nowhere --corpus grammar", "no model loader opens 'nowhere'"),
    ],
)
def test_wrong_input(run: Runner, model: Path, words: str, message: str) -> None:
    done = run("trust", *(str(model) if word == "MODEL" else word for word in words.split()))
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
