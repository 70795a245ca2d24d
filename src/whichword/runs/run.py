"""A run, read: items, predictions, relevances and costs, every byte verified. Needs no corpus, model or torch.

Also: what tables and reports remark about its documents, and the decisions that a run in rounds stored beside it.
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
    """Seconds of one core per document: asked alone, and its share when its family is asked together.

    ``alone`` is None where no method was timed: of relevances from elsewhere.
    """

    alone: float | None
    together: float

    @property
    def seconds(self) -> float:
        """What the method costs a user of no other method, as far as it is known."""
        return self.together if self.alone is None else self.alone

    @property
    def rate(self) -> float | None:
        """Documents per second."""
        return 1 / self.seconds if self.seconds > 0 else None  # a clock may be too coarse for a fast method


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
        """Read the set's items, in their order."""
        return self._items[set_id]

    @cached_property
    def _files(self) -> dict[str, ItemFile]:
        return {}

    def item_file(self, set_id: str) -> ItemFile:
        """Open the set's items on disk, verified when they are first asked for."""
        if set_id not in self._files:
            file = ItemFile(self.folder / self.plan.set(set_id).file)
            if trouble := items_trouble(self.store, set_id, file):
                raise DamagedError(f"{self.folder}: {trouble}; {AGAIN}")
            self._files[set_id] = file  # verified once: it may be large
        return self._files[set_id]

    def places(self, pairing: Pairing, shard: Shard) -> NDArray[np.int64]:
        """Look up where the items of a shard stand in the set's own order."""
        return self.item_file(pairing.set).rows[np.array(shard.items, dtype=np.int64)]

    def shard_items(self, pairing: Pairing, shard: Shard) -> list[Item]:
        """Read the items of a shard, in the order of its rows."""
        return items_of(self.item_file(pairing.set).table(shard.items.start, shard.items.stop))

    def predictions(self, pairing_id: str) -> dict[str, Prediction]:
        """Map keys to predictions, in the set's order; without those that failed."""
        pairing = self.plan.pairing(pairing_id)
        rows: dict[int, Prediction] = {}  # by place: shards hold items by length, not in the set's order
        for shard in pairing.shards:
            entries = self.table(shard, "predictions").to_pylist()
            places = self.places(pairing, shard).tolist()
            rows |= {place: _prediction(entry) for place, entry in zip(places, entries, strict=True)}
        answered = [rows[place] for place in sorted(rows)]
        return {prediction.key: prediction for prediction in answered if prediction.predicted is not None}

    def relevances(self, pairing_id: str) -> Iterator[StoredRelevance]:
        """Yield shard by shard, item by item, method by method, in the order of the plan."""
        for shard in self.plan.pairing(pairing_id).shards:
            table = self.table(shard, "relevances").combine_chunks()
            values = _lists(table.column("relevances"))
            names = ("key", "method", "target", "status", "note")
            columns = [table.column(name).to_pylist() for name in names]
            for (key, method, target, status, note), vector in zip(zip(*columns, strict=True), values, strict=True):
                yield StoredRelevance(key, method, target, vector, status, note)

    def shortfall(self, pairing_id: str) -> Shortfall:
        """Count documents that failed, and words that were not read."""
        shards = self.plan.pairing(pairing_id).shards
        counts = [astuple(self.store.receipt(shard.name).shortfall) for shard in shards]
        return Shortfall(*map(sum, zip(*counts, strict=True)))

    def costs(self, pairing_id: str) -> dict[str, MethodCost]:
        """Compute what each method costs, by the shards' receipts."""
        pairing = self.plan.pairing(pairing_id)
        receipts = [self.store.receipt(shard.name) for shard in pairing.shards]
        return {label: _cost(receipts, label) for label in pairing.labels}

    @cached_property
    def arithmetics(self) -> dict[str, int]:
        """How many shards were computed by which arithmetic; empty where it was not noted."""
        return arithmetics(self.store, self.plan.shards)

    def table(self, shard: Shard, kind: str) -> Any:
        """Read an Arrow table of a shard, "predictions" or "relevances", verified."""
        try:
            table = self.store.read(shard.name, kind)
        except DamagedError as damage:
            raise DamagedError(f"{self.folder}: {damage}; {AGAIN}") from None
        if table.column("key").to_pylist() != row_keys(self.plan.shards[shard.name][0], kind, self.keys(shard)):
            raise DamagedError(f"{self.folder}: shard {shard.name}: its rows are not those of the plan; {AGAIN}")
        return table

    def keys(self, shard: Shard) -> list[str]:
        """Read the keys of the shard's items, in row order."""
        pairing, rows = self.plan.shards[shard.name][0], shard.items
        keys: list[str] = self.item_file(pairing.set).table(rows.start, rows.stop, ["key"])["key"].to_pylist()
        return keys


