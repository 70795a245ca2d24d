"""Who makes the shards. An executor takes a job and shard names and yields receipts as they come, in any order.

A shard's bytes depend on the plan alone and its commit is atomic, so executors need no agreement: one that runs on
other machines (Ray, say) is one more entry in `EXECUTORS`, over a folder that they share.
"""

from collections.abc import Callable, Iterator, Sequence

from whichword.experiment.assignment import Assignment
from whichword.experiment.executors.processes import processes
from whichword.experiment.executors.serial import serial
from whichword.experiment.store import Receipt
from whichword.registry import Registry

Executor = Callable[[Assignment, Sequence[str], int], Iterator[Receipt]]

EXECUTORS: Registry[Executor] = Registry("executor", "whichword.executors")
EXECUTORS.register("serial", serial)
EXECUTORS.register("processes", processes)

__all__ = ["EXECUTORS", "Executor", "processes", "serial"]
