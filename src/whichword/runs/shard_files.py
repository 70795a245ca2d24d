"""The files of a shard: which there are, and the table that bytes are. Nothing here reads a disk."""

from collections.abc import Sequence
from typing import Any

from whichword.runs import formats
from whichword.runs.plan import Pairing, RunPlan
from whichword.runs.receipts import MEASURED, planned_rows
from whichword.runs.sealed import DamagedError
from whichword.runs.table_checks import forms_trouble, prediction_troubles

KINDS = ("predictions", "relevances")


def kinds(pairing: Pairing) -> tuple[str, ...]:
    """The files of a shard."""
    return (*KINDS, MEASURED) if pairing.measured else KINDS


def file_name(shard: str, kind: str) -> str:
    return f"shards/{shard}.{kind}.parquet"


def row_keys(pairing: Pairing, kind: str, keys: Sequence[str]) -> list[str]:
    """The keys of a file's rows, where those of its items are these."""
    times = {"relevances": len(pairing.methods), MEASURED: len(pairing.labels + pairing.measured)}.get(kind, 1)
    return [key for key in keys for _ in range(times)]


def stored_table(plan: RunPlan, shard: str, kind: str, data: bytes) -> Any:
    """The table of a file with the planned number of rows, and columns that can be read; else `DamagedError`."""
    name, pairing = file_name(shard, kind), plan.shards[shard][0]
    read = formats.table(data, name)
    if read.num_rows != planned_rows(*plan.shards[shard])[kind]:
        raise DamagedError(f"{name}: not the promised number of rows")
    if trouble := _table_trouble(read, kind, plan, pairing):
        raise DamagedError(f"{name}: no table of {kind}: {trouble}")
    return read


def _table_trouble(table: Any, kind: str, plan: RunPlan, pairing: Pairing) -> str | None:
    trouble = forms_trouble(table, formats.shard_forms(kind, plan.set(pairing.set).parts))
    if trouble or kind != "predictions":
        return trouble
    return next(prediction_troubles(table, plan.model(pairing.model).classes), None)
