"""Rows of Parquet files: columns checked, page checksums verified where the file has them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from whichword.errors import InputError


def rows(path: Path, columns: list[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """(row number from 1, {column: value}) of the named columns."""
    table = _table(path, columns)
    number = 0
    for batch in table.to_batches(max_chunksize=4096):
        for values in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            number += 1
            yield number, dict(zip(columns, values, strict=True))


def _table(path: Path, columns: list[str]) -> Any:
    try:
        with parquet.ParquetFile(path, page_checksum_verification=True) as file:
            names = file.schema_arrow.names
            if missing := [name for name in columns if names.count(name) != 1]:
                raise InputError(f"{path}: no one column {missing[0]!r}; columns: {', '.join(names)}")
            table = file.read(columns=columns).select(columns)
            table.validate(full=True)
            if table.num_rows != file.metadata.num_rows:
                raise InputError(f"{path}: {table.num_rows} rows where {file.metadata.num_rows} are announced")
            return table
    except FileNotFoundError:
        raise InputError(f"{path}: cannot be read: No such file or directory") from None
    except (pa.ArrowException, OSError, ValueError, KeyError, MemoryError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: not a sound Parquet file: {str(error).strip().splitlines()[0]}") from None
