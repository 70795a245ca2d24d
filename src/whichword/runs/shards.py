"""A shard's files and its receipt: their form, their bytes, and whether a table is one of ours.

A run may come from anywhere. A checksum says that a file is what its receipt vouches for, not that the two make a table
that can be read: columns of their types, and a value where one is needed. The bytes of a file depend on nothing but its
content. Of a shard nothing here reads a disk.
"""

import hashlib
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow
import pyarrow.compute
import pyarrow.parquet

from whichword.errors import DamagedError
from whichword.runs.records import Pairing, Receipt, RunPlan, Shard, Shortfall, StoredFile
from whichword.runs.sealed import sha256
from whichword.types import Item

MEASURED = "measured"  # a third file, of games that ask about edited copies


@dataclass(frozen=True)
class Timing:
    """Seconds of a shard by method. ``together``: its share of what its family took, asked as one.

    ``alone``: what it took when no other method shared its passes, on ``alone_documents`` of the shard's documents.
    ``beside``: what the shard took but for ``together``: reading, predicting, tables, edited copies, ``alone``.
    """

    together: Mapping[str, float]
    alone: Mapping[str, float]
    alone_documents: int
    beside: float = 0.0


def shortfall_of(items: Sequence[Item], predictions: Any) -> Shortfall:
    """Count what a table of predictions, a row per item, has no answer for."""
    predicted, seen = predictions["predicted"].to_pylist(), predictions["seen"].to_pylist()
    rows = zip(items, predicted, seen, strict=True)
    unread = [len(item.words) - count for item, answer, count in rows if answer is not None]
    return Shortfall(predicted.count(None), sum(map(bool, unread)), sum(unread))


@dataclass(frozen=True)
class Made:
    """A computed shard in bytes, with the receipt of its worker; nothing of it is on disk."""

    receipt: Receipt
    tables: Mapping[str, bytes]

    @staticmethod
    def of(
        run: str,
        shard: str,
        tables: Mapping[str, bytes],
        rows: Mapping[str, int],
        timing: Timing,
        arithmetic: str,
        shortfall: Shortfall = Shortfall(),  # noqa: B008 - frozen
    ) -> "Made":
        files = {kind: StoredFile(sha256(tables[kind]), rows[kind]) for kind in tables}
        measured = {**vars(timing), "arithmetic": arithmetic, "shortfall": shortfall}
        return Made(Receipt(run, shard, files, **measured, documents=rows["predictions"]), tables)


def planned_rows(pairing: Pairing, shard: Shard) -> dict[str, int]:
    """Count the rows of every file of a shard."""
    counts = {"predictions": len(shard.items), "relevances": len(shard.items) * len(pairing.methods)}
    if pairing.measured:
        counts[MEASURED] = len(shard.items) * (len(pairing.methods) + len(pairing.measured))
    return counts


def receipt_trouble(receipt: Receipt, run: str, pairing: Pairing, shard: Shard) -> str | None:
    """Say what is not as it was planned; None: nothing."""
    if receipt.run != run or receipt.shard != shard.name:
        return "it belongs to another run or shard"
    if {kind: entry.rows for kind, entry in receipt.files.items()} != planned_rows(pairing, shard):
        return "not the planned number of rows"
    timings = [receipt.together, *([receipt.alone] if receipt.alone_documents else [])]  # `alone` may be empty
    if not all(set(timing) == set(pairing.labels) and all(map(math.isfinite, timing.values())) for timing in timings):
        return "not the planned methods"
    if not 0.0 <= receipt.beside < math.inf:  # so written that NaN is refused
        return "not possible seconds"
    counts = (receipt.alone_documents, receipt.shortfall.failed + receipt.shortfall.cut)
    return None if max(counts) <= receipt.documents == len(shard.items) else "not the planned number of documents"


@dataclass(frozen=True)
class Form:
    """The columns that a table must have, and where it may fall short of them."""

    schema: Any
    later: Collection[str] = ()  # columns that may not be there
    empty: Collection[str] = ()  # columns in which a value may be missing

    def trouble(self, table: Any) -> str | None:
        """Say what is not as it should be; None: nothing."""
        return next(self._troubles(table), None)

    def _troubles(self, table: Any) -> Iterator[str]:
        names = set(table.column_names)
        if not set(self.schema.names) - set(self.later) <= names <= set(self.schema.names) or len(names) < len(
            table.column_names
        ):
            yield f"its columns are {', '.join(table.column_names)[:80]}"  # a stranger's file may have thousands
        for field in (field for field in self.schema if field.name in names):
            column = table.column(field.name)
            if not column.type.equals(field.type):
                yield f"{field.name} is of the type {column.type}"
            elif field.name not in self.empty and _lacking(column):
                yield f"{field.name} lacks values"


def _lacking(column: Any) -> bool:
    """Tell whether a value is missing, or a text inside a list; a number that is missing in a list is read as NaN."""
    if column.null_count:
        return True
    texts = pyarrow.types.is_list(column.type) and pyarrow.types.is_string(column.type.value_type)
    return bool(texts and column.combine_chunks().flatten().null_count)


def rows_trouble(rows: Any) -> str | None:
    """Say why ``rows`` are not the numbers 0 to n - 1, in any order."""
    numbers = np.asarray(rows)
    return None if np.array_equal(np.sort(numbers), np.arange(len(numbers))) else "row does not hold every row once"


def forms_trouble(table: Any, forms: Sequence[Form]) -> str | None:
    """Say why a table has none of the forms; None: it has one."""
    troubles = [form.trouble(table) for form in forms]
    return None if None in troubles else troubles[0]  # single precision, the usual one, comes first


