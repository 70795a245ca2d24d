"""Rows of Parquet files: columns checked, page checksums verified where the file has them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import compute, parquet

from whichword.base.files import refuse_special
from whichword.corpora.lines import Growth
from whichword.errors import FileError, InputError, one_line

ROWS = 4096  # per batch
CELL = 8  # bytes that a value counts for at least


def rows(path: Path, columns: list[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (row number from 1, {column: value}) of the named columns."""
    number = 0
    for batch in _batches(path, columns):
        for values in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            number += 1
            yield number, dict(zip(columns, values, strict=True))


def _batches(path: Path, columns: list[str]) -> list[Any]:
    """Read all of the file, in the compact form that it is stored in, before anything of it is used."""
    try:
        refuse_special(path)
        with parquet.ParquetFile(path) as file:  # for the types, which the second opening needs
            texts = _texts(path, file.schema_arrow, columns)
        with parquet.ParquetFile(path, read_dictionary=texts, page_checksum_verification=True) as file:
            return _read(path, file, columns)
    except InputError:
        raise
    except FileNotFoundError:
        raise FileError(f"{path}: cannot be read: No such file or directory") from None
    except (pa.ArrowException, OSError, ValueError, KeyError, MemoryError, OverflowError) as error:
        raise FileError(f"{path}: not a sound Parquet file: {one_line(error) or error}") from None


def _texts(path: Path, schema: Any, columns: list[str]) -> list[str]:
    """Name the columns that are text; `InputError` unless all are there, of a type that can name or hold a text.

    Dates, durations and decimals are none: not every one that Parquet stores is one that Python has.
    """
    for name in columns:
        if schema.names.count(name) != 1:
            raise FileError(f"{path}: column {name!r} must occur exactly once; columns: {', '.join(schema.names)}")
        kind = _stored(schema.field(name).type)
        if not (_is_text(kind) or pa.types.is_integer(kind) or pa.types.is_boolean(kind) or pa.types.is_null(kind)):
            raise FileError(f"{path}: column {name!r} holds {kind}: it must be text, whole numbers or truth values")
    return [name for name in columns if _is_text(schema.field(name).type)]


def _stored(kind: Any) -> Any:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _is_text(kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _read(path: Path, file: Any, columns: list[str]) -> list[Any]:
    growth, batches = Growth.of(path), []
    for batch in file.iter_batches(ROWS, columns=columns):
        batch.validate(full=True)  # broken offsets lead out of the memory
        growth.add(sum(_size(column) for column in batch.columns))
        batches.append(batch.select(columns))  # in the order that was asked for
    total = sum(batch.num_rows for batch in batches)
    if total != file.metadata.num_rows:
        raise FileError(f"{path}: {total} rows where {file.metadata.num_rows} are announced")
    return batches


def _size(column: Any) -> int:
    """Count the bytes of the values one by one, however often the file stores an equal one."""
    least = CELL * len(column)
    if not pa.types.is_dictionary(column.type) or not _is_text(column.type.value_type):
        return least
    lengths = compute.binary_length(column.dictionary).take(column.indices)
    return least + (compute.sum(lengths).as_py() or 0)
