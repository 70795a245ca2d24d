"""Files of relevances: JSON lines or Parquet, made one kind of row."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whichword.corpora.building import Rejected
from whichword.corpora.lines import object_lines, parse_object
from whichword.errors import InputError, one_line

Values = list[float | None]
NAMES = ("relevances", "attributions", "scores", "values")  # what a list of numbers is called


@dataclass(frozen=True)
class OutsideRow:
    """Numbers on ``pieces`` of a text (words or tokens); which text, whose numbers.

    ``where`` names the row in its file. ``pieces`` None: the numbers are the words' own, in order.
    """

    where: str
    values: Values
    key: str | None = None
    text: str | None = None
    method: str | None = None
    target: str | None = None
    pieces: tuple[str, ...] | None = None


def read_rows(path: Path) -> Iterator[OutsideRow]:
    """Read all rows of a file."""
    if not path.is_file():
        raise InputError(f"{path}: {'not a file' if path.exists() else 'no such file'}")
    for where, row in _parquet(path) if path.suffix == ".parquet" else _lines(path):
        try:
            yield from _rows(where, row)
        except Rejected as reason:
            raise InputError(f"{where}: {reason}") from None


def _lines(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for number, line in object_lines(path):
        where = f"{path}: line {number}"
        try:
            yield where, parse_object(line, float)  # Python writes NaN into JSON, and health has to see it
        except Rejected as reason:
            raise InputError(f"{where}: {reason}") from None


def _parquet(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    from pyarrow import ArrowException, parquet

    try:
        with parquet.ParquetFile(path, pre_buffer=False, page_checksum_verification=True) as file:
            rows = file.read(use_threads=False).to_pylist()
    except (ArrowException, OSError, ValueError, KeyError, MemoryError, OverflowError) as error:
        raise InputError(f"{path}: not a sound Parquet file: {one_line(error) or error}") from None
    yield from ((f"{path}: row {number}", row) for number, row in enumerate(rows, 1))


def _rows(where: str, row: Mapping[str, Any]) -> Iterator[OutsideRow]:
    about: dict[str, Any] = {name: _text(row, name) for name in ("key", "text", "method")}
    about["target"] = _text(row, "target") if isinstance(row.get("target"), str) else _text(row, "predicted")
    if row.get("relevance") is None:
        pieces = _words(row, "tokens") or _words(row, "words")  # tokens first: where there are both, numbers are theirs
        yield OutsideRow(where, **about | {"values": _named_numbers(row), "pieces": pieces})
        return
    if not isinstance(row["relevance"], Mapping):  # our own `explain --json`: a list of numbers per method
        raise Rejected("'relevance' maps methods to lists of numbers")
    for method, values in row["relevance"].items():
        yield OutsideRow(
            where, **about | {"method": method, "values": _numbers(values), "pieces": _words(row, "words")}
        )


def _text(row: Mapping[str, Any], name: str) -> str | None:
    value = row.get(name)
    if value is not None and not isinstance(value, str):
        raise Rejected(f"{name!r} is not a text")
    return value


def _words(row: Mapping[str, Any], name: str) -> tuple[str, ...] | None:
    words = row.get(name)
    if words is None:
        return None
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise Rejected(f"{name!r} is not a list of texts")
    return tuple(words)


def _named_numbers(row: Mapping[str, Any]) -> Values:
    name = next((name for name in NAMES if name in row), None)  # the first of NAMES
    if name is None:
        raise Rejected(f"no relevances (one of {', '.join(NAMES)}); there is: {', '.join(row)}")
    return _numbers(row[name])


def _numbers(values: Any) -> Values:
    """Read a list of numbers; null is no number."""
    if not isinstance(values, list) or not all(_is_number(value) for value in values):
        raise Rejected("relevances are a list of numbers")
    try:
        return [None if value is None else float(value) for value in values]
    except OverflowError:  # a whole number of hundreds of digits
        raise Rejected("a relevance is larger than any number here") from None


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))  # bool is an int
