"""The Parquet files of a run as arrow tables, and as bytes that depend on nothing but their content."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pyarrow.parquet

from whichword.experiment.seal import DamagedError
from whichword.text.places import places
from whichword.types import Item

_TEXT, _TEXTS = pyarrow.string(), pyarrow.list_(pyarrow.string())

ITEMS = pyarrow.schema(
    [
        ("key", _TEXT),
        ("words", _TEXTS),
        ("gold", _TEXT),
        ("labels", _TEXTS),
        ("targets", pyarrow.list_(pyarrow.int32())),
        ("facts", pyarrow.map_(_TEXT, _TEXT)),
        ("text", _TEXT),  # as it was written; the files of format 1 do not have it
        ("places", pyarrow.list_(pyarrow.int32())),  # where each word starts in it, in characters
    ]
)
SELDOM = {  # columns of the items that need them; files without them are as they were before there were such columns
    "sources": _TEXTS,
    "truth": pyarrow.map_(_TEXT, pyarrow.list_(pyarrow.int32())),
    "excluded": pyarrow.list_(pyarrow.int32()),
    "question": _TEXT,
}
FLOATS = {"float32": pyarrow.float32(), "float64": pyarrow.float64()}


def stored_dtype(dtype: str) -> str:
    """What numbers of this type are stored as: double precision as it is, all others in single."""
    return dtype if dtype in FLOATS else "float32"


def predictions_schema(dtype: str) -> Any:
    return pyarrow.schema(
        [
            ("key", _TEXT),
            ("predicted", _TEXT),
            ("scores", pyarrow.list_(FLOATS[dtype])),
            ("unknown", pyarrow.list_(pyarrow.bool_())),
            ("seen", pyarrow.int32()),  # words that the model read
        ]
    )


def relevances_schema(dtype: str) -> Any:
    return pyarrow.schema(
        [
            ("key", _TEXT),
            ("method", _TEXT),
            ("target", _TEXT),
            ("relevances", pyarrow.list_(FLOATS[dtype])),
            ("status", _TEXT),
            ("note", _TEXT),
        ]
    )


def measured_schema(parts: Sequence[str]) -> Any:
    """A line per item and row of a game that asks about edited copies; ``edited``: the copies' probabilities."""
    values = [(part, pyarrow.float64()) for part in parts]
    return pyarrow.schema([("key", _TEXT), ("row", _TEXT), *values, ("edited", pyarrow.list_(FLOATS["float32"]))])


def judged_schema(parts: Sequence[str]) -> Any:
    fixed = [
        ("key", _TEXT),
        ("method", _TEXT),
        ("predicted", _TEXT),
        ("rmax", pyarrow.int32()),
        ("tie", pyarrow.bool_()),
        ("nonfinite", pyarrow.bool_()),
    ]
    return pyarrow.schema([*fixed, *((part, pyarrow.float64()) for part in parts)])


def parquet(columns: dict[str, Any], schema: Any) -> bytes:
    """One row group, one codec, no clock: equal columns give equal bytes."""
    table = pyarrow.table(columns, schema=schema)
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table, sink, compression="zstd", row_group_size=max(1, table.num_rows))
    data: bytes = sink.getvalue().to_pybytes()
    return data


def table(data: bytes, name: str) -> Any:
    """A Parquet file's table."""
    try:
        return pyarrow.parquet.read_table(pyarrow.BufferReader(data))
    except (pyarrow.ArrowException, OSError) as error:
        raise DamagedError(f"{name}: not Parquet: {str(error).splitlines()[0]}") from None


def items_bytes(items: Iterable[Item]) -> bytes:
    """The items' Parquet file."""
    rows = list(items)
    columns = {
        "key": [item.key for item in rows],
        "words": [item.words for item in rows],
        "gold": [item.gold for item in rows],
        "labels": [item.labels for item in rows],
        "targets": [item.targets for item in rows],
        "facts": [list(item.facts.items()) for item in rows],
        "text": [item.text for item in rows],
        "places": [numpy.array(places(item), dtype=numpy.int32) for item in rows],  # lists take nine times the memory
    }
    seldom: dict[str, list[Any]] = {
        "sources": [item.sources for item in rows],
        "truth": [list(item.truth.items()) for item in rows],
        "excluded": [item.excluded for item in rows],
        "question": [item.question for item in rows],
    }
    needed = [name for name, values in seldom.items() if any(values)]
    schema = pyarrow.schema([*ITEMS, *(pyarrow.field(name, SELDOM[name]) for name in needed)])
    return parquet(columns | {name: seldom[name] for name in needed}, schema)


def items_of(path: Path) -> tuple[Item, ...]:
    """The items that `items_bytes` wrote; where there is no text, it is the words joined by spaces."""
    rows = table(path.read_bytes(), path.name).to_pylist()
    return tuple(_item(row) for row in rows)


def _item(row: Mapping[str, Any]) -> Item:
    words, labels, targets = (tuple(row[name]) for name in ("words", "labels", "targets"))
    item = Item(row["key"], words, row["gold"], labels, targets, dict(row["facts"]), row.get("text", ""))
    if not SELDOM.keys() & row.keys():
        return item
    truth = {name: tuple(positions) for name, positions in row.get("truth", ())}
    sources, excluded = (tuple(row.get(name, ())) for name in ("sources", "excluded"))
    return replace(item, sources=sources, truth=truth, excluded=excluded, question=row.get("question"))
