"""A run folder may come from anywhere: a plan that is not one of ours is refused before anything is written by it."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from whichword.base.typed import plain
from whichword.errors import InputError
from whichword.planning.spec import Spec
from whichword.playing.make import evaluate
from whichword.runs.records import RunPlan
from whichword.runs.run import Run, open_run
from whichword.runs.sealed import sealed, unsealed
from whichword.runs.store import Store

Change = Callable[[dict[str, Any]], object]

FOREIGN: dict[str, tuple[Change, str]] = {
    "a set that leads out": (
        lambda body: body["sets"][0].update(id="../../s00"),
        "of the form s[a-z0-9-]{2,30}",
    ),
    "an absolute set": (lambda body: body["sets"][0].update(id="/tmp/s00"), "sets[0].id must be text"),
    "a pairing that leads out": (
        lambda body: body["pairings"][0].update(id="../p00"),
        "pairings[0].id must be text",
    ),
    "an unknown set": (lambda body: body["pairings"][0].update(set="s77"), "no set is called 's77'"),
    "an unknown model": (lambda body: body["pairings"][0].update(model="x"), "no model is called 'x'"),
    "two pairings of one name": (lambda body: body["pairings"].append(body["pairings"][0]), "have one name"),
    "a checksum that is none": (
        lambda body: body["sets"][0].update(sha256="x"),
        "sets[0].sha256 must be text of",
    ),
    "more items than rows": (lambda body: body["sets"][0].update(items=10**15), "do not hold every row"),
    "a number for a name": (
        lambda body: body["sets"][0].update(corpus=7),
        "sets[0].corpus must be text, not",
    ),
    "text for a number": (
        lambda body: body["sets"][0].update(items="24"),
        "items must be a whole number, not text",
    ),
    "a truth value for a number": (
        lambda body: body["sets"][0].update(items=True),
        "number, not true or false",
    ),
    "a list for a mapping": (lambda body: body.update(identity=["x"]), "identity must be a table, not a list"),
    "an unknown field": (lambda body: body["sets"][0].update(path="/tmp"), "sets[0]: nothing is called 'path'"),
    "a negative number": (lambda body: body["sets"][0].update(words=-1), "sets[0].words must be a whole number >= 0"),
    "a number beyond what JSON keeps": (lambda body: body["sets"][0].update(items=2**53), "<= 9007199254740991"),
    "a line end after a name": (lambda body: body["pairings"][0].update(id="p00\n"), "pairings[0].id must be text"),
    "cuts of other rows": (lambda body: body["pairings"][0].update(shards=[1, 24]), "pairings[0]: the cuts of p00 are"),
    "a lone surrogate for a field": (lambda body: body["sets"][0].update({"\ud800": 1}), "not the plan of a run"),
    "an unknown field of a model": (lambda body: body["models"][0]["about"].update(x=1), "nothing is called 'x'"),
    "another format": (lambda body: body.update(format="whichword run 2"), "only a 'whichword run 3'"),
    "no methods": (lambda body: body["pairings"][0].pop("methods"), "pairings[0].methods is missing"),
}


def rewritten(folder: Path, change: Change) -> None:
    """The plan, changed and sealed again, as a stranger would."""
    body = copy.deepcopy(unsealed(folder / "run.json"))
    change(body)
    (folder / "run.json").write_bytes(sealed(body))


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != "lock"}


@pytest.mark.parametrize("name", FOREIGN)
def test_it_is_refused_and_nothing_is_written(copied: Path, spec: Spec, name: str) -> None:
    change, message = FOREIGN[name]
    rewritten(copied, change)
    before = contents(copied.parent)
    for use in (open_run, lambda folder: evaluate(spec, folder)):
        with pytest.raises(InputError) as refused:
            use(copied)
        assert message in str(refused.value)
    assert contents(copied.parent) == before


def test_a_stored_plan_is_ours(made: Run) -> None:
    """To the byte: what is read is what was written, so a plan has one spelling and one checksum."""
    stored = (made.folder / "run.json").read_bytes()
    assert sealed(RunPlan.from_json(unsealed(made.folder / "run.json")).to_json()) == stored
    store = Store.open(made.folder)
    assert store.plan == made.plan
    for shard in store.plan.shards:
        assert sealed(plain(store.receipt(shard))) == (made.folder / f"shards/{shard}.json").read_bytes()


def test_what_is_swept_is_never_behind_a_link(copied: Path, spec: Spec, tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "letter").write_text("dear")
    (copied / "parts").symlink_to(documents)
    evaluate(spec, copied)
    assert (documents / "letter").read_text() == "dear"
