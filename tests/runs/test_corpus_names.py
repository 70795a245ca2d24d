"""What tables call a corpus."""

import pytest
from msgspec.structs import replace

from whichword.runs.records import ItemSet, RunPlan

SET = ItemSet("s00", "docstrings", "hybrid", ("hybrid",), 1, 1, ("a", "b"), {}, "")


def plan_of(*corpora: str) -> RunPlan:
    return RunPlan({}, {}, (), tuple(replace(SET, corpus=corpus) for corpus in corpora), ())


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("docstrings", "docstrings"),
        ("ud[folder=UD_X]", "ud[folder=UD_X]"),
        ("/data/my files/reviews.csv[label=stars,text=review]", "reviews.csv"),
        ("posts.jsonl.gz", "posts.jsonl.gz"),
    ],
)
def test_a_file_is_called_by_its_name(spelling: str, name: str) -> None:
    plan = plan_of(spelling, "grammar")
    assert plan.corpus_name(plan.sets[0]) == name


def test_two_files_of_one_name_are_called_in_full() -> None:
    plan = plan_of("a/reviews.csv", "b/reviews.csv", "c/other.csv")
    assert [plan.corpus_name(item_set) for item_set in plan.sets] == ["a/reviews.csv", "b/reviews.csv", "other.csv"]