def prediction_troubles(table: Any, classes: Sequence[str]) -> Iterator[str]:
    """Look for answers without a score per class, or with more words read than there are."""
    predicted = table.column("predicted")
    answered = predicted.is_valid().to_numpy()
    if not set(predicted.unique().drop_null().to_pylist()) <= set(classes):
        yield "predicted is no class of the model"
    if not np.array_equal(_lengths(table, "scores"), len(classes) * answered):
        yield "scores are not one per class"
    seen = table.column("seen").to_numpy()
    if (seen < 0).any() or (seen > _lengths(table, "unknown")).any():
        yield "seen is not a number of words"


def _lengths(table: Any, name: str) -> Any:
    return pyarrow.compute.list_value_length(table.column(name)).to_numpy()


_TEXT = pyarrow.string()
FLOATS = {"float32": pyarrow.float32(), "float64": pyarrow.float64()}


def stored_dtype(dtype: str) -> str:
    """Name the type that numbers are stored as: double precision as it is, all others in single."""
    return dtype if dtype in FLOATS else "float32"  # which holds float16 and bfloat16 exactly


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
    """Build the schema of a line per item and row; ``edited``: probabilities of the edited copies."""
    values = [(part, pyarrow.float64()) for part in parts]
    return pyarrow.schema([("key", _TEXT), ("row", _TEXT), *values, ("edited", pyarrow.list_(FLOATS["float32"]))])


def shard_forms(kind: str, parts: Sequence[str]) -> list[Form]:
    """List the forms that a file of a shard may have: in single and in double precision."""
    forms: Mapping[str, list[Form]] = {
        "predictions": [Form(predictions_schema(dtype), (), ("predicted",)) for dtype in FLOATS],
        "relevances": [Form(relevances_schema(dtype), (), ("target", "note")) for dtype in FLOATS],
        "measured": [Form(measured_schema(parts), (), parts)],
    }
    return forms[kind]


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


class HashingFile:
    """A file that is hashed while Arrow writes it: to read it again would take a second pass over the disk."""

    closed = False  # Arrow asks for it, as for tell and flush

    def __init__(self, file: BinaryIO | None = None) -> None:
        self.digest, self.size, self.file = hashlib.sha256(), 0, file

    @property
    def sink(self) -> Any:
        """The object that Arrow writes to."""
        return pyarrow.PythonFile(self, mode="w")

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


def parquet(columns: dict[str, Any], schema: Any) -> bytes:
    """Encode columns in one row group, by one codec, without a clock: equal columns give equal bytes."""
    table = pyarrow.table(columns, schema=schema)
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table, sink, compression="zstd", row_group_size=max(1, table.num_rows))  # 0 is refused
    data: bytes = sink.getvalue().to_pybytes()
    return data


def table(data: bytes, name: str) -> Any:
    """Decode a Parquet file."""
    return _not_damaged(lambda: _file(pyarrow.BufferReader(data)).read(use_threads=False), name)


def opened(path: Path) -> Any:
    """Open a Parquet file that is read piece by piece."""
    return _not_damaged(lambda: _file(_source(path)), path.name)


def whole(file: Any, name: str) -> Any:
    """Read the table of an opened file."""
    return _not_damaged(partial(file.read, use_threads=False), name)


def row_groups(file: Any, name: str) -> Iterator[Any]:
    """Read an opened file, row group by row group."""
    for group in range(file.num_row_groups):
        yield _not_damaged(partial(file.read_row_group, group, use_threads=False), name)


def _source(path: Path) -> Any:
    """Return the path, or the open file where Arrow takes no such name: one that is not UTF-8."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return pyarrow.PythonFile(path.open("rb"), mode="r")
    return str(path)


def _file(source: Any) -> Any:
    """Open a file for this thread alone: files are small, and Arrow's threads may outlive a process that ends."""
    return pyarrow.parquet.ParquetFile(source, pre_buffer=False)


def _not_damaged(read: Callable[[], Any], name: str) -> Any:
    try:
        return read()
    except (pyarrow.ArrowException, OSError) as error:
        raise DamagedError(f"{name}: not Parquet: {str(error).splitlines()[0]}") from None


KINDS = ("predictions", "relevances")


def kinds(pairing: Pairing) -> tuple[str, ...]:
    """List the kinds of files of a shard."""
    return (*KINDS, MEASURED) if pairing.measured else KINDS


def file_name(shard: str, kind: str) -> str:
    return f"shards/{shard}.{kind}.parquet"


def row_keys(pairing: Pairing, kind: str, keys: Sequence[str]) -> list[str]:
    """List the keys of a file's rows, given those of its items."""
    times = {"relevances": len(pairing.methods), MEASURED: len(pairing.labels + pairing.measured)}.get(kind, 1)
    return [key for key in keys for _ in range(times)]


def stored_table(plan: RunPlan, shard: str, kind: str, data: bytes) -> Any:
    """Decode a file with the planned number of rows, and columns that can be read; else `DamagedError`."""
    name, pairing = file_name(shard, kind), plan.shards[shard][0]
    read = table(data, name)
    if read.num_rows != planned_rows(*plan.shards[shard])[kind]:
        raise DamagedError(f"{name}: not the promised number of rows")
    if trouble := _table_trouble(read, kind, plan, pairing):
        raise DamagedError(f"{name}: no table of {kind}: {trouble}")
    return read


def _table_trouble(table: Any, kind: str, plan: RunPlan, pairing: Pairing) -> str | None:
    trouble = forms_trouble(table, shard_forms(kind, plan.set(pairing.set).parts))
    if trouble or kind != "predictions":
        return trouble
    return next(prediction_troubles(table, plan.model(pairing.model).classes), None)
