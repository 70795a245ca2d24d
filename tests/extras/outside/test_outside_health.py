"""Relevances from a file that are one word off are found among other methods."""

import json
from pathlib import Path

import numpy as np
import pytest
from command_runner import Runner

import whichword
from whichword.extras.league.suite import Suite, open_suite

GAME = ("--game", "hybrid[sentences=2]")


@pytest.fixture(scope="module")
def suite() -> Suite:
    return open_suite("planted")


def spelling(suite: Suite) -> str:
    return next(iter(suite.spellings.values()))


@pytest.fixture(scope="module")
def corpus(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Texts of the suite as somebody's own corpus, all of them to be played."""
    path, model = tmp_path_factory.mktemp("corpus") / "planted.jsonl", whichword.load(spelling(suite))
    explained = whichword.explain(model, [item.words for item in suite.items], ["lrp"])
    rows = [{"text": " ".join(explanation.words), "label": explanation.predicted} for explanation in explained]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return f"{path}[train=0,heldout=0,test=1]"


def relevances(run: Runner, suite: Suite, source: tuple[str, ...], folder: Path, by: int) -> Path:
    """LRP of all items of the source, each relevance ``by`` words further on."""
    items = folder / "items.jsonl"
    assert run("judge", *source, "--texts", str(items)).returncode == 0
    rows = [json.loads(line) for line in items.read_text().splitlines()]
    model = whichword.load(spelling(suite))
    path = folder / "mine.jsonl"
    with path.open("w") as file:
        for row, explanation in zip(
            rows, whichword.explain(model, [row["words"] for row in rows], ["lrp"]), strict=True
        ):
            moved = np.roll(explanation.relevance["lrp"], by).tolist()
            file.write(json.dumps({"key": row["key"], "target": explanation.target, "relevances": moved}) + "\n")
    return path


def told(run: Runner, source: tuple[str, ...], path: Path, folder: Path) -> str:
    done = run("judge", *source, "--relevances", str(path), "--out", str(folder / "out"))
    assert done.returncode == 0, done.stderr
    return " ".join(run("table", str(folder / "out"), "--health").stdout.split())


def test_alone_nothing_tells_where_a_method_should_point(
    run: Runner, suite: Suite, corpus: str, tmp_path: Path
) -> None:
    words = told(run, (corpus, *GAME), relevances(run, suite, (corpus, *GAME), tmp_path, 1), tmp_path)
    assert "health: nothing suspicious in any method" in words


@pytest.mark.parametrize("by", [-1, 1])
def test_among_the_methods_of_a_run(run: Runner, suite: Suite, corpus: str, tmp_path: Path, by: int) -> None:
    source = str(tmp_path / "run")
    options = ("-m", "deeplift,occ_1,omit_1", "--workers", "1", "--out", source)
    assert run("evaluate", spelling(suite), "--corpus", corpus, *GAME, *options).returncode == 0
    words = told(run, (source,), relevances(run, suite, (source,), tmp_path, by), tmp_path)
    complaint = f"shifted one word to the {'right' if by > 0 else 'left'} of where the other methods point"
    assert words.count(complaint) == words.count("health of") == 1


def test_not_a_number_as_python_writes_it(run: Runner, suite: Suite, corpus: str, tmp_path: Path) -> None:
    path = relevances(run, suite, (corpus, *GAME), tmp_path, 0)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for row, value in zip(rows, ("NaN", "Infinity", "-Infinity"), strict=False):
        row["relevances"][0] = float(value)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert f"health of mine: not finite in 3 of {len(rows)} documents" in told(run, (corpus, *GAME), path, tmp_path)
