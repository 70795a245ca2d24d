"""The plan of a run: what is computed, from what, in which shards. Frozen, as it stands in run.json."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from whichword.errors import InputError
from whichword.experiment.seal import canonical, sha256

FORMAT = "whichword run 1"


@dataclass(frozen=True)
class Shard:
    """Some items of a pairing, by row number in the set, in the order of the shard's rows."""

    name: str
    items: tuple[int, ...]


@dataclass(frozen=True)
class Asked:
    """A method; ``uniform``: it points at a random word, so games count its exact expectation."""

    label: str
    uniform: bool = False


@dataclass(frozen=True)
class Subject:
    """A model: the label that tables show, and what is known of it without loading it."""

    label: str
    path: str
    kind: str
    bidirectional: bool
    embedding: int
    hidden: int
    classes: tuple[str, ...]
    dtype: str


@dataclass(frozen=True)
class ItemSet:
    """One corpus played as one game. ``items`` were taken of ``available``; ``record`` is the corpus's own."""

    id: str
    corpus: str
    game: str
    parts: tuple[str, ...]
    items: int
    available: int
    classes: tuple[str, ...]
    record: Mapping[str, str]
    sha256: str  # of its Parquet file

    @property
    def file(self) -> str:
        return f"items/{self.id}.parquet"


@dataclass(frozen=True)
class Pairing:
    """One model on one set. ``undefined`` are methods that this network cannot have."""

    id: str
    model: str
    set: str
    methods: tuple[Asked, ...]
    undefined: tuple[str, ...]
    shards: tuple[Shard, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(method.label for method in self.methods)


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

    def model(self, label: str) -> Subject:
        return next(model for model in self.models if model.label == label)

    def set(self, id: str) -> ItemSet:
        return next(found for found in self.sets if found.id == id)

    def pairing(self, id: str) -> Pairing:
        return next(found for found in self.pairings if found.id == id)

    def title(self, pairing: Pairing) -> str:
        """``lstm on grammar as agreement``."""
        played = self.set(pairing.set)
        return f"{pairing.model} on {played.corpus} as {played.game}"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> "RunPlan":
        """What `to_json` gave (its checksum was right, so only another format can be in the way)."""
        if body.get("format") != FORMAT:
            raise InputError(f"not a {FORMAT!r} but {body.get('format')!r}")
        return cls(
            identity=body["identity"],
            settings=body["settings"],
            models=tuple(Subject(**_tuples(model, "classes")) for model in body["models"]),
            sets=tuple(ItemSet(**_tuples(one, "parts", "classes")) for one in body["sets"]),
            pairings=tuple(_pairing(pairing) for pairing in body["pairings"]),
        )


def _tuples(fields: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {**fields, **{name: tuple(fields[name]) for name in names}}


def _pairing(fields: Mapping[str, Any]) -> Pairing:
    return Pairing(
        **_tuples(fields, "undefined")
        | {
            "methods": tuple(Asked(**method) for method in fields["methods"]),
            "shards": tuple(Shard(shard["name"], tuple(shard["items"])) for shard in fields["shards"]),
        }
    )


def changes(was: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """What differs between two identities, in words."""
    names = [name for name in {**was, **now} if was.get(name) != now.get(name)]
    return [f"{name} (was {_short(was.get(name))}, is {_short(now.get(name))})" for name in names]


def _short(value: str | None) -> str:
    if value is None:
        return "absent"
    return value[:12] if len(value) == 64 else value if len(value) <= 80 else f"{value[:77]}..."
