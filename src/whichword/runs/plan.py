"""The plan of a run: what is computed, from what, in which shards. Frozen, as it stands in run.json.

Is a plan one of ours? A run folder may come from anywhere, and its plan names the files that are written.

Asked of every run.json before anything is read or written by it: fields of their declared types, ids and shard names
as `evaluate` gives them (so that none leads out of the folder), rows that the sets have, each in one shard.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from whichword.base.typed import misfit
from whichword.errors import InputError
from whichword.runs.sealed import canonical, sha256
from whichword.types import About

FORMAT = "whichword run 3"
TIMED = 10  # items of a pairing on which every method is timed alone, at the most


@dataclass(frozen=True)
class Shard:
    """Some items of a pairing: a range of rows of the set's file."""

    name: str
    items: range


@dataclass(frozen=True)
class Asked:
    """A method; ``uniform``: it points at a random word, so games count its exact expectation."""

    label: str
    uniform: bool = False


@dataclass(frozen=True)
class Subject:
    """A model: the label that tables show, how it was spelled, and what it says of itself."""

    label: str
    spelling: str
    about: About

    @property
    def classes(self) -> tuple[str, ...]:
        return self.about.classes


@dataclass(frozen=True)
class ItemSet:
    """One corpus played as one game. ``items`` were taken of ``available``; ``record`` is the corpus's own.

    ``mapping`` says which class of the models a label of the corpus is, where the names differ; ``classes`` are the
    names after that.
    """

    id: str
    corpus: str
    game: str
    parts: tuple[str, ...]
    items: int
    available: int
    classes: tuple[str, ...]
    record: Mapping[str, str]
    sha256: str  # of its Parquet file
    mapping: Mapping[str, str] = field(default_factory=dict)
    words: int = 0  # of all its items
    left_out: Mapping[str, int] = field(default_factory=dict)  # documents a model cannot be asked about, by the reason

    @property
    def file(self) -> str:
        return f"items/{self.id}.parquet"

    @property
    def short_corpus(self) -> str:
        """The corpus without its folder and, where it is a file, without its settings: ``reviews.csv``."""
        path, bracket, settings = self.corpus.partition("[")
        return Path(path).name if Path(path).suffix else f"{path}{bracket}{settings}"

    @property
    def title(self) -> str:
        """``reviews as hybrid``."""
        return f"{self.corpus} as {self.game}"


