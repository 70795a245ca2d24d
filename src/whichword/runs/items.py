"""The items of a set on disk, as rows of an Arrow table: written as they come, read a few rows at a time.

So a set need not fit in memory. Tables are made and read column by column: a call per word would take longest of all.
The file has the order of the plan, neighbours in length together, so that a shard is a range of rows; ``row`` says
where each item stands in the set's own order.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache, partial
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow
import pyarrow.compute
import pyarrow.parquet
from numpy.typing import NDArray

from whichword.base.files import refuse_special
from whichword.errors import DamagedError
from whichword.runs import shards
from whichword.runs.shards import Form, rows_trouble
from whichword.text.places import places
from whichword.types import Item

Row = tuple[int, Item]  # where the item stands in the set's own order, and the item

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
    """Say why a table holds no rows of a set; only its ``columns`` were read, None: all."""
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
    """Build the items of a table; what it has no column for takes its default."""
    columns = [_column(table, field.name) for field in fields(Item)]
    return [Item(*values) for values in zip(*columns, strict=True)]


def _column(table: Any, name: str) -> list[Any]:
    if name not in table.column_names:
        return [LATER[name]] * table.num_rows  # one object for all: values are immutable, or never written to
    column = table.column(name).combine_chunks()
    return _dicts(column) if pyarrow.types.is_map(column.type) else _values(column)


def _values(column: Any) -> list[Any]:
    """Turn a column into Python values, lists into tuples."""
    if pyarrow.types.is_list(column.type):
        flat = _values(column.values)
        return [tuple(flat[start:stop]) for start, stop in pairwise(column.offsets.tolist())]
    if pyarrow.types.is_string(column.type):
        encoded = column.dictionary_encode()  # words, labels and names occur again and again: one object for each
        texts = np.array([*encoded.dictionary.to_pylist(), None], dtype=object)
        return list(texts[encoded.indices.fill_null(len(texts) - 1).to_numpy()])  # the last text is None
    return list(column.to_pylist())


def _dicts(column: Any) -> list[Mapping[str, Any]]:
    names, values = _values(column.keys), _values(column.items)
    bounds = pairwise(column.offsets.tolist())
    return [dict(zip(names[start:stop], values[start:stop], strict=True)) for start, stop in bounds]


GROUP = 4096  # rows that are encoded, and read, at once
HELD = 4  # groups that stay in memory: shards are much smaller and come in order, and some lie across two


def write_items(rows: Iterable[Row], sink: Any) -> None:
    """Write one row group after another: equal items give equal bytes."""
    with pyarrow.parquet.ParquetWriter(sink, ITEMS, compression="zstd") as writer:
        source = iter(rows)
        while group := list(islice(source, GROUP)):
            writer.write_table(table_of(group), row_group_size=len(group))


def items_bytes(items: Iterable[Item]) -> bytes:
    """Encode items that are in the order of the plan already as a file."""
    sink = pyarrow.BufferOutputStream()
    write_items(enumerate(items), sink)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def items_sha256(rows: Iterable[Row], file: BinaryIO | None = None) -> str:
    """Compute the checksum that the file will have, and write it on the way where ``file`` is given."""
    hashed = shards.HashingFile(file)
    write_items(rows, hashed.sink)
    return hashed.digest.hexdigest()


# ---------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ItemFile:
    """The file of a set; where it has no column ``row`` (a frozen suite's), its order is the set's own."""

    path: Path

    @cached_property
    def _file(self) -> Any:
        return shards.opened(self.path)

    @cached_property
    def _starts(self) -> list[int]:
        """The first row of each row group, and the number of all rows."""
        sizes = [self._file.metadata.row_group(group).num_rows for group in range(self._file.num_row_groups)]
        return [0, *np.cumsum(sizes, dtype=np.int64).tolist()]

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """Where each item of the file stands in the set's own order."""
        if "row" not in self._file.schema_arrow.names:
            return np.arange(self._starts[-1])
        column: NDArray[np.int64] = self._file.read(columns=["row"], use_threads=False).column("row").to_numpy()
        return column

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Words of each item of the file; a row group at a time, and no word becomes a Python object."""
        groups = range(self._file.num_row_groups)
        columns = (self._file.read_row_group(group, ["words"], use_threads=False).column("words") for group in groups)
        parts = [pyarrow.compute.list_value_length(column).to_numpy() for column in columns]
        return np.concatenate([np.empty(0, np.int64), *parts]).astype(np.int64)  # a set may be empty

    def trouble(self, size: int) -> str | None:
        """Say why it is not the file of so many items; values are looked at as they are read."""
        try:
            if trouble := items_table_trouble(self._file.schema_arrow.empty_table()):  # columns, without reading values
                return trouble
            return rows_trouble(self.rows) if self._starts[-1] == size else "not the planned number of items"
        except DamagedError as damage:
            return str(damage)

    def columns_trouble(self) -> str | None:
        """Say what a row group lacks, reading all of them."""
        groups = (self._file.read_row_group(group, use_threads=False) for group in range(self._file.num_row_groups))
        return next((trouble for group in groups if (trouble := items_table_trouble(group))), None)

    def table(self, start: int, stop: int, columns: list[str] | None = None) -> Any:
        """Read the rows from ``start`` up to ``stop``, and only their row groups."""
        first, last = (int(np.searchsorted(self._starts, row, "right")) - 1 for row in (start, stop - 1))  # row groups
        names = None if columns is None else tuple(columns)
        groups = pyarrow.concat_tables([self._group(group, names) for group in range(first, last + 1)])
        return groups.slice(start - self._starts[first], stop - start)

    @cached_property
    def _group(self) -> Callable[[int, tuple[str, ...] | None], Any]:
        """(group, columns) -> its rows, the last few kept; a cache per file, so that it goes with the file."""
        return lru_cache(HELD)(partial(_rows_of_group, self.path, self._file))

    def each(self) -> Iterator[Item]:
        """Yield all items in the order of the file."""
        for group in range(self._file.num_row_groups):
            yield from items_of(_rows_of_group(self.path, self._file, group))

    def in_order(self) -> tuple[Item, ...]:
        """Read all items in the set's own order."""
        items = list(self.each())
        return tuple(items[place] for place in np.argsort(self.rows, kind="stable"))  # argsort inverts a permutation


def _rows_of_group(path: Path, file: Any, group: int, columns: tuple[str, ...] | None = None) -> Any:
    names = None if columns is None else list(columns)
    table = file.read_row_group(group, names, use_threads=False)  # Arrow's threads may outlive this process's end
    if trouble := items_table_trouble(table, names):
        raise DamagedError(f"{path}: no table of items: {trouble}")
    return table


def packed(table: Any) -> bytes:
    """Encode rows for the wire."""
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table.combine_chunks())  # a slice carries its whole buffers along, a copy its rows alone
    data: bytes = sink.getvalue().to_pybytes()
    return data


def unpacked(data: bytes) -> list[Item]:
    """Decode `packed` rows."""
    return items_of(pyarrow.ipc.open_stream(data).read_all())


def file_sha256(path: Path) -> str:
    """Compute the checksum of a file of any size; `OSError` where it is no plain file."""
    refuse_special(path)  # a pipe would be waited for without end
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
