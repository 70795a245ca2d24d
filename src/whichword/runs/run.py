"""A run, read: items, predictions, relevances and costs, every byte verified. Needs no corpus, model or torch.

Documents that a pairing has no answer for, or not for all of their words: in words, for tables and reports.

The decision of a run that was played in rounds: made while it was played, stored beside it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import astuple
from numpy.typing import NDArray

from whichword.base.typed import plain, typed
from whichword.errors import DamagedError, FileError
from whichword.runs.items import ItemFile, file_sha256, items_of
from whichword.runs.records import Pairing, Receipt, RunPlan, Shard, Shortfall, StoredVerdict, Verdicts
from whichword.runs.sealed import AGAIN, commit, sealed, unsealed
from whichword.runs.shards import row_keys
from whichword.runs.store import Store
from whichword.types import Item


@dataclass(frozen=True)
class Prediction:
    """What a model says of an item: f(X), s(k, X) in the order of its classes, and the words it does not know.

    It read the first ``seen`` words.
    """

    key: str
    predicted: str
    scores: tuple[float, ...]
    unknown: tuple[bool, ...]
    seen: int


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
class MethodCost:
    """Seconds of one core per document: when the method is asked alone, and its share when its family is asked as one.

    ``alone`` is None where no method was timed: of relevances from elsewhere.
    """

    alone: float | None
    together: float

    @property
    def seconds(self) -> float:
        """What the method costs whoever wants no other, as far as it is known."""
        return self.together if self.alone is None else self.alone

    @property
    def rate(self) -> float | None:
        """Documents per second."""
        return 1 / self.seconds if self.seconds > 0 else None


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
        return {item_set.id: self.item_file(item_set.id).in_order() for item_set in self.plan.sets}

    def items(self, set_id: str) -> tuple[Item, ...]:
        """The set's items, in their order."""
        return self._items[set_id]

    @cached_property
    def _files(self) -> dict[str, ItemFile]:
        return {}

    def item_file(self, set_id: str) -> ItemFile:
        """The set's items on disk, verified when they are first asked for."""
        if set_id not in self._files:
            file = ItemFile(self.folder / self.plan.set(set_id).file)
            if trouble := items_trouble(self.store, set_id, file):
                raise DamagedError(f"{self.folder}: {trouble}; {AGAIN}")
            self._files[set_id] = file
        return self._files[set_id]

    def places(self, pairing: Pairing, shard: Shard) -> NDArray[np.int64]:
        """Where the items of a shard stand in the set's own order."""
        return self.item_file(pairing.set).rows[np.array(shard.items, dtype=np.int64)]

    def shard_items(self, pairing: Pairing, shard: Shard) -> list[Item]:
        """The items of a shard, in the order of its rows."""
        return items_of(self.item_file(pairing.set).table(shard.items.start, shard.items.stop))

    def predictions(self, pairing_id: str) -> dict[str, Prediction]:
        """Key -> prediction, in the set's order; without those that failed."""
        pairing = self.plan.pairing(pairing_id)
        rows: dict[int, Prediction] = {}
        for shard in pairing.shards:
            entries = self.table(shard, "predictions").to_pylist()
            places = self.places(pairing, shard).tolist()
            rows |= {place: _prediction(entry) for place, entry in zip(places, entries, strict=True)}
        answered = [rows[place] for place in sorted(rows)]
        return {prediction.key: prediction for prediction in answered if prediction.predicted is not None}

    def relevances(self, pairing_id: str) -> Iterator[StoredRelevance]:
        """Shard by shard, item by item, method by method, in the order of the plan."""
        for shard in self.plan.pairing(pairing_id).shards:
            table = self.table(shard, "relevances").combine_chunks()
            values = _lists(table.column("relevances"))
            names = ("key", "method", "target", "status", "note")
            columns = [table.column(name).to_pylist() for name in names]
            for (key, method, target, status, note), vector in zip(zip(*columns, strict=True), values, strict=True):
                yield StoredRelevance(key, method, target, vector, status, note)

    def shortfall(self, pairing_id: str) -> Shortfall:
        """Documents that failed, and words that were not read."""
        shards = self.plan.pairing(pairing_id).shards
        counts = [astuple(self.store.receipt(shard.name).shortfall) for shard in shards]
        return Shortfall(*map(sum, zip(*counts, strict=True)))

    def costs(self, pairing_id: str) -> dict[str, MethodCost]:
        """What each method costs."""
        pairing = self.plan.pairing(pairing_id)
        receipts = [self.store.receipt(shard.name) for shard in pairing.shards]
        return {label: _cost(receipts, label) for label in pairing.labels}

    @cached_property
    def arithmetics(self) -> dict[str, int]:
        """How many shards were computed by which arithmetic; empty where nobody noted it."""
        return arithmetics(self.store, self.plan.shards)

    def table(self, shard: Shard, kind: str) -> Any:
        """An arrow table of a shard, "predictions" or "relevances", verified."""
        try:
            table = self.store.read(shard.name, kind)
        except DamagedError as damage:
            raise DamagedError(f"{self.folder}: {damage}; {AGAIN}") from None
        if table.column("key").to_pylist() != row_keys(self.plan.shards[shard.name][0], kind, self.keys(shard)):
            raise DamagedError(f"{self.folder}: shard {shard.name}: its rows are not those of the plan; {AGAIN}")
        return table

    def keys(self, shard: Shard) -> list[str]:
        """Of its items."""
        pairing, rows = self.plan.shards[shard.name][0], shard.items
        keys: list[str] = self.item_file(pairing.set).table(rows.start, rows.stop, ["key"])["key"].to_pylist()
        return keys


