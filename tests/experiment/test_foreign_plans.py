"""A run folder may come from anywhere: a plan that is not one of ours is refused before anything is written by it."""

import copy
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from whichword.errors import InputError
from whichword.planning.spec import Spec
from whichword.playing.make import evaluate
from whichword.runs.plan import RunPlan, refuse_foreign
from whichword.runs.run import Run, open_run
from whichword.runs.sealed import sealed, unsealed
from whichword.runs.store import Store

Change = Callable[[dict[str, Any]], object]

FOREIGN: dict[str, tuple[Change, str]] = {
    "a set that leads out": (lambda body: body["sets"][0].update(id="../../s00"), "a set is called '../../s00'"),
    "an absolute set": (lambda body: body["sets"][0].update(id="/tmp/s00"), "a set is called '/tmp/s00'"),
    "a pairing that leads out": (lambda body: body["pairings"][0].update(id="../p00"), "is called"),
    "an unknown set": (lambda body: body["pairings"][0].update(set="s77"), "no set is called 's77'"),
    "an unknown model": (lambda body: body["pairings"][0].update(model="x"), "no model is called 'x'"),
    "two pairings of one name": (lambda body: body["pairings"].append(body["pairings"][0]), "have one name"),
    "a checksum that is none": (lambda body: body["sets"][0].update(sha256="x"), "is no checksum"),
    "more items than rows": (lambda body: body["sets"][0].update(items=10**15), "do not hold every row"),
    "a number for a name": (lambda body: body["sets"][0].update(corpus=7), "sets.corpus is '7' of the wrong type"),
    "text for a number": (lambda body: body["sets"][0].update(items="24"), "sets.items is '24' of the wrong type"),
    "a truth value for a number": (lambda body: body["sets"][0].update(items=True), "of the wrong type"),
    "a list for a mapping": (lambda body: body.update(identity=["x"]), "identity is"),
    "an unknown field": (lambda body: body["sets"][0].update(path="/tmp"), "not the plan of a run"),
    "no methods": (lambda body: body["pairings"][0].pop("methods"), "not the plan of a run"),
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


def test_shards_that_lead_out_are_refused(made: Run) -> None:
    """However run.json spells shards, these are what files are named by."""
    first, *later = made.plan.pairings
    for name in ("../../../escaped", "/tmp/escaped", "p01/00000", "p00/../p00/00000", "p00/00000\n", ""):
        shards = (replace(first.shards[0], name=name), *first.shards[1:])
        with pytest.raises(InputError, match="a shard of pairing p00 is called"):
            refuse_foreign(replace(made.plan, pairings=(replace(first, shards=shards), *later)))


def test_a_stored_plan_is_ours(made: Run) -> None:
    refuse_foreign(RunPlan.from_json(unsealed(made.folder / "run.json")))
    assert Store.open(made.folder).plan == made.plan


def test_what_is_swept_is_never_behind_a_link(copied: Path, spec: Spec, tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "letter").write_text("dear")
    (copied / "parts").symlink_to(documents)
    evaluate(spec, copied)
    assert (documents / "letter").read_text() == "dear"
