"""Verify every byte of a run (`verify`), and hash what the run says (`digest`)."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from whichword.runs.items import ItemFile
from whichword.runs.records import ItemSet
from whichword.runs.run import Run, arithmetics, items_trouble, mixture
from whichword.runs.sealed import PARTS, canonical
from whichword.runs.shards import kinds
from whichword.runs.store import Store
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
    arithmetics: Mapping[str, int]  # sound shards by the arithmetic that computed them

    @property
    def sound(self) -> bool:
        """Complete and undamaged; unplanned files are named but do no harm."""
        return not self.missing and not self.damaged

    @property
    def mixture(self) -> str:
        """The arithmetics in words, where more than one had a part in the run."""
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
    """Say what is wrong with a set's file, in all of its rows."""
    if trouble := items_trouble(store, item_set.id):
        return trouble
    trouble = ItemFile(store.folder / item_set.file).columns_trouble()
    return None if trouble is None else f"{item_set.file}: {trouble}"


def _unplanned(store: Store) -> list[str]:
    planned = store.planned()
    files = (path for path in sorted(store.folder.rglob("*")) if not path.is_dir())
    names = (path.relative_to(store.folder).as_posix() for path in files)  # as plans spell them, on any system
    return [name for name in names if name not in planned and not name.startswith((f"{PARTS}/", "rounds/"))]  # ours too


def digest(run: Run) -> str:
    """Hash items, predictions and relevances in the order of the plan, whatever was killed or resumed."""
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
    """Hash texts as JSON, lists of numbers as lengths and bits: independent of how Parquet packed them."""
    for name in table.column_names:
        column = table.column(name).combine_chunks()
        if hasattr(column, "offsets"):
            total.update(np.diff(column.offsets.to_numpy()).astype("<i8").tobytes())  # as on a little-endian machine
            total.update(_bits(column.flatten().to_numpy(zero_copy_only=False)))
        else:
            total.update(json.dumps(column.to_pylist()).encode())


def _bits(values: Any) -> bytes:
    bits: bytes = values.astype("<f8").tobytes()  # double precision holds float32 exactly
    return bits
