"""The items of a set on disk: written as they come, read a few rows at a time, so that a set need not fit in memory.

The file has the order of the plan, neighbours in length together, so that a shard is a range of rows; ``row`` says
where each item stands in the set's own order.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow
import pyarrow.compute
import pyarrow.parquet
from numpy.typing import NDArray

from whichword.experiment import formats
from whichword.files import refuse_special
from whichword.text.places import places
from whichword.types import Item

GROUP = 4096  # rows that are encoded, and read, at once

Row = tuple[int, Item]  # the item, and where it stands in the set's own order


def write_items(rows: Iterable[Row], sink: Any) -> None:
    """One row group after another: equal items give equal bytes."""
    with pyarrow.parquet.ParquetWriter(sink, formats.ITEMS, compression="zstd") as writer:
        source = iter(rows)
        while group := list(islice(source, GROUP)):
            writer.write_table(table_of(group), row_group_size=len(group))


def items_bytes(items: Iterable[Item]) -> bytes:
    """The file of items that are in the order of the plan already."""
    sink = pyarrow.BufferOutputStream()
    write_items(enumerate(items), sink)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def items_sha256(rows: Iterable[Row], file: BinaryIO | None = None) -> str:
    """The checksum that the file will have, or has when it is written on the way."""
    sink = _Hashing(file)
    write_items(rows, pyarrow.PythonFile(sink, mode="w"))
    return sink.digest.hexdigest()


class _Hashing:
    """A file that is hashed, and kept where there is a place for it."""

    closed = False

    def __init__(self, file: BinaryIO | None) -> None:
        self.digest, self.size, self.file = hashlib.sha256(), 0, file

    def write(self, data: Any) -> int:
        self.digest.update(data)
        if self.file is not None:
            self.file.write(data)
        self.size += len(data)
        return len(data)

    def tell(self) -> int:
        return self.size

    def flush(self) -> None: ...

    def close(self) -> None: ...


def table_of(rows: list[Row]) -> Any:
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
    return pyarrow.table(columns, schema=formats.ITEMS)


# ---------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ItemFile:
    """The file of a set, of any format: before format 3 it has no ``row``, and its order is the set's own."""

    path: Path

    @cached_property
    def _file(self) -> Any:
        return formats.opened(self.path)

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
        return np.concatenate([np.empty(0, np.int64), *parts]).astype(np.int64)

    def table(self, start: int, stop: int, columns: list[str] | None = None) -> Any:
        """The rows from ``start`` up to ``stop``; only their row groups are read."""
        first, last = (int(np.searchsorted(self._starts, row, "right")) - 1 for row in (start, stop - 1))
        table = self._file.read_row_groups(list(range(first, last + 1)), columns, use_threads=False)
        return table.slice(start - self._starts[first], stop - start)

    def each(self) -> Iterator[Item]:
        """All items, in the order of the file."""
        for group in range(self._file.num_row_groups):
            yield from items_of(self._file.read_row_group(group, use_threads=False))

    def in_order(self) -> tuple[Item, ...]:
        """All items, in the set's own order."""
        items = list(self.each())
        return tuple(items[place] for place in np.argsort(self.rows, kind="stable"))


def packed(table: Any) -> bytes:
    """Rows for the wire."""
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table.combine_chunks())
    data: bytes = sink.getvalue().to_pybytes()
    return data


def unpacked(data: bytes) -> list[Item]:
    """The items of `packed` rows."""
    return items_of(pyarrow.ipc.open_stream(data).read_all())


def items_of(table: Any) -> list[Item]:
    """Where there is no text, it is the words joined by spaces."""
    return [_item(row) for row in table.to_pylist()]


def _item(row: Mapping[str, Any]) -> Item:
    words, labels, targets = (tuple(row[name]) for name in ("words", "labels", "targets"))
    facts, sources = dict(row["facts"]), tuple(row.get("sources") or ())
    item = Item(row["key"], words, row["gold"], labels, targets, facts, row.get("text", ""), sources)
    truth = {name: tuple(positions) for name, positions in row.get("truth") or ()}
    excluded, question = tuple(row.get("excluded") or ()), row.get("question")
    return replace(item, truth=truth, excluded=excluded, question=question) if truth or excluded or question else item


def file_sha256(path: Path) -> str:
    """The checksum of a file of any size; `OSError` where it is no plain file."""
    refuse_special(path)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
