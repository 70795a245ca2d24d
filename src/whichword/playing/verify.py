"""`verify` and `digest`: is every byte of a run what it should be, and what does the run say?

``whichword merge``: parts of a run that were made apart, united by their receipts. Needs no model and no torch.
"""

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from whichword.base.files import locked
from whichword.errors import InputError
from whichword.playing.make import finish, own_folder
from whichword.playing.progress import Silent, Watch
from whichword.runs.items import ItemFile
from whichword.runs.plan import ItemSet, changes
from whichword.runs.run import Run, arithmetics, items_trouble, mixture
from whichword.runs.sealed import PARTS, canonical, commit_by, sweep
from whichword.runs.shards import Made, kinds
from whichword.runs.store import RUN, Store
from whichword.scoring.checks import judgement_troubles


@dataclass(frozen=True)
class Findings:
    """What `verify` saw: ``missing`` is not made yet, ``damaged`` files are not what they were."""

    shards: int
    missing: tuple[str, ...]
    damaged: tuple[str, ...]
    missing_shards: int
    damaged_shards: int
    unplanned: tuple[str, ...]  # files that the plan does not speak of
    arithmetics: Mapping[str, int]  # who computed how many of the sound shards

    @property
    def sound(self) -> bool:
        """Complete and undamaged; unplanned files are named but do no harm."""
        return not self.missing and not self.damaged

    @property
    def mixture(self) -> str:
        """In words, where more than one arithmetic had a part in it."""
        return mixture(self.arithmetics)


def verify(folder: Path) -> Findings:
    """Read every byte that the plan speaks of, and name what it does not."""
    store = Store.open(folder)
    items = [trouble for item_set in store.plan.sets if (trouble := _items_trouble(store, item_set))]
    troubles = {shard: trouble for shard in store.plan.shards if (trouble := store.trouble(shard))}
    damaged = [trouble for shard, trouble in troubles.items() if store.begun(shard)]
    missing = [trouble for shard, trouble in troubles.items() if not store.begun(shard)]
    absent, unsound = judgement_troubles(store)
    return Findings(
        shards=len(store.plan.shards),
        missing=(*missing, *(() if troubles else absent)),  # it comes after the last shard
        damaged=(*items, *damaged, *unsound),
        missing_shards=len(missing),
        damaged_shards=len(damaged),
        unplanned=tuple(_unplanned(store)),
        arithmetics=arithmetics(store, (shard for shard in store.plan.shards if shard not in troubles)),
    )


def _items_trouble(store: Store, item_set: ItemSet) -> str | None:
    """Also where whoever reads a few of its rows would see it."""
    if trouble := items_trouble(store, item_set.id):
        return trouble
    trouble = ItemFile(store.folder / item_set.file).columns_trouble()
    return None if trouble is None else f"{item_set.file}: {trouble}"


def _unplanned(store: Store) -> list[str]:
    planned = store.planned()
    files = (path for path in sorted(store.folder.rglob("*")) if not path.is_dir())
    names = (path.relative_to(store.folder).as_posix() for path in files)
    return [name for name in names if name not in planned and not name.startswith((f"{PARTS}/", "rounds/"))]


def digest(run: Run) -> str:
    """A hash of items, predictions and relevances in the order of the plan, whatever was killed or resumed."""
    total = hashlib.sha256()
    for item_set in run.plan.sets:
        total.update(canonical([item_set.corpus, item_set.game, item_set.sha256]))
    for pairing in run.plan.pairings:
        total.update(canonical([pairing.model, pairing.set, pairing.labels, list(pairing.undefined)]))
        for shard in pairing.shards:
            for kind in kinds(pairing):
                _add(total, run.table(shard, kind))
    return total.hexdigest()


