"""What workers send is verified and committed in a few threads, while the next shards are computed."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from whichword.playing.shard_work import ShardItems
from whichword.runs.receipts import Made, Receipt
from whichword.runs.store import Store
from whichword.workers.workload import Done, Failed, Notice, Outcome

THREADS = 4  # a commit waits for the disk most of the time

Committed = Receipt | Failed | Notice


def committed(outcomes: Iterable[Outcome], store: Store, items: ShardItems, pending: int) -> Iterator[Committed]:
    """Receipts of what is on disk, and outcomes that are no shard; at most ``pending`` shards wait for the disk."""
    waiting: set[Future[Receipt | Failed]] = set()
    with ThreadPoolExecutor(THREADS) as pool:
        for outcome in outcomes:
            if isinstance(outcome, Done):
                waiting.add(pool.submit(_commit, store, outcome.result, items.keys(outcome.task)))
            else:
                yield outcome
            yield from _finished(waiting, pending)
        yield from _finished(waiting, 0)


def _finished(waiting: set[Future[Receipt | Failed]], pending: int) -> Iterator[Receipt | Failed]:
    """Those that are on disk; waits until no more than ``pending`` are not."""
    while waiting:
        done, _ = wait(waiting, None if len(waiting) > pending else 0, FIRST_COMPLETED)
        if not done:
            return
        waiting -= done
        yield from (future.result() for future in done)


def _commit(store: Store, computed: Made, keys: Sequence[str]) -> Receipt | Failed:
    trouble = store.sent_trouble(computed, keys)
    if trouble:
        return Failed(computed.receipt.shard, f"what a worker sent is not the planned shard: {trouble}")
    return store.save(computed)
