"""Is a plan one of ours? A run folder may come from anywhere, and its plan names the files that are written.

Asked of every run.json before anything is read or written by it: fields of their declared types, ids and shard names
as `evaluate` gives them (so that none leads out of the folder), rows that the sets have, each in one shard.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from whichword.base.typed import misfit
from whichword.errors import InputError
from whichword.runs.plan import Pairing, RunPlan

SET, PAIRING = re.compile(r"s[a-z0-9-]{2,30}"), re.compile(r"p[a-z0-9-]{2,30}")  # s00, sp00; p00, p00-03
SHARD = re.compile(r"(?P<pairing>p[a-z0-9-]{2,30})/[0-9]{5,9}")
CHECKSUM = re.compile(r"[0-9a-f]{64}")


def refuse_foreign(plan: RunPlan) -> None:
    """`InputError` that names the first thing that no plan of ours has."""
    trouble = misfit(plan) or next(_troubles(plan), None)
    if trouble:
        raise InputError(f"not the plan of a run: {trouble}")


def _troubles(plan: RunPlan) -> Iterator[str]:
    for item_set in plan.sets:
        if not SET.fullmatch(item_set.id):
            yield f"a set is called {item_set.id!r}"
        if not CHECKSUM.fullmatch(item_set.sha256):
            yield f"set {item_set.id}: {item_set.sha256!r} is no checksum"
    for pairing in plan.pairings:
        yield from _of_pairing(plan, pairing)
    for kind, names in _names(plan).items():
        if len(set(names)) < len(names):
            yield f"two {kind} have one name"


def _names(plan: RunPlan) -> dict[str, list[str]]:
    shards = [shard.name for pairing in plan.pairings for shard in pairing.shards]
    ids = {"sets": [s.id for s in plan.sets], "pairings": [p.id for p in plan.pairings]}
    return ids | {"models": [model.label for model in plan.models], "shards": shards}


def _of_pairing(plan: RunPlan, pairing: Pairing) -> Iterator[str]:
    if not PAIRING.fullmatch(pairing.id):
        yield f"a pairing is called {pairing.id!r}"
    if pairing.model not in {model.label for model in plan.models}:
        yield f"pairing {pairing.id}: no model is called {pairing.model!r}"
    sizes = {item_set.id: item_set.items for item_set in plan.sets}
    if pairing.set not in sizes:
        yield f"pairing {pairing.id}: no set is called {pairing.set!r}"
        return
    for shard in pairing.shards:
        name = SHARD.fullmatch(shard.name)
        if name is None or name["pairing"] != pairing.id:
            yield f"a shard of pairing {pairing.id} is called {shard.name!r}"
    if not _covers([shard.items for shard in pairing.shards], sizes[pairing.set]):
        yield f"pairing {pairing.id}: its shards do not hold every row of set {pairing.set} once"


def _covers(groups: Sequence[range], size: int) -> bool:
    """Whether every row is in one group; compared by their ends, which may be any number."""
    ends = [0, *(group.stop for group in groups)]
    return list(groups) == [range(*pair) for pair in pairwise(ends)] and all(groups) and ends[-1] == size
