"""Make a run, or go on with one: lock, plan, verify, compute what is missing, judge."""

import os
from dataclasses import dataclass
from pathlib import Path

from whichword.errors import InputError
from whichword.experiment import formats
from whichword.experiment.bench import Assignment
from whichword.experiment.executors import EXECUTORS
from whichword.experiment.judging import store_judgement
from whichword.experiment.lock import locked
from whichword.experiment.plan import changes
from whichword.experiment.preparing import Prepared, prepare
from whichword.experiment.progress import Silent, Watch
from whichword.experiment.reading import Run, items_trouble, open_run
from whichword.experiment.seal import commit, sweep
from whichword.experiment.spec import Spec
from whichword.experiment.store import RUN, Store

OURS = {RUN, "lock", "items", "shards", "judged", "parts"}


@dataclass(frozen=True)
class Evaluated:
    """A finished run; ``made`` shards were computed by this call, ``kept`` were there and sound."""

    run: Run
    made: int
    kept: int


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def evaluate(
    spec: Spec, folder: Path, workers: int = 1, watch: Watch | None = None, executor: str | None = None
) -> Evaluated:
    """Play the spec's games; the same call again goes on where a kill left it, and does nothing if all is there."""
    watch = watch or Silent()
    with locked(_ours(folder)):
        sweep(folder)
        prepared = prepare(spec)
        store = _settle(folder, prepared)
        troubles = {shard: trouble for shard in store.plan.shards if (trouble := store.trouble(shard))}
        damaged = [trouble for shard, trouble in troubles.items() if store.begun(shard)]
        watch.planned(store.plan, list(troubles), damaged)
        if troubles:
            execute = EXECUTORS[executor or ("serial" if min(workers, len(troubles)) <= 1 else "processes")]
            for receipt in execute(Assignment(folder, prepared.paths), list(troubles), workers):
                watch.made(receipt)
        run = open_run(folder)
        for pairing in store.plan.pairings:
            watch.judging(store.plan.title(pairing))
            store_judgement(run, pairing.id)
        sweep(folder)
    return Evaluated(run, len(troubles), len(store.plan.shards) - len(troubles))


def _ours(folder: Path) -> Path:
    """The folder, unless it holds something else."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file: a run needs a folder of its own")
    if folder.is_dir() and not (folder / RUN).exists():
        strange = sorted(entry.name for entry in folder.iterdir() if entry.name not in OURS)
        if strange:
            raise InputError(f"{folder} holds other files ({strange[0]}): a run needs a folder of its own")
    return folder


def _settle(folder: Path, prepared: Prepared) -> Store:
    """The stored plan, if it is of the same things; else this one is stored. Items first, the plan last."""
    store = Store(folder, prepared.plan)
    begun = (folder / RUN).exists()
    if begun:
        store = Store.open(folder)
        if changed := changes(store.plan.identity, prepared.plan.identity):
            advice = "give another --out, or undo the change"
            raise InputError(f"{folder} is another run; what changed: {'; '.join(changed)}; {advice}")
    for one in store.plan.sets:
        if items_trouble(store, one.id):
            commit(folder, one.file, formats.items_bytes(prepared.items[one.id]))
    if not begun:
        store.save_plan()
    return store
