"""Keep the known words, also in a text file."""

import codecs
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from whichword.base import files
from whichword.errors import FileError, InputError


class _Rows(dict[str, int]):
    """Map words to rows; a word that is not there has the row ``oov``, and is not remembered."""

    def __init__(self, oov: int) -> None:
        super().__init__()
        self.oov = oov

    def __missing__(self, word: str) -> int:
        return self.oov


@dataclass(frozen=True)
class Vocabulary:
    """The known words: word i has row i, every other word (oov) has the last row, ``len(words)``."""

    words: tuple[str, ...]
    _rows: "_Rows" = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rows = _Rows(len(self.words))
        for row, word in enumerate(self.words):
            if not _storable(word):
                raise InputError(f"vocabulary: word {row + 1}, {word!r}, cannot be kept as a line of a text file")
            if rows.setdefault(word, row) != row:
                raise InputError(f"vocabulary: word {row + 1}, {word!r}, is also word {rows[word] + 1}")
        object.__setattr__(self, "_rows", rows)

    def __len__(self) -> int:
        return len(self.words) + 1

    def __contains__(self, word: object) -> bool:
        return word in self._rows

    def ids(self, words: Iterable[str]) -> list[int]:
        """Look up the row of each word."""
        return list(map(self._rows.__getitem__, words))  # in C: there is a call per word of every text

    def unknown(self, ids: Sequence[int]) -> tuple[bool, ...]:
        """Mark which of these rows are of unknown words; mostly none is, and that is seen at once."""
        row = len(self.words)
        return tuple(number == row for number in ids) if row in ids else (False,) * len(ids)

    @classmethod
    def build(cls, documents: Iterable[Iterable[str]], size: int = 50_000) -> "Vocabulary":
        """Build from the ``size`` most frequent words, most frequent first, equally frequent ones by characters."""
        counts: Counter[str] = Counter()
        for words in documents:
            counts.update(words)
        ranked = sorted((-count, word) for word, count in counts.items() if _storable(word))
        return cls(tuple(word for _, word in ranked[:size]))

    def save(self, path: str | Path) -> None:
        """Write one word per line, UTF-8."""
        files.write(path, "".join(f"{word}\n" for word in self.words).encode())

    @classmethod
    def load(cls, path: str | Path) -> "Vocabulary":
        """Read what `save` wrote; lines end with "\\n" and nothing else."""
        try:
            content = files.read(path)
        except OSError as error:
            raise FileError(f"{path}: cannot be read: {error.strerror}") from None
        _check_form(content, path)
        lines = [_line(line, f"{path}:{number}") for number, line in enumerate(content.split(b"\n"), 1)]
        if lines.pop():
            raise FileError(f"{path}:{len(lines) + 1}: the line has no end: the file was cut off")
        _check_lines(lines, path)
        return cls(tuple(lines))


def _check_form(content: bytes, path: str | Path) -> None:
    """Refuse what editors add to a text file: it would make other words of its lines, and move every row."""
    if content.startswith(codecs.BOM_UTF8):
        raise FileError(f"{path}:1: starts with a byte order mark: it is not the file that was saved")
    if (place := content.find(b"\r\n")) >= 0:
        number = content.count(b"\n", 0, place) + 1
        raise FileError(f"{path}:{number}: the line ends with \\r\\n: it is not the file that was saved")


def _line(line: bytes, where: str) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise FileError(f"{where}: not UTF-8: {error.reason}") from None


def _check_lines(lines: Sequence[str], path: str | Path) -> None:
    seen: dict[str, int] = {}
    for number, word in enumerate(lines, 1):
        if not word:
            raise FileError(f"{path}:{number}: an empty line is no word")
        if seen.setdefault(word, number) != number:
            raise FileError(f"{path}:{number}: {word!r} is also on line {seen[word]}")


def _storable(word: str) -> bool:
    """Tell whether a word makes a line of strict UTF-8 that `_check_form` does not take for another file's."""
    if not word or "\n" in word or word[-1] == "\r" or word[0] == "\ufeff":
        return False
    return word.isascii() or not any("\ud800" <= c <= "\udfff" for c in word)  # the quick test settles most words
