"""Judges whose workers die, and a game that no other process has: names that a worker process finds."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from whichword.scoring.jobs import JudgingJob, open_judge
from whichword.scoring.shard import ShardBytes
from whichword.workers.executors import processes
from whichword.workers.tasks import Outcome, Site, Workload

Deadly = tuple[Path, int, JudgingJob]  # where tries are noted, how many of them are fatal, and the job itself


def open_deadly(deadly: Deadly) -> Callable[[str, ShardBytes], Any]:
    """The second shard kills its worker on the first few tries."""
    folder, fatal, job = deadly
    judge = open_judge(job)

    def do(shard: str, sent: ShardBytes) -> Any:
        if shard == "p00/00001":
            tries = len(list(folder.iterdir()))
            (folder / str(tries)).touch()
            if tries < fatal:
                os.kill(os.getpid(), signal.SIGKILL)
        return judge(shard, sent)

    return do


def deadly_processes(folder: Path, fatal: int) -> Callable[..., Iterator[Outcome]]:
    def execute(load: Workload[Any, Any], tasks: Sequence[str], site: Site) -> Iterator[Outcome]:
        yield from processes(replace(load, opener=open_deadly, job=(folder, fatal, load.job)), tasks, site)

    return execute
