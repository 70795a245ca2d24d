"""Items as rows of an arrow table, and back: column by column, since a call per word would take longest of all."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow

from whichword.runs.table_checks import Form
from whichword.text.places import places
from whichword.types import Item

Row = tuple[int, Item]  # the item, and where it stands in the set's own order

_TEXT, _TEXTS = pyarrow.string(), pyarrow.list_(pyarrow.string())

ITEMS = pyarrow.schema(
    [
        ("key", _TEXT),
        ("words", _TEXTS),
        ("gold", _TEXT),
        ("labels", _TEXTS),
        ("targets", pyarrow.list_(pyarrow.int32())),
        ("facts", pyarrow.map_(_TEXT, _TEXT)),
        ("text", _TEXT),  # as it was written
        ("places", pyarrow.list_(pyarrow.int32())),  # where each word starts in it, in characters
        ("sources", _TEXTS),  # keys of the documents it was made from; empty: its own
        ("row", pyarrow.int64()),  # where the item stands in the set's own order
        ("truth", pyarrow.map_(_TEXT, pyarrow.list_(pyarrow.int32()))),  # class -> the words that are right for it
        ("excluded", pyarrow.list_(pyarrow.int32())),
        ("question", _TEXT),  # the class to explain; null: the predicted one
    ]
)
# what items are without: the frozen suites have no such columns
LATER: Mapping[str, Any] = {"sources": (), "truth": {}, "excluded": (), "question": None}


def items_table_trouble(table: Any, columns: Sequence[str] | None = None) -> str | None:
    """Why these are no rows of a set, of which all ``columns`` were read or some."""
    others = () if columns is None else set(ITEMS.names) - set(columns)
    return Form(ITEMS, (*LATER, "row", *others), ("gold", "question")).trouble(table)


def table_of(rows: Sequence[Row]) -> Any:
    items = [item for _, item in rows]
    columns = {
        "key": [item.key for item in items],
        "words": [item.words for item in items],
        "gold": [item.gold for item in items],
        "labels": [item.labels for item in items],
        "targets": [item.targets for item in items],
        "facts": [list(item.facts.items()) for item in items],
        "text": [item.text for item in items],
        "places": [np.array(places(item), dtype=np.int32) for item in items],  # lists take nine times the memory
        "sources": [item.sources for item in items],
        "row": [row for row, _ in rows],
        "truth": [list(item.truth.items()) for item in items],
        "excluded": [item.excluded for item in items],
        "question": [item.question for item in items],
    }
    return pyarrow.table(columns, schema=ITEMS)


def items_of(table: Any) -> list[Item]:
    """The items, without what their file has no column for."""
    columns = [_column(table, field.name) for field in fields(Item)]
    return [Item(*values) for values in zip(*columns, strict=True)]


def _column(table: Any, name: str) -> list[Any]:
    if name not in table.column_names:
        return [LATER[name]] * table.num_rows
    column = table.column(name).combine_chunks()
    return _dicts(column) if pyarrow.types.is_map(column.type) else _values(column)


def _values(column: Any) -> list[Any]:
    """Texts and numbers as they are, lists as tuples."""
    if pyarrow.types.is_list(column.type):
        flat = _values(column.values)
        return [tuple(flat[start:stop]) for start, stop in pairwise(column.offsets.tolist())]
    if pyarrow.types.is_string(column.type):
        encoded = column.dictionary_encode()  # words, labels and names occur again and again: one object for each
        texts = np.array([*encoded.dictionary.to_pylist(), None], dtype=object)
        return list(texts[encoded.indices.fill_null(len(texts) - 1).to_numpy()])
    return list(column.to_pylist())


def _dicts(column: Any) -> list[Mapping[str, Any]]:
    names, values = _values(column.keys), _values(column.items)
    bounds = pairwise(column.offsets.tolist())
    return [dict(zip(names[start:stop], values[start:stop], strict=True)) for start, stop in bounds]
