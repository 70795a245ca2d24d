"""Lines of a file, plain or gzip: they end with LF or CR LF and nothing else, and are decoded strictly as UTF-8."""

import codecs
import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from whichword.base import files
from whichword.base.files import refuse_special
from whichword.corpora.building import Rejected
from whichword.corpora.sizes import bounded_lines
from whichword.errors import InputError

LARGEST = 2**28  # bytes of a file that is read as a whole

ENDS = (b"\r\n", b"\n")


def numbered_lines(path: Path, cut_off: bool = False, ends: tuple[bytes, ...] = ENDS) -> Iterator[tuple[int, bytes]]:
    """(number from 1, line without its end, the first of ``ends`` that it has).

    A last line without an end means that the file was cut off, unless ``cut_off`` lets the parser find that out.
    """
    number = 0
    try:
        with _opened(path) as file:
            for number, line in enumerate(bounded_lines(file, path), 1):
                if number == 1 and line.startswith(codecs.BOM_UTF8):
                    raise InputError(f"{path}:1: starts with a byte order mark; save it as UTF-8 without one")
                if not (cut_off or line.endswith(b"\n")):
                    raise InputError(f"{path}:{number}: the last line has no end: the file may be cut off")
                yield number, line.removesuffix(next((end for end in ends if line.endswith(end)), b""))
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{path}:{number + 1}: broken gzip data: {error}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None


def _opened(path: Path) -> BinaryIO:
    refuse_special(path)
    if path.suffix != ".gz":
        return path.open("rb")
    if path.stat().st_size == 0:  # gzip would take nothing for an empty file
        raise InputError(f"{path}: broken gzip data: the file is empty")
    return cast(BinaryIO, gzip.open(path, "rb"))


def decoded(line: bytes) -> str:
    """Strict UTF-8."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise Rejected(f"not UTF-8 at byte {error.start + 1}: {error.reason}") from None
    refuse_nul(text)
    return text


def refuse_nul(text: str) -> None:
    """No text of a person holds it; half of the tools that come after would end there."""
    if "\0" in text:
        raise Rejected("the character NUL is not text")


def _without_nul(text: str, path: Path) -> str:
    if (place := text.find("\0")) >= 0:
        line = text.count("\n", 0, place) + 1
        raise InputError(f"{path}:{line}: the character NUL is not text")
    return text


def read_text(path: Path, encoding: str = "utf-8") -> str:
    """A whole small file. Where all lines end with CR LF, they end with LF here; where some do, all is as it stands."""
    try:
        text = _without_nul(files.read(path, LARGEST).decode(encoding), path)
        return text.replace("\r\n", "\n") if text.count("\r\n") == text.count("\n") else text
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise InputError(f"{path}:{line}: not {encoding}: {error.reason}") from None