def open_run(folder: str | Path) -> Run:
    """Open a run that is complete by its receipts, else `InputError`. Files are verified as they are read."""
    store = Store.open(Path(folder))
    missing = sum(not _has_receipt(store, name) for name in store.plan.shards)
    if missing:
        total = len(store.plan.shards)
        raise FileError(f"{folder}: {missing} of {total} shards are not done; {AGAIN}")
    return Run(store)


RunLike = str | Path | Run  # a run, or its folder


def folders_of(runs: RunLike | Sequence[RunLike]) -> list[Path]:
    """List the folders of one run, or of several."""
    several = [runs] if isinstance(runs, str | Path | Run) else runs
    return [run.folder if isinstance(run, Run) else Path(run) for run in several]


def arithmetics(store: Store, shards: Iterable[str]) -> dict[str, int]:
    """Count these shards by the arithmetic that computed them."""
    return dict(Counter(name for shard in shards if (name := store.receipt(shard).arithmetic)))  # "": not noted


def mixture(counts: Mapping[str, int]) -> str:
    """Say ``mixed: 5 shards by AVX2 kernels 1a2b, 3 by ...``; empty where one arithmetic computed all."""
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
    return MethodCost(alone / timed if timed else None, together / documents)  # sums first: shards differ in size


def _has_receipt(store: Store, shard: str) -> bool:
    try:
        store.receipt(shard)
    except DamagedError:
        return False
    return True


def items_trouble(store: Store, set_id: str, file: ItemFile | None = None) -> str | None:
    """Say why the items' file is not what the plan says; None: it is. ``file``: where it goes on to be read."""
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
    """Split a list column into one numpy vector per row, without a Python number in between."""
    array = column.combine_chunks()
    offsets = array.offsets.to_numpy()
    flat = array.values.to_numpy(zero_copy_only=False)  # a copy where numbers are missing: null is read as NaN
    return [flat[start:stop] for start, stop in pairwise(offsets)]


def remarks(run: Run, pairing: Pairing) -> tuple[str, ...]:
    """Say what a pairing has no answer for; empty where every word of every document was read and answered."""
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
    """Say ``left out: 60 documents (a form of the verb is not known), 87 documents (...)``."""
    return "left out: " + ", ".join(f"{count:,} documents ({reason})" for reason, count in counts.items())


FILE = "verdict.json"


def save_verdicts(folder: Path, verdicts: Verdicts) -> None:
    """Store decisions beside the run."""
    commit(folder, FILE, sealed(plain(verdicts)))


def stored_verdicts(folder: Path, run: str) -> Mapping[str, StoredVerdict]:
    """Read what was stored for this plan, by pairing; empty where the run was not played in rounds."""
    try:
        body = unsealed(folder / FILE)
    except DamagedError:
        return {}
    if body.get("run") != run:  # decisions of an earlier run in this folder
        return {}
    return typed(Verdicts, body, str(folder / FILE), DamagedError).pairings