def _add(total: Any, table: Any) -> None:
    """Texts as JSON, lists of numbers as their lengths and their bits: independent of how Parquet packed them."""
    for name in table.column_names:
        column = table.column(name).combine_chunks()
        if hasattr(column, "offsets"):
            total.update(np.diff(column.offsets.to_numpy()).astype("<i8").tobytes())
            total.update(_bits(column.flatten().to_numpy(zero_copy_only=False)))
        else:
            total.update(json.dumps(column.to_pylist()).encode())


def _bits(values: Any) -> bytes:
    bits: bytes = values.astype("<f8").tobytes()
    return bits


NAMED = 10  # shards that an error names


@dataclass(frozen=True)
class Merged:
    """The complete run; so many of its shards were ``taken`` from parts, the others were there."""

    run: Run
    taken: int


def merge(parts: Sequence[Path], folder: Path, watch: Watch | None = None) -> Merged:
    """Unite the parts in ``folder``; what is missing, damaged or of another run is named.

    What is sound is kept in the folder: once the missing parts are made, merge again, or evaluate the spec with this
    folder.
    """
    stores = [Store.open(part) for part in parts]
    if not stores:
        raise InputError("no part was named")
    _refuse_strangers(stores)
    with locked(own_folder(folder)):
        sweep(folder)
        store = _settled(folder, stores)
        troubles = {shard: trouble for shard in store.plan.shards if (trouble := store.trouble(shard))}
        lacking = {shard: _why_not(shard, stores) for shard in troubles if not _take(shard, stores, store)}
        if lacking:
            raise InputError(_complaint(folder, lacking, len(store.plan.shards)))
        return Merged(finish(folder, watch or Silent()), len(troubles))


def _refuse_strangers(stores: Sequence[Store]) -> None:
    """`InputError` unless all have one plan."""
    first = stores[0]
    for store in stores[1:]:
        if store.plan != first.plan:
            changed = changes(first.plan.identity, store.plan.identity) or ["its shards"]
            raise InputError(f"{store.folder} is no part of the run of {first.folder}: {'; '.join(changed)}")


def _settled(folder: Path, stores: Sequence[Store]) -> Store:
    """The run in the folder: items first, the plan last."""
    store = Store(folder, stores[0].plan)
    if (folder / RUN).exists():
        _refuse_strangers([Store.open(folder), *stores])
    for item_set in store.plan.sets:
        if items_trouble(store, item_set.id):
            _copy(item_set.file, _sound(item_set.id, stores).folder, folder)
    store.save_plan()
    return store


def _sound(set_id: str, stores: Sequence[Store]) -> Store:
    troubles = {store.folder: items_trouble(store, set_id) for store in stores}
    for store in stores:
        if troubles[store.folder] is None:
            return store
    raise InputError("; ".join(f"{place}: {trouble}" for place, trouble in troubles.items()))


def _copy(name: str, source: Path, folder: Path) -> None:
    def write(file: BinaryIO) -> None:
        with (source / name).open("rb") as original:
            shutil.copyfileobj(original, file)

    commit_by(folder, name, write)


def _take(shard: str, stores: Sequence[Store], into: Store) -> bool:
    """Whether a part has the shard, whole; then it is committed."""
    for store in stores:
        if store.trouble(shard) is None:
            files = kinds(store.plan.shards[shard][0])
            into.save(Made(store.receipt(shard), {kind: store.verified(shard, kind) for kind in files}))
            return True
    return False


def _why_not(shard: str, stores: Sequence[Store]) -> str:
    """What is wrong with it wherever it was begun; "" where it was begun nowhere."""
    return "; ".join(_damages(shard, stores))


def _damages(shard: str, stores: Sequence[Store]) -> Iterator[str]:
    for store in stores:
        if store.begun(shard):
            yield f"{store.folder}: {store.trouble(shard)}"


def _complaint(folder: Path, lacking: dict[str, str], total: int) -> str:
    names = [f"{shard} ({damage})" if damage else shard for shard, damage in lacking.items()]
    listed = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
    advice = f"what is there is kept in {folder}: make the missing parts and merge again"
    return f"{len(lacking)} of {total} shards are in no part: {listed}; {advice}"
