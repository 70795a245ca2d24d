"""Rows of CSV and TSV files. The dialect is declared, never sniffed.

With ``quoting="none"`` a row is a line and a field may hold anything but the delimiter. With ``quoting="csv"`` a field
in double quotes may hold delimiters, line ends and doubled quotes, and a quote anywhere else is an error.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from whichword.corpora.building import Rejected
from whichword.corpora.lines import decoded, numbered_lines
from whichword.errors import FileError, InputError

_QUOTED = re.compile(r'"((?:[^"]++|"")*+)"')  # possessive: a quote that never closes costs no backtracking
_ENDS = {"any": ("\r", ""), "lf": ("",), "crlf": ("\r",)}  # what may stand before the \n of a row
_QUOTINGS = ("csv", "none")


@dataclass(frozen=True)
class Dialect:
    """How rows are written; ``ends`` is lf, crlf, or any: each row may end with either."""

    delimiter: str
    quoting: str = "csv"
    ends: str = "any"

    def __post_init__(self) -> None:
        if self.quoting not in _QUOTINGS or self.ends not in _ENDS:
            raise InputError(
                f"quoting must be csv or none and ends any, lf or crlf, not {self.quoting} and {self.ends}"
            )

    def fields(self, row: str) -> list[str]:
        """Cut one row (without its line end) into fields."""
        row = self._without_end(row)
        if self.quoting == "none":
            return row.split(self.delimiter)
        if '"' not in row:
            return self._bare(row)
        return self._quoted(row)

    def _without_end(self, row: str) -> str:
        end = "\r" if row.endswith("\r") else ""
        if end not in _ENDS[self.ends]:
            raise Rejected(f"the line does not end as ends={self.ends} says")
        return row.removesuffix(end)

    def _bare(self, text: str) -> list[str]:
        if '"' in text:
            raise Rejected("a quote inside a field that does not start with one (or say quoting=none)")
        if "\r" in text or "\n" in text:
            raise Rejected("a line end inside a field without quotes")
        return text.split(self.delimiter)

    def _quoted(self, row: str) -> list[str]:
        fields: list[str] = []
        place = 0
        while True:
            field = _QUOTED.match(row, place)
            if field:
                fields.append(field[1].replace('""', '"'))
                place = field.end()
            else:
                end = row.find(self.delimiter, place)
                end = len(row) if end < 0 else end
                fields.extend(self._bare(row[place:end]))
                place = end
            if place == len(row):
                return fields
            if row[place] != self.delimiter:
                raise Rejected(f"after the closing quote of field {len(fields)} comes {row[place]!r}")
            place += 1  # past the delimiter


def quoting_of(path: Path, delimiter: str) -> str:
    """Return ``csv`` where the first line that holds a quote is what a csv writer writes, else ``none``.

    For files that are known by name and passed on both ways. Such a line is csv only if reading it as csv and writing
    it again gives the same line: a sentence in quotes of its own has none doubled inside, so no writer wrote it.
    """
    for number, line in numbered_lines(path, ends=(b"\n",)):
        if b'"' in line:
            return "csv" if number == 1 or _as_written(decoded(line).removesuffix("\r"), delimiter) else "none"
    return "none"


def _as_written(row: str, delimiter: str) -> bool:
    try:
        fields = Dialect(delimiter).fields(row)
    except Rejected:
        return False
    enclosed = (
        '"' + field.replace('"', '""') + '"' if '"' in field or delimiter in field else field for field in fields
    )
    return delimiter.join(enclosed) == row


def raw_rows(path: Path, dialect: Dialect) -> Iterator[tuple[int, bytes]]:
    """Yield (first line, bytes) of each row; a row goes on while a quote is open."""
    held: list[bytes] = []
    first, quotes = 1, 0
    for number, line in numbered_lines(path, ends=(b"\n",)):  # a \r inside a quoted field belongs to it
        first = first if held else number
        held.append(line)
        quotes += line.count(b'"') if dialect.quoting == "csv" else 0  # doubled ones come in pairs
        if quotes % 2 == 0:
            yield first, b"\n".join(held)
            held, quotes = [], 0
    if held:
        raise FileError(f"{path}:{first}: a quote is opened and never closed")


def rows(path: Path, dialect: Dialect) -> tuple[list[str], Iterator[tuple[int, bytes | list[str]]]]:
    """Return the header, and (first line, row) for each row, to be given to `parsed`.

    With quoting, a row of the wrong shape makes all that follow doubtful (a line of a text could pass for a row), so it
    ends the reading whatever ``strict`` says.
    """
    raw = raw_rows(path, dialect)
    header = _header(path, next(raw, None), dialect)
    if dialect.quoting == "none":
        return header, raw
    return header, ((number, _checked(path, number, row, dialect, header)) for number, row in raw)


def _header(path: Path, first: tuple[int, bytes] | None, dialect: Dialect) -> list[str]:
    if first is None:
        raise FileError(f"{path}:1: the file is empty: no header")
    try:
        names = dialect.fields(decoded(first[1]))
    except Rejected as reason:
        raise FileError(f"{path}:1: {reason}") from None
    if len(set(names)) < len(names):
        raise FileError(f"{path}:1: two columns have one name: {', '.join(names)}")
    return names


def _checked(path: Path, number: int, row: bytes, dialect: Dialect, header: list[str]) -> list[str]:
    try:
        return parsed(row, dialect, header)
    except Rejected as reason:
        raise FileError(f"{path}:{number}: {reason}") from None


def parsed(row: bytes | list[str], dialect: Dialect, header: list[str]) -> list[str]:
    """Return the fields of a row, as many as the header has."""
    fields = row if isinstance(row, list) else dialect.fields(decoded(row))  # parsed by `rows` already
    if len(fields) != len(header):
        raise Rejected(f"{len(fields)} fields where the header has {len(header)}")
    if fields == header:  # two files, one behind the other
        raise Rejected("the header again")
    return fields
