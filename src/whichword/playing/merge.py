"""Claim a folder, merge parts of a run, finish a run: the steps that need no model and no torch."""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from whichword.base.files import locked
from whichword.errors import FileError, InputError, SettingError
from whichword.playing.progress import Silent, Watch
from whichword.runs.records import changes
from whichword.runs.run import Run, items_trouble, open_run
from whichword.runs.sealed import commit_by, sweep
from whichword.runs.shards import Made, kinds
from whichword.runs.store import RUN, Store
from whichword.scoring.run import store_judgement

OURS = {RUN, "lock", "items", "shards", "judged", "parts", "rounds"}  # what a kill before the plan may leave


def own_folder(folder: Path) -> Path:
    """Return the folder, unless it holds something else."""
    if folder.exists() and not folder.is_dir():
        raise FileError(f"{folder} is a file: a run needs a folder of its own")
    if folder.is_dir() and not (folder / RUN).exists():
        unrelated = sorted(entry.name for entry in folder.iterdir() if entry.name not in OURS)
        if unrelated:
            raise FileError(f"{folder} holds other files ({unrelated[0]}): a run needs a folder of its own")
    return folder


def finish(folder: Path, watch: Watch) -> Run:
    """Judge the pairings of a complete run."""
    run = open_run(folder)
    for pairing in run.plan.pairings:
        watch.judging(run.plan.title(pairing))
        store_judgement(run, pairing.id)
    sweep(folder)
    return run


NAMED = 10  # shards that an error names


@dataclass(frozen=True)
class Merged:
    """A merged run; so many of its shards were ``taken`` from parts, the others were there."""

    run: Run
    taken: int


def merge(parts: Sequence[Path], folder: Path, watch: Watch | None = None) -> Merged:
    """Unite the parts in ``folder``; what is missing, damaged or of another run is named.

    What is sound is kept in the folder: once the missing parts are made, merge again, or evaluate the spec with this
    folder.
    """
    stores = [Store.open(part) for part in parts]
    if not stores:
        raise SettingError("no part was named")
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
    """Raise `InputError` unless all have one plan."""
    first = stores[0]
    for store in stores[1:]:
        if store.plan != first.plan:
            changed = changes(first.plan.identity, store.plan.identity) or ["its shards"]  # one identity, other cuts
            raise InputError(f"{store.folder} is no part of the run of {first.folder}: {'; '.join(changed)}")


def _settled(folder: Path, stores: Sequence[Store]) -> Store:
    """Begin or resume the run in the folder: items first, the plan last, so that a plan never lacks its items."""
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
            shutil.copyfileobj(original, file)  # piece by piece: items may be larger than memory

    commit_by(folder, name, write)


def _take(shard: str, stores: Sequence[Store], into: Store) -> bool:
    """Commit the shard from the first part that has it whole; tell whether one has."""
    for store in stores:
        if store.trouble(shard) is None:
            files = kinds(store.plan.shards[shard][0])
            into.save(Made(store.receipt(shard), {kind: store.verified(shard, kind) for kind in files}))
            return True
    return False


def _why_not(shard: str, stores: Sequence[Store]) -> str:
    """Say what is wrong with a shard in the parts where it was begun; "" where it was begun in none."""
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
