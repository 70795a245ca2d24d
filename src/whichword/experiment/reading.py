"""A run, read: items, predictions, relevances and seconds, every byte verified. Needs no corpus, model or torch."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whichword.errors import InputError
from whichword.experiment import formats
from whichword.experiment.plan import RunPlan, Shard
from whichword.experiment.seal import DamagedError, sha256
from whichword.experiment.store import Store
from whichword.types import Item


@dataclass(frozen=True)
class Prediction:
    """What a model says of an item: f(X), s(k, X) in the order of its classes, and the words it does not know."""

    key: str
    predicted: str
    scores: tuple[float, ...]
    unknown: tuple[bool, ...]


@dataclass(frozen=True, eq=False)
class StoredRelevance:
    """What a method says of an item: phi(t, k, X), [T], for k = ``target``."""

    key: str
    method: str
    target: str
    values: NDArray[np.floating[Any]]
    status: str
    note: str | None


@dataclass(frozen=True)
class Run:
    """A complete run in a folder."""

    store: Store

    @property
    def folder(self) -> Path:
        return self.store.folder

    @property
    def plan(self) -> RunPlan:
        return self.store.plan

    @cached_property
    def _items(self) -> dict[str, tuple[Item, ...]]:
        return {one.id: _items(self.store, one.id) for one in self.plan.sets}

    def items(self, set_id: str) -> tuple[Item, ...]:
        """The set's items, in their order."""
        return self._items[set_id]

    def predictions(self, pairing_id: str) -> dict[str, Prediction]:
        """Key -> prediction, in the set's order."""
        pairing = self.plan.pairing(pairing_id)
        rows: dict[int, Prediction] = {}
        for shard in pairing.shards:
            columns = self.table(shard, "predictions").to_pydict()
            made = [
                Prediction(key, predicted, tuple(scores), tuple(unknown))
                for key, predicted, scores, unknown in zip(*columns.values(), strict=True)
            ]
            rows |= dict(zip(shard.items, made, strict=True))
        return {rows[index].key: rows[index] for index in sorted(rows)}

    def relevances(self, pairing_id: str) -> Iterator[StoredRelevance]:
        """Shard by shard, item by item, method by method, in the order of the plan."""
        for shard in self.plan.pairing(pairing_id).shards:
            table = self.table(shard, "relevances").combine_chunks()
            values = _lists(table.column("relevances"))
            names = ("key", "method", "target", "status", "note")
            columns = [table.column(name).to_pylist() for name in names]
            for (key, method, target, status, note), vector in zip(zip(*columns, strict=True), values, strict=True):
                yield StoredRelevance(key, method, target, vector, status, note)

    def seconds(self, pairing_id: str) -> dict[str, float]:
        """Method -> seconds of one core, over all documents."""
        pairing = self.plan.pairing(pairing_id)
        receipts = [self.store.receipt(shard.name) for shard in pairing.shards]
        return {label: sum(receipt.seconds[label] for receipt in receipts) for label in pairing.labels}

    def table(self, shard: Shard, kind: str) -> Any:
        """An arrow table of a shard, "predictions" or "relevances", verified."""
        try:
            return self.store.read(shard.name, kind)
        except DamagedError as damage:
            raise InputError(f"{self.folder}: {damage}: the command that made the run does it again") from None


def open_run(folder: str | Path) -> Run:
    """A run that is complete by its receipts; `InputError` otherwise. Files are verified as they are read."""
    store = Store.open(Path(folder))
    missing = sum(not _has_receipt(store, name) for name in store.plan.shards)
    if missing:
        total = len(store.plan.shards)
        raise InputError(f"{folder}: {missing} of {total} shards are not done: the command that made the run goes on")
    return Run(store)


def _has_receipt(store: Store, shard: str) -> bool:
    try:
        store.receipt(shard)
    except DamagedError:
        return False
    return True


def _items(store: Store, set_id: str) -> tuple[Item, ...]:
    about = store.plan.set(set_id)
    if trouble := items_trouble(store, set_id):
        raise InputError(f"{store.folder}: {trouble}: the command that made the run makes it again")
    return formats.items_of(store.folder / about.file)


def items_trouble(store: Store, set_id: str) -> str | None:
    """Why the items' file is not what the plan says; None: it is."""
    about = store.plan.set(set_id)
    try:
        data = (store.folder / about.file).read_bytes()
    except OSError as error:
        return f"{about.file}: {error.strerror}"
    return None if sha256(data) == about.sha256 else f"{about.file}: the checksum does not fit"


def _lists(column: Any) -> list[NDArray[np.floating[Any]]]:
    """A list column as one numpy vector a row, without a Python number in between."""
    array = column.combine_chunks()
    offsets = array.offsets.to_numpy()
    flat = array.values.to_numpy(zero_copy_only=False)
    return [flat[start:stop] for start, stop in pairwise(offsets)]
