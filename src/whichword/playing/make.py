"""Make a run, or resume one: lock, plan, verify, compute what is missing, judge.

Rows of items go out to workers as bytes, and computed shards come back as bytes; what comes back is verified and
committed in a few threads, while the next shards are computed.
"""

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from whichword.base.files import locked
from whichword.errors import InputError
from whichword.planning.costs import foretold
from whichword.planning.prepare import Prepared, prepare
from whichword.planning.spec import Spec
from whichword.playing.merge import finish, own_folder
from whichword.playing.progress import Evaluated, Silent, Watch
from whichword.runs import identity
from whichword.runs.items import ItemFile, packed, write_items
from whichword.runs.records import ItemSet, Receipt, RunPlan
from whichword.runs.run import Run, items_trouble
from whichword.runs.sealed import commit_by, commit_part, sweep
from whichword.runs.shards import Made
from whichword.runs.store import RUN, Store
from whichword.workers.executors import Executor, StandingWorkers
from whichword.workers.shard import Assignment
from whichword.workers.tasks import Done, Failed, Hands, Notice, Outcome, RunPart, Site, Workload, completed


def open_bench(job: Assignment) -> Callable[[str, bytes], Made]:
    """Return the function that computes shards in this process."""
    from whichword.workers.shard import Bench  # loads torch, which the process that only hands out does not need

    return Bench(job).compute


class ShardItems:
    """Read the items of a run's shards from the sets' files, a few rows at a time."""

    def __init__(self, folder: Path, plan: RunPlan) -> None:
        self.plan = plan
        self._file = cache(lambda set_id: ItemFile(folder / plan.set(set_id).file))

    def rows(self, shard: str) -> bytes:
        """Encode all columns of a shard's items for the wire."""
        return packed(self._table(shard))

    def keys(self, shard: str) -> list[str]:
        keys: list[str] = self._table(shard, ["key"]).column("key").to_pylist()
        return keys

    def _table(self, shard: str, columns: list[str] | None = None) -> Any:
        pairing, part = self.plan.shards[shard]
        return self._file(pairing.set).table(part.items[0], part.items[-1] + 1, columns)


def workload(job: Assignment, items: ShardItems) -> Workload[Assignment, Made]:
    """Build what executors are given."""
    return Workload(open_bench, job, lambda shard: (items.rows(shard),), job.packed)


THREADS = 4  # a commit waits for the disk most of the time

Committed = Receipt | Failed | Notice


def committed(outcomes: Iterable[Outcome], store: Store, items: ShardItems, pending: int) -> Iterator[Committed]:
    """Yield receipts of what is on disk, and other outcomes; at most ``pending`` shards wait for the disk."""
    waiting: set[Future[Receipt | Failed]] = set()  # bounded, or a slow disk would fill memory with shards
    with ThreadPoolExecutor(THREADS) as pool:
        for outcome in outcomes:
            if isinstance(outcome, Done):
                waiting.add(pool.submit(_commit, store, outcome.result, items.keys(outcome.task)))
            else:
                yield outcome
            yield from _finished(waiting, pending)
        yield from _finished(waiting, 0)


def _finished(waiting: set[Future[Receipt | Failed]], pending: int) -> Iterator[Receipt | Failed]:
    """Yield what is on disk; wait until no more than ``pending`` shards are not."""
    while waiting:
        done, _ = wait(waiting, None if len(waiting) > pending else 0, FIRST_COMPLETED)
        if not done:  # nothing more is ready, and few enough wait
            return
        waiting -= done
        yield from (future.result() for future in done)


def _commit(store: Store, computed: Made, keys: Sequence[str]) -> Receipt | Failed:
    trouble = store.sent_trouble(computed, keys)
    if trouble:
        return Failed(computed.receipt.shard, f"what a worker sent is not the planned shard: {trouble}")
    return store.save(computed)


PENDING = 2  # shards per worker beyond the first that may wait for the disk


