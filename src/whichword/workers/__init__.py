"""Compute shards: in this process, in others on this machine, or on a Ray cluster.

takes      an Assignment (plan and models) and names of shards
gives      each shard in bytes, or why there is none
begin at   tasks.py (what an executor is), shard.py (how a shard is computed), processes.py (workers that may be killed)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whichword.workers.executors import EXECUTORS, serial
    from whichword.workers.tasks import Outcome, Site, Workload
else:

    def __getattr__(name: str) -> Any:
        """Load what an executor of one's own needs when it is first asked for: half of the commands need none."""
        for module in ("tasks", "executors") if name in __all__ else ():
            if hasattr(loaded := import_module(f"whichword.workers.{module}"), name):
                return getattr(loaded, name)
        raise AttributeError(f"module 'whichword.workers' has no attribute {name!r}")


__all__ = ["EXECUTORS", "Outcome", "Site", "Workload", "serial"]
