"""Lines of a file, plain or gzip, and JSON lines: read strictly, and bounded in size.

Lines end with LF or CR LF and nothing else, are decoded strictly as UTF-8, and have at most `LONGEST` bytes. Files of
a few bytes can stand for gigabytes, and honest corpora never do: a compressed file may grow to `FREE` bytes, and beyond
that to `RATIO` times its own size. Text shrinks to a third or a tenth, tables of labels to a fiftieth.
"""

import codecs
import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

from whichword.base import files
from whichword.base.files import refuse_special
from whichword.corpora.building import Dropped, Rejected
from whichword.errors import FileError

LONGEST = 16 * 2**20  # bytes
FREE = 64 * 2**20
RATIO = 200


@dataclass
class Growth:
    """Count what comes out of a file."""

    path: Path
    size: int  # of the file itself
    grown: int = 0

    @classmethod
    def of(cls, path: Path) -> "Growth":
        return cls(path, path.stat().st_size)

    def add(self, amount: int) -> None:
        """Count more; `InputError` where it has become too much."""
        self.grown += amount
        if self.grown > max(FREE, RATIO * self.size):
            limit = f"the most that is read of a file is {FREE:,} bytes or {RATIO} times its size"
            raise FileError(f"{self.path}: its {self.size:,} bytes grow to more than {self.grown - 1:,}: {limit}")


def bounded_lines(file: BinaryIO, path: Path) -> Iterator[bytes]:
    """Yield lines with their ends, while none is too long and their sum is not too much for the file."""
    growth, number = Growth.of(path), 0
    while line := file.readline(LONGEST + 1):  # one byte more tells a line that is too long
        number += 1
        if len(line) > LONGEST:
            raise FileError(f"{path}:{number}: the line is longer than {LONGEST:,} bytes, the most that is read")
        growth.add(len(line))
        yield line


LARGEST = 2**28  # bytes of a file that is read as a whole

ENDS = (b"\r\n", b"\n")  # CR LF ends with LF, too: it comes first


def numbered_lines(path: Path, cut_off: bool = False, ends: tuple[bytes, ...] = ENDS) -> Iterator[tuple[int, bytes]]:
    """Yield (number from 1, line without its end, the first of ``ends`` that it has).

    A last line without an end means that the file was cut off, unless ``cut_off`` lets the parser find that out.
    """
    number = 0
    try:
        with _opened(path) as file:
            for number, line in enumerate(bounded_lines(file, path), 1):
                if number == 1 and line.startswith(codecs.BOM_UTF8):
                    raise FileError(f"{path}:1: starts with a byte order mark; save it as UTF-8 without one")
                if not (cut_off or line.endswith(b"\n")):
                    raise FileError(f"{path}:{number}: the last line has no end: the file may be cut off")
                yield number, line.removesuffix(next((end for end in ends if line.endswith(end)), b""))
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:  # BadGzipFile is an OSError: before it
        raise FileError(f"{path}:{number + 1}: broken gzip data: {error}") from None
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror or error}") from None


def _opened(path: Path) -> BinaryIO:
    refuse_special(path)
    if path.suffix != ".gz":
        return path.open("rb")
    if path.stat().st_size == 0:  # gzip would take nothing for an empty file
        raise FileError(f"{path}: broken gzip data: the file is empty")
    return cast(BinaryIO, gzip.open(path, "rb"))


def decoded(line: bytes) -> str:
    """Decode strict UTF-8."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise Rejected(f"not UTF-8 at byte {error.start + 1}: {error.reason}") from None
    refuse_nul(text)
    return text


def refuse_nul(text: str) -> None:
    """Refuse NUL: no text of a person holds it, and half of the tools that come after would end there."""
    if "\0" in text:
        raise Rejected("the character NUL is not text")


def _without_nul(text: str, path: Path) -> str:
    if (place := text.find("\0")) >= 0:
        line = text.count("\n", 0, place) + 1
        raise FileError(f"{path}:{line}: the character NUL is not text")
    return text


def read_text(path: Path, encoding: str = "utf-8") -> str:
    """Read a small file whole. If all lines end with CR LF, they end with LF here; if some do, nothing is changed."""
    try:
        text = _without_nul(files.read(path, LARGEST).decode(encoding), path)
        return text.replace("\r\n", "\n") if text.count("\r\n") == text.count("\n") else text
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise FileError(f"{path}:{line}: not {encoding}: {error.reason}") from None


_SURROGATE = re.compile("[\ud800-\udfff]")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)  # json would keep the last of equal names
    if len(members) < len(pairs):
        raise Rejected("a name occurs twice in one object")
    return members


def _constant(name: str) -> None:
    raise Rejected(f"{name} is not JSON")


def parse_json(text: str, constant: Callable[[str], Any] = _constant) -> Any:
    """Parse a value; no repeated names; ``constant`` reads NaN and Infinity, which are no JSON."""
    try:
        return json.loads(text, object_pairs_hook=_pairs, parse_constant=constant)
    except json.JSONDecodeError as error:
        raise Rejected(f"not JSON at character {error.pos + 1}: {error.msg}") from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, a thousand brackets
        raise Rejected(f"not JSON that can be read: {str(error).splitlines()[0]}") from None


def parse_object(line: bytes, constant: Callable[[str], Any] = _constant) -> dict[str, Any]:
    """Parse one line, one object."""
    value = parse_json(decoded(line), constant)
    if not isinstance(value, dict):
        raise Rejected("not a JSON object")
    return value


def text_of(value: Mapping[str, Any], name: str) -> str:
    """Return a field that must be a text."""
    return _whole_text(required(value, name), name)


def words_of(value: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Return a field that must be a list of words: texts that hold something and no white space at their ends."""
    words = required(value, name)
    if not isinstance(words, list):
        raise Rejected(f"{name!r} is not a list of words")
    for word in words:
        if _whole_text(word, name) != word.strip() or not word:
            raise Rejected(f"{name!r} holds {word!r}, which is no word")
    if not words:
        raise Dropped("without words")
    return tuple(words)


def _whole_text(text: Any, name: str) -> str:
    if not isinstance(text, str):
        raise Rejected(f"{name!r} is not a text")
    refuse_nul(text)
    if _SURROGATE.search(text):  # JSON may spell one: \ud800
        raise Rejected(f"{name!r} holds half a character (a lone surrogate)")
    return text


def label_of(value: Mapping[str, Any], name: str) -> str:
    """Return a field that names a class: a text, a whole number or a truth value."""
    label = required(value, name)
    if not isinstance(label, str | int):  # a truth value is an int
        raise Rejected(f"{name!r} is neither text, whole number nor truth value")
    return text_of(value, name) if isinstance(label, str) else json.dumps(label)  # true, not True


@dataclass
class Labels:
    """The classes of one file; 1 and "1" would be one class, so no file may have both."""

    kinds: dict[str, type] = field(default_factory=dict)

    def of(self, value: Mapping[str, Any], name: str) -> str:
        """Return the record's class, by the field ``name``."""
        label, kind = label_of(value, name), type(value[name])
        if self.kinds.setdefault(label, kind) is not kind:
            raise Rejected(f"the label {label} is a text in one record and not in another: write all labels alike")
        return label


def required(value: Mapping[str, Any], name: str) -> Any:
    """Return a field that must be there."""
    if name not in value:
        raise Rejected(f"no {name!r}; there is: {', '.join(map(repr, value))}")
    return value[name]


def object_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file of objects; a last one that was cut off is no JSON, so it needs no line end."""
    return numbered_lines(path, cut_off=True)
