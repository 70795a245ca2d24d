"""A run of format 2, whose shards are lists of rows: every reader reads it, nobody computes for it."""

import shutil
from pathlib import Path

import pytest
from planted_corpus import tiny_network

from whichword.errors import InputError
from whichword.experiment.checking import digest, verify
from whichword.experiment.judging import judge
from whichword.experiment.reading import open_run
from whichword.experiment.runner import evaluate
from whichword.experiment.spec import Play, Spec
from whichword.reporting import table
from whichword.reporting.page import report_page

OLD = Path(__file__).parent / "format2"
DIGEST = "8eae0bc6edee42acc764556e4f02b6c93184a32652045eb4c87c6168988cab72"  # what the code of that time said
COUNTS = [("lrp", 6.0, 12), ("omit_1", 5.0, 12), ("random", 5.373642, 12)]
PLAY = Play(("cnn",), ("planted",), ("hybrid[sentences=3]",), ("lrp", "omit_1", "random"), limit=20)


def test_its_digest_and_table_are_what_they_were() -> None:
    assert verify(OLD).sound
    assert digest(open_run(OLD)) == DIGEST
    (column,) = table([OLD]).columns
    assert [(name, round(cell.tally.hits, 6), cell.tally.total) for name, cell in column.cells.items()] == COUNTS
    assert "words from fragments of the predicted class" in report_page([OLD])


def test_it_is_judged_anew_as_it_was_judged(tmp_path: Path) -> None:
    shutil.copytree(OLD, tmp_path / "old")
    stored = judge(open_run(OLD), "p00")
    shutil.rmtree(tmp_path / "old/judged")
    again = judge(open_run(tmp_path / "old"), "p00")
    assert (again.keys, again.predicted, again.chance) == (stored.keys, stored.predicted, stored.chance)
    assert (again.rmax == stored.rmax).all()


def test_it_is_not_resumed(tmp_path: Path) -> None:
    shutil.copytree(OLD, tmp_path / "old")
    spec = Spec({"cnn": str(tiny_network(tmp_path / "cnn", "cnn"))}, (PLAY,), shard_words=4000)
    with pytest.raises(InputError, match="is a 'whichword run 2': it can be read, not resumed; give another --out"):
        evaluate(spec, tmp_path / "old")


def test_the_same_run_today_says_the_same_of_the_same_items(tmp_path: Path) -> None:
    """Only how the items are stored has changed: predictions, relevances and hits have their places."""
    spec = Spec({"cnn": str(tiny_network(tmp_path / "cnn", "cnn"))}, (PLAY,), shard_words=4000)
    new, old = evaluate(spec, tmp_path / "new").run, open_run(OLD)
    assert new.items("s00") == old.items("s00")
    assert list(new.predictions("p00")) == list(old.predictions("p00"))
    assert judge(new, "p00").keys == judge(old, "p00").keys
    assert [(one.key, one.method) for one in new.relevances("p00")] == [
        (one.key, one.method) for one in old.relevances("p00")
    ]
