"""A run's folder: planned first, committed shard by shard, resumed after a kill (docs/runs.md).

    takes      a plan; shards as they are made
    gives      Run: the plan, items, predictions and relevances, verified against their receipts
    begin at   records.py (the format, field by field), shards.py (how it is stored), run.py (how it is read)

Reading a run needs neither torch nor a model. The names below are loaded when they are first used: rooms that only want
a module of this one need not read records.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whichword.runs.records import (
        AboutModel,
        Asked,
        ItemSet,
        Judgement,
        NoiseCurve,
        Pairing,
        PlannedModel,
        Receipt,
        RunPlan,
        Shortfall,
        StoredFile,
        StoredVerdict,
        Verdicts,
    )
    from whichword.runs.run import Run, open_run
else:

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module 'whichword.runs' has no attribute {name!r}")
        return getattr(import_module(f"whichword.runs.{'run' if name in ('Run', 'open_run') else 'records'}"), name)


__all__ = [
    "AboutModel",
    "Asked",
    "ItemSet",
    "Judgement",
    "NoiseCurve",
    "Pairing",
    "PlannedModel",
    "Receipt",
    "Run",
    "RunPlan",
    "Shortfall",
    "StoredFile",
    "StoredVerdict",
    "Verdicts",
    "open_run",
]
