"""Who makes the shards. An executor takes a workload and task names and yields outcomes as they come, in any order.

A shard's bytes depend on the plan alone, workers get bytes and return bytes, and the process that reads the outcomes
verifies and commits them: executors need no agreement and no shared folder.
"""

from whichword.registry import Registry
from whichword.workers.processes import processes
from whichword.workers.ray_tasks import ray_tasks
from whichword.workers.serial import serial
from whichword.workers.sessions import Executor, Session, StayingExecutor, session_of

EXECUTORS: Registry[Executor] = Registry("executor", "whichword.executors")
EXECUTORS.register("serial", serial)
EXECUTORS.register("processes", processes)
EXECUTORS.register("ray", ray_tasks)

__all__ = [
    "EXECUTORS",
    "Executor",
    "Session",
    "StayingExecutor",
    "processes",
    "ray_tasks",
    "serial",
    "session_of",
]