def evaluate(
    spec: Spec,
    folder: Path,
    workers: int = 1,
    watch: Watch | None = None,
    executor: str | None = None,
    mixed: bool = False,
    prepared: Prepared | None = None,
    address: str | None = None,
    part: RunPart | None = None,
) -> Evaluated:
    """Play the spec's games; the same call again resumes what a kill left, and does nothing if the run is complete.

    ``mixed``: also on a machine that rounds otherwise than the one it was begun on; receipts say who computed what.
    ``prepared``: the spec, where it was prepared already.
    ``part``: only these shards, into a folder of their own; `playing.merge` unites the parts. ``address``: where the
    ``executor`` finds its cluster.
    """
    watch, hands = watch or Silent(), Hands(workers, executor, address)  # refuses a wrong executor before the lock
    with locked(own_folder(folder)), StandingWorkers() as standing:
        sweep(folder)
        store, prepared = _planned(spec, folder, prepared, mixed)
        names = list(store.plan.shards) if part is None else part.of(list(store.plan.shards))
        troubles = {shard: trouble for shard in names if (trouble := store.unfinished(shard))}  # verifies every byte
        watch.planned(store.plan, list(troubles), [troubles[shard] for shard in troubles if store.begun(shard)])
        if troubles:
            _foretell(prepared, store, troubles, hands, watch)
            prepared = replace(prepared, models={})  # workers load their own, and memory need not hold both
            execute = standing.executor(hands.executor_for(len(troubles)))
            job = Assignment(store.plan, prepared.spellings, mixed)
            with closing(compute(execute, store, job, list(troubles), hands.site, watch)) as receipts:
                for receipt in receipts:
                    watch.made(receipt)
        run = finish(folder, watch) if part is None else Run(store)
    return Evaluated(run, len(troubles), len(names) - len(troubles), part)


def _planned(spec: Spec, folder: Path, prepared: Prepared | None, mixed: bool) -> tuple[Store, Prepared]:
    begun = begun_run(folder)
    try:
        prepared = prepared or prepare(spec, begun, None if begun else folder)
        return settle(folder, begun, prepared, mixed), prepared
    finally:
        sweep(folder)  # the files of sets of a spec that was refused


def _foretell(prepared: Prepared, store: Store, todo: Collection[str], hands: Hands, watch: Watch) -> None:
    forecast = foretold(prepared, store, todo)
    if forecast and (line := forecast.line(hands)):
        watch.notice(line)


def compute(
    execute: Executor, store: Store, job: Assignment, shards: Sequence[str], site: Site, watch: Watch
) -> Generator[Receipt, None, None]:
    """Compute and commit shards; those that are given up are named when the others are done."""
    items = ShardItems(store.folder, store.plan)
    with closing(execute(workload(job, items), shards, site)) as outcomes:  # type: ignore[type-var]
        yield from completed(committed(outcomes, store, items, PENDING * (site.workers - 1)), watch.notice, "shards")


def begun_run(folder: Path) -> Store | None:
    """Open the run in the folder, if one was begun there."""
    return Store.open(folder) if (folder / RUN).exists() else None


def settle(folder: Path, begun: Store | None, prepared: Prepared, mixed: bool) -> Store:
    """Keep the stored plan, if it is of the same things, else store this one: items first, the plan last."""
    if begun is not None:
        _refuse_changes(begun, prepared, mixed)
    store = begun or Store(folder, prepared.plan)
    for item_set in store.plan.sets:
        if items_trouble(store, item_set.id):  # missing, or damaged since: made again from the corpus
            _commit_items(folder, item_set, prepared)
    if begun is None:
        store.save_plan()
    return store


def _commit_items(folder: Path, item_set: ItemSet, prepared: Prepared) -> None:
    """Move a set's file into place if it was written while the set was measured, or write it now."""
    if spooled := prepared.spooled.get(item_set.id):
        commit_part(spooled, folder / item_set.file)
    else:
        commit_by(folder, item_set.file, partial(write_items, prepared.rows(item_set.id)))


def _refuse_changes(store: Store, prepared: Prepared, mixed: bool) -> None:
    """Raise `InputError` unless the stored run is one of the same things."""
    planned, now = store.plan.identity, prepared.plan.identity
    if changed := identity.differences(planned, now, mixed):
        only_arithmetic = not identity.differences(planned, now, mixed=True)  # --mixed would help
        advice = "give another --out, or " + (
            "--mixed to resume all the same" if only_arithmetic else "undo the change"
        )
        raise InputError(f"{store.folder} is another run; what changed: {'; '.join(changed)}; {advice}")
