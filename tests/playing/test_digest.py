"""The digest says what the run says: every value counts, how Parquet packs it does not."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from whichword.playing.verify import digest
from whichword.runs.run import Run, open_run
from whichword.runs.sealed import sealed, sha256, unsealed


def rewritten(folder: Path, kind: str, change: Callable[[Any], Any]) -> str:
    """The digest after one file was changed and vouched for."""
    run = open_run(folder)
    shard = run.plan.pairings[-1].shards[-1].name
    path, receipt = folder / f"shards/{shard}.{kind}.parquet", folder / f"shards/{shard}.json"
    pq.write_table(change(pq.read_table(path)), path, compression="snappy", row_group_size=3)
    body = unsealed(receipt)
    body["files"][kind]["sha256"] = sha256(path.read_bytes())
    receipt.write_bytes(sealed(body))
    return digest(open_run(folder))


def column(name: str, edit: Callable[[list[Any]], list[Any]]) -> Callable[[Any], Any]:
    """The table with the last row of one column edited."""

    def change(table: Any) -> Any:
        values = table.column(name).to_pylist()
        values[-1] = edit(values[-1])
        place = table.column_names.index(name)
        return table.set_column(place, table.schema.field(name), pa.array(values, table.schema.field(name).type))

    return change


def test_how_the_values_are_packed_plays_no_part(copied: Path, made: Run) -> None:
    assert rewritten(copied, "relevances", lambda table: table) == digest(made)


@pytest.mark.parametrize(
    ("kind", "name", "edit"),
    [
        ("relevances", "relevances", lambda values: [*values[:-1], values[-1] + 1e-6]),
        ("relevances", "relevances", lambda values: values[:-1]),
        ("relevances", "note", lambda note: "changed"),
        ("relevances", "status", lambda status: "not finite"),
        ("relevances", "target", lambda target: "other"),
        ("predictions", "predicted", lambda predicted: "brick" if predicted == "apple" else "apple"),
        ("predictions", "scores", lambda scores: scores[::-1]),
        ("predictions", "unknown", lambda unknown: [not word for word in unknown]),
    ],
)
def test_every_value_counts(
    copied: Path, made: Run, kind: str, name: str, edit: Callable[[list[Any]], list[Any]]
) -> None:
    assert rewritten(copied, kind, column(name, edit)) != digest(made)


def test_where_a_row_ends_counts(copied: Path, made: Run) -> None:
    """The same numbers in the same order, but one of them belongs to the next row."""

    def change(table: Any) -> Any:
        values = table.column("relevances").to_pylist()
        values[-1].insert(0, values[-2].pop())
        field = table.schema.field("relevances")
        return table.set_column(table.column_names.index("relevances"), field, pa.array(values, field.type))

    assert rewritten(copied, "relevances", change) != digest(made)