@dataclass(frozen=True)
class Pairing:
    """One model on one set. ``undefined`` maps methods that this model cannot have to the reason.

    ``measured``: the rows that the game has beside the methods, where it asks the model about edited copies.
    """

    id: str
    model: str
    set: str
    methods: tuple[Asked, ...]
    undefined: Mapping[str, str]
    shards: tuple[Shard, ...]
    measured: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(method.label for method in self.methods)

    @cached_property
    def timed(self) -> frozenset[int]:
        """The items on which every method is timed alone: N // 20 of N, spread evenly over the order of the plan."""
        total = sum(len(shard.items) for shard in self.shards)
        count = min(TIMED, max(1, total // 20), total)
        return frozenset((2 * i + 1) * total // (2 * count) for i in range(count))

    @property
    def cuts(self) -> list[int]:
        """Where shards begin in the set's file, and where the last one ends."""
        return [0, *(shard.items[-1] + 1 for shard in self.shards)]


@dataclass(frozen=True)
class RunPlan:
    """All of it. ``identity`` maps each thing that results depend on to its hash or version."""

    identity: Mapping[str, str]
    settings: Mapping[str, Any]
    models: tuple[Subject, ...]
    sets: tuple[ItemSet, ...]
    pairings: tuple[Pairing, ...]
    format: str = field(default=FORMAT)

    @cached_property
    def run(self) -> str:
        """The hash that receipts name."""
        return sha256(canonical(dict(self.identity)))

    @cached_property
    def shards(self) -> dict[str, tuple[Pairing, Shard]]:
        """Every shard by name, in order."""
        return {shard.name: (pairing, shard) for pairing in self.pairings for shard in pairing.shards}

    def timed(self, shard: str) -> list[int]:
        """The places in a shard whose items are timed alone; in rounds the first, so that costs are known early."""
        pairing, part = self.shards[shard]
        return [0] if "rounds" in self.settings else [n for n, row in enumerate(part.items) if row in pairing.timed]

    def model(self, label: str) -> Subject:
        return next(model for model in self.models if model.label == label)

    def set(self, id: str) -> ItemSet:
        return next(item_set for item_set in self.sets if item_set.id == id)

    def corpus_name(self, item_set: ItemSet) -> str:
        """What tables call a corpus: a file by its name, in full where another one's name is the same."""
        alike = {other.corpus for other in self.sets if other.short_corpus == item_set.short_corpus}
        return item_set.short_corpus if len(alike) == 1 else item_set.corpus

    def pairing(self, id: str) -> Pairing:
        return next(pairing for pairing in self.pairings if pairing.id == id)

    def title(self, pairing: Pairing) -> str:
        """``lstm on grammar as agreement``."""
        return f"{pairing.model} on {self.set(pairing.set).title}"

    def to_json(self) -> dict[str, Any]:
        """A number per shard, and nothing per document."""
        pairings = [asdict(replace(pairing, shards=())) | {"shards": pairing.cuts} for pairing in self.pairings]
        return asdict(replace(self, pairings=())) | {"pairings": pairings}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> "RunPlan":
        """What `to_json` gave."""
        if (written := body.get("format")) != FORMAT:
            raise InputError(f"a {written!r} is not readable by this version, only a {FORMAT!r}")
        try:
            return _plan(body)
        except (LookupError, TypeError, AttributeError) as error:
            raise InputError(f"not the plan of a run: {type(error).__name__} {error}") from None


def _plan(body: Mapping[str, Any]) -> RunPlan:
    return RunPlan(
        identity=body["identity"],
        settings=body["settings"],
        models=tuple(_subject(model) for model in body["models"]),
        sets=tuple(ItemSet(**_tuples(item_set, "parts", "classes")) for item_set in body["sets"]),
        pairings=tuple(_pairing(pairing) for pairing in body["pairings"]),
        format=body["format"],
    )


def _tuples(fields: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {**fields, **{name: tuple(fields[name]) for name in names}}


def _subject(fields: Mapping[str, Any]) -> Subject:
    return Subject(**{**fields, "about": About(**_tuples(fields["about"], "classes"))})


def _pairing(fields: Mapping[str, Any]) -> Pairing:
    methods = tuple(Asked(**method) for method in fields["methods"])
    shards = tuple(_shards(fields["id"], fields["shards"]))
    measured = tuple(fields["measured"])
    parts = {"undefined": dict(fields["undefined"]), "methods": methods, "shards": shards, "measured": measured}
    return Pairing(**{**fields, **parts})


def _shards(pairing: str, stored: Sequence[Any]) -> Iterator[Shard]:
    """From cuts."""
    if not all(type(cut) is int for cut in stored) or [0, *stored[1:]] != sorted(set(stored)):
        raise TypeError(f"the cuts of {pairing} are not in order")
    return shards_between(pairing, stored)


def shards_between(pairing: str, cuts: Sequence[int]) -> Iterator[Shard]:
    """``p00/00000``, ``p00/00001``, ...: the rows from each cut to the next."""
    for number, (start, stop) in enumerate(pairwise(cuts)):
        yield Shard(f"{pairing}/{number:05d}", range(start, stop))


def changes(was: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """What differs between two identities, in words."""
    names = [name for name in {**was, **now} if was.get(name) != now.get(name)]
    return [f"{name} (was {_short(was.get(name))}, is {_short(now.get(name))})" for name in names]


def _short(value: str | None) -> str:
    if value is None:
        return "absent"
    return value[:12] if len(value) == 64 else value if len(value) <= 80 else f"{value[:77]}..."


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
