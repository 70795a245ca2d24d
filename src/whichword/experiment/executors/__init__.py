"""Who makes the shards. An executor takes a workload and task names and yields outcomes as they come, in any order.

A shard's bytes depend on the plan alone, workers get bytes and return bytes, and the process that reads the outcomes
verifies and commits them: executors need no agreement and no shared folder.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from whichword.experiment.executors.processes import processes
from whichword.experiment.executors.ray_tasks import ray_tasks
from whichword.experiment.executors.serial import serial
from whichword.experiment.workload import Outcome, Site, Workload
from whichword.registry import Registry

Executor = Callable[[Workload[Any, Any], Sequence[str], Site], Iterator[Outcome]]

EXECUTORS: Registry[Executor] = Registry("executor", "whichword.executors")
EXECUTORS.register("serial", serial)
EXECUTORS.register("processes", processes)
EXECUTORS.register("ray", ray_tasks)

__all__ = ["EXECUTORS", "Executor", "processes", "ray_tasks", "serial"]
