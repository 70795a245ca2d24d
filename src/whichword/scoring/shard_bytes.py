"""A stored shard on its way to whoever judges it."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whichword.errors import InputError
from whichword.runs.items import unpacked
from whichword.runs.plan import RunPlan
from whichword.runs.shards import row_keys, stored_table
from whichword.scoring.shard_tables import ShardTables


@dataclass(frozen=True, eq=False)
class ShardBytes:
    """Its items (`item_files.packed`) and the bytes of its files.

    ``places`` [D]: where the items stand in the set's own order.
    """

    items: bytes
    places: NDArray[np.int64]
    files: Mapping[str, bytes]  # kind -> Parquet

    def tables(self, plan: RunPlan, shard: str) -> ShardTables:
        """`DamagedError` or `InputError` where they are not those of the plan."""
        (pairing, planned), items = plan.shards[shard], unpacked(self.items)
        tables = {kind: stored_table(plan, shard, kind, data) for kind, data in self.files.items()}
        keys = [item.key for item in items]
        if any(table.column("key").to_pylist() != row_keys(pairing, kind, keys) for kind, table in tables.items()):
            raise InputError(f"shard {shard}: its rows are not those of the plan")
        stored = ShardTables(items, self.places, tables["predictions"], tables["relevances"])
        stored.check(planned, pairing)
        return stored
