"""Make a run, or resume one: lock, plan, verify, compute what is missing, judge."""

from collections.abc import Callable
from pathlib import Path

from whichword.errors import InputError
from whichword.experiment import formats, identity
from whichword.experiment.assignment import Assignment
from whichword.experiment.executors import EXECUTORS
from whichword.experiment.judging import store_judgement
from whichword.experiment.lock import locked
from whichword.experiment.plan import FORMAT
from whichword.experiment.preparing import Prepared, prepare
from whichword.experiment.progress import Evaluated, Silent, Watch
from whichword.experiment.reading import Run, items_trouble, open_run
from whichword.experiment.seal import commit, sweep
from whichword.experiment.spec import Spec
from whichword.experiment.store import RUN, Store

OURS = {RUN, "lock", "items", "shards", "judged", "parts", "rounds"}


def evaluate(
    spec: Spec,
    folder: Path,
    workers: int = 1,
    watch: Watch | None = None,
    executor: str | None = None,
    mixed: bool = False,
) -> Evaluated:
    """Play the spec's games; the same call again resumes what a kill left, and does nothing if all is there.

    ``mixed``: also on a machine that rounds otherwise than the one it was begun on; receipts say who computed what.
    """
    return carry_out(lambda: prepare(spec), folder, workers, watch, executor, mixed)


def carry_out(
    preparing: Callable[[], Prepared],
    folder: Path,
    workers: int = 1,
    watch: Watch | None = None,
    executor: str | None = None,
    mixed: bool = False,
) -> Evaluated:
    """As `evaluate`, with a plan that may come from elsewhere; it is made under the folder's lock."""
    watch = watch or Silent()
    with locked(own_folder(folder)):
        sweep(folder)
        begun = begun_run(folder)
        prepared = preparing()
        store = settle(folder, begun, prepared, mixed)
        troubles = {shard: trouble for shard in store.plan.shards if (trouble := store.unfinished(shard))}
        damaged = [trouble for shard, trouble in troubles.items() if store.begun(shard)]
        watch.planned(store.plan, list(troubles), damaged)
        if troubles:
            execute = EXECUTORS[executor or ("serial" if min(workers, len(troubles)) <= 1 else "processes")]
            for receipt in execute(Assignment(folder, prepared.spellings, mixed), list(troubles), workers):
                watch.made(receipt)
        run = _judged(folder, watch)
    return Evaluated(run, len(troubles), len(store.plan.shards) - len(troubles))


def _judged(folder: Path, watch: Watch) -> Run:
    """The complete run, with its hits."""
    run = open_run(folder)
    for pairing in run.plan.pairings:
        watch.judging(run.plan.title(pairing))
        store_judgement(run, pairing.id)
    sweep(folder)
    return run


def own_folder(folder: Path) -> Path:
    """The folder, unless it holds something else."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file: a run needs a folder of its own")
    if folder.is_dir() and not (folder / RUN).exists():
        unrelated = sorted(entry.name for entry in folder.iterdir() if entry.name not in OURS)
        if unrelated:
            raise InputError(f"{folder} holds other files ({unrelated[0]}): a run needs a folder of its own")
    return folder


def begun_run(folder: Path) -> Store | None:
    """The run that is in the folder, if one was begun there."""
    store = Store.open(folder) if (folder / RUN).exists() else None
    if store is not None and store.plan.format != FORMAT:
        raise InputError(f"{folder} is a {store.plan.format!r}: it can be read, not resumed; give another --out")
    return store


def settle(folder: Path, begun: Store | None, prepared: Prepared, mixed: bool) -> Store:
    """The stored plan, if it is of the same things; else this one is stored. Items first, the plan last."""
    if begun is not None:
        _refuse_changes(begun, prepared, mixed)
    store = begun or Store(folder, prepared.plan)
    for item_set in store.plan.sets:
        if items_trouble(store, item_set.id):
            commit(folder, item_set.file, formats.items_bytes(prepared.items[item_set.id]))
    if begun is None:
        store.save_plan()
    return store


def _refuse_changes(store: Store, prepared: Prepared, mixed: bool) -> None:
    """`InputError` unless the stored run is one of the same things."""
    planned, now = store.plan.identity, prepared.plan.identity
    if changed := identity.differences(planned, now, mixed):
        only_arithmetic = not identity.differences(planned, now, mixed=True)
        advice = "give another --out, or " + (
            "--mixed to resume all the same" if only_arithmetic else "undo the change"
        )
        raise InputError(f"{store.folder} is another run; what changed: {'; '.join(changed)}; {advice}")