def open_run(folder: str | Path) -> Run:
    """A run that is complete by its receipts; `InputError` otherwise. Files are verified as they are read."""
    store = Store.open(Path(folder))
    missing = sum(not _has_receipt(store, name) for name in store.plan.shards)
    if missing:
        total = len(store.plan.shards)
        raise FileError(f"{folder}: {missing} of {total} shards are not done; {AGAIN}")
    return Run(store)


RunLike = str | Path | Run  # a run, or its folder


def folders_of(runs: RunLike | Sequence[RunLike]) -> list[Path]:
    """Where one run is, or several."""
    several = [runs] if isinstance(runs, str | Path | Run) else runs
    return [run.folder if isinstance(run, Run) else Path(run) for run in several]


def arithmetics(store: Store, shards: Iterable[str]) -> dict[str, int]:
    """How many of these shards were computed by which arithmetic."""
    return dict(Counter(name for shard in shards if (name := store.receipt(shard).arithmetic)))


def mixture(counts: Mapping[str, int]) -> str:
    """``mixed: 5 shards by AVX2 kernels 1a2b, 3 by ...``; nothing where one arithmetic computed all."""
    parts = [f"{count} shards by {name}" for name, count in counts.items()]
    return f"mixed: {', '.join(parts)}" if len(parts) > 1 else ""


def _prediction(entry: Mapping[str, Any]) -> Prediction:
    scores, unknown = tuple(entry["scores"]), tuple(entry["unknown"])
    return Prediction(entry["key"], entry["predicted"], scores, unknown, entry["seen"])


def _cost(receipts: Sequence[Receipt], label: str) -> MethodCost:
    together = sum(receipt.together[label] for receipt in receipts)
    alone = sum(receipt.alone.get(label, 0.0) for receipt in receipts)
    documents, timed = (
        sum(counts) for counts in zip(*((r.documents, r.alone_documents) for r in receipts), strict=True)
    )
    return MethodCost(alone / timed if timed else None, together / documents)


def _has_receipt(store: Store, shard: str) -> bool:
    try:
        store.receipt(shard)
    except DamagedError:
        return False
    return True


def items_trouble(store: Store, set_id: str, file: ItemFile | None = None) -> str | None:
    """Why the items' file is not what the plan says; None: it is. ``file``: where it goes on to be read."""
    about = store.plan.set(set_id)
    try:
        checksum = file_sha256(store.folder / about.file)
    except OSError as error:
        return f"{about.file}: {error.strerror}"
    if checksum != about.sha256:
        return f"{about.file}: the checksum does not fit"
    trouble = (file or ItemFile(store.folder / about.file)).trouble(about.items)
    return None if trouble is None else f"{about.file}: {trouble}"


def _lists(column: Any) -> list[NDArray[np.floating[Any]]]:
    """A list column as one numpy vector per row, without a Python number in between."""
    array = column.combine_chunks()
    offsets = array.offsets.to_numpy()
    flat = array.values.to_numpy(zero_copy_only=False)
    return [flat[start:stop] for start, stop in pairwise(offsets)]


def remarks(run: Run, pairing: Pairing) -> tuple[str, ...]:
    """What is to be said of a pairing's documents; nothing where every word of each of them was read and answered."""
    counts = run.plan.set(pairing.set).left_out
    return (*([left_out(counts)] if counts else []), *_short(run.shortfall(pairing.id)))


def _short(shortfall: Shortfall) -> Iterator[str]:
    if shortfall.failed:
        again = "run the command that made the run again to ask again"
        yield f"failed: {shortfall.failed:,} documents (the model gave no answer; {again})"
    if shortfall.cut:
        why = "longer than the model reads; they are no part of what is judged"
        yield f"not read: {shortfall.unread:,} words of {shortfall.cut:,} documents ({why})"


def left_out(counts: Mapping[str, int]) -> str:
    """``left out: 60 documents (a form of the verb is not known), 87 documents (...)``."""
    return "left out: " + ", ".join(f"{count:,} documents ({reason})" for reason, count in counts.items())


FILE = "verdict.json"


def save_verdicts(folder: Path, verdicts: Verdicts) -> None:
    """Store them beside the run."""
    commit(folder, FILE, sealed(plain(verdicts)))


def stored_verdicts(folder: Path, run: str) -> Mapping[str, StoredVerdict]:
    """What was stored for this plan, by pairing; nothing where the run was not played in rounds."""
    try:
        body = unsealed(folder / FILE)
    except DamagedError:
        return {}
    if body.get("run") != run:
        return {}
    return typed(Verdicts, body, str(folder / FILE), DamagedError).pairings
