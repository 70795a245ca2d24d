"""The Parquet files of a run as arrow tables, and as bytes that depend on nothing but their content."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow
import pyarrow.parquet

from whichword.runs.sealed import DamagedError
from whichword.runs.table_checks import Form

_TEXT = pyarrow.string()
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


def shard_forms(kind: str, parts: Sequence[str]) -> list[Form]:
    """What a file of a shard may look like: in single and in double precision."""
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
    """A file that is hashed, and kept where there is a place for it."""

    closed = False

    def __init__(self, file: BinaryIO | None = None) -> None:
        self.digest, self.size, self.file = hashlib.sha256(), 0, file

    @property
    def sink(self) -> Any:
        """What Arrow writes to."""
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
    """One row group, one codec, no clock: equal columns give equal bytes."""
    table = pyarrow.table(columns, schema=schema)
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table, sink, compression="zstd", row_group_size=max(1, table.num_rows))
    data: bytes = sink.getvalue().to_pybytes()
    return data


def table(data: bytes, name: str) -> Any:
    """A Parquet file's table."""
    return _not_damaged(lambda: _file(pyarrow.BufferReader(data)).read(use_threads=False), name)


def opened(path: Path) -> Any:
    """A Parquet file that is read piece by piece."""
    return _not_damaged(lambda: _file(_source(path)), path.name)


def whole(file: Any, name: str) -> Any:
    """The table of an opened file."""
    return _not_damaged(partial(file.read, use_threads=False), name)


def row_groups(file: Any, name: str) -> Iterator[Any]:
    """The tables of an opened file, one after the other."""
    for group in range(file.num_row_groups):
        yield _not_damaged(partial(file.read_row_group, group, use_threads=False), name)


def _source(path: Path) -> Any:
    """The path, or the open file where Arrow takes no such name: one that is not UTF-8."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return pyarrow.PythonFile(path.open("rb"), mode="r")
    return str(path)


def _file(source: Any) -> Any:
    """Read by the thread that asks: files are small, and Arrow's own threads may outlive the process that ends."""
    return pyarrow.parquet.ParquetFile(source, pre_buffer=False)


def _not_damaged(read: Callable[[], Any], name: str) -> Any:
    try:
        return read()
    except (pyarrow.ArrowException, OSError) as error:
        raise DamagedError(f"{name}: not Parquet: {str(error).splitlines()[0]}") from None
