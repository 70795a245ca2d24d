"""A new executor: threads, the last shard first. Run me: python examples/add_an_executor.py"""

import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from whichword import Play, Spec, digest, evaluate
from whichword.networks import Config, Network
from whichword.text import Vocabulary
from whichword.workers import EXECUTORS, Outcome, Site, Workload, serial


@EXECUTORS.register("backwards")
def backwards(load: Workload, tasks: Sequence[str], site: Site) -> Iterator[Outcome]:
    """Each shard in a thread, by the serial executor: its bytes depend on the plan alone, in any order."""
    with ThreadPoolExecutor(site.workers) as pool:
        yield from pool.map(lambda task: next(serial(load, [task], site)), reversed(tasks))


with tempfile.TemporaryDirectory() as place:
    Network(Config("cnn", ("singular", "plural"), 8, 8), Vocabulary(("cat", "cats"))).save(model := f"{place}/cnn")
    spec = Spec({"cnn": model}, (Play(("cnn",), ("grammar",), (), ("lrp",), 60),), shard_words=1000)
    runs = [evaluate(spec, Path(place, name), 2, executor=name) for name in ("backwards", "serial")]
    print(f"{runs[0].computed} shards, the same bytes: {digest(runs[0].run) == digest(runs[1].run)}")
