"""Sentences, words and the vocabulary.

Words are NLTK's (`NLTKWordTokenizer`, sentence by sentence), but always in the original characters: NLTK turns ``"``
into two backticks or two apostrophes; here it stays ``"``. So a word is a slice of its text, and the words cover
everything that is not white space, in order.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from whichword.errors import InputError

if TYPE_CHECKING:
    from nltk.tokenize import NLTKWordTokenizer
    from nltk.tokenize.punkt import PunktSentenceTokenizer

_CLOSERS = frozenset("])}>\"'»”’")  # what may follow the full stop that ends a sentence
_CUT = re.compile(r"([«»“”„‘’\";@#$%&?!*<>(){}\[\]\u2012-\u2015])")  # each is a word wherever it stands
_SPECIAL = re.compile(r"[`':,]|\.\.|--|(?i:cannot|gimme|gonna|gotta|lemme|wanna)")  # what else may be cut
_STOP = re.compile(r"(.*[^.])\.([])}>\"'»”’]*)", re.DOTALL)  # the full stop that ends a sentence


@cache
def _nltk() -> "NLTKWordTokenizer":
    """NLTK's rules compiled by `re`: newer NLTK guards each by a timer, which on short strings costs five times more.

    NLTK is imported when the first text is cut, since it takes as long to import as torch.
    """
    from nltk.tokenize import NLTKWordTokenizer

    tokenizer = NLTKWordTokenizer()
    for name in ("STARTING_QUOTES", "PUNCTUATION", "ENDING_QUOTES"):
        setattr(tokenizer, name, [_compiled(rule) for rule in getattr(tokenizer, name)])
    for name in ("PARENS_BRACKETS", "DOUBLE_DASHES"):
        setattr(tokenizer, name, _compiled(getattr(tokenizer, name)))
    return tokenizer


def _compiled(rule: tuple[re.Pattern[str], str]) -> tuple[re.Pattern[str], str]:
    regex, by = rule
    return re.compile(regex.pattern, regex.flags & (re.I | re.U)), by


class Token(NamedTuple):
    """A word and its place: ``word == text[start:end]``."""

    word: str
    start: int
    end: int


@cache
def _punkt() -> tuple[str, "PunktSentenceTokenizer"]:
    from nltk.tokenize.punkt import PunktSentenceTokenizer, PunktTokenizer

    try:
        return "punkt_tab english", PunktTokenizer("english")
    except LookupError:
        return "punkt untrained", PunktSentenceTokenizer()


def sentence_model() -> str:
    """Which Punkt splits sentences: the trained English one where NLTK's data is installed, else the untrained."""
    return _punkt()[0]


def split_sentences(text: str) -> list[tuple[int, int]]:
    """The [start, end) of each sentence, without the white space around it; together they cover all other text."""
    begins = [0, *(start for start, _ in _punkt()[1].span_tokenize(text) if start)]
    spans = (_stripped(text, start, end) for start, end in zip(begins, [*begins[1:], len(text)], strict=True))
    return [(start, end) for start, end in spans if start < end]


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())


def tokenize(text: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """(words, index of the first word of each sentence)."""
    found: list[str] = []
    starts: list[int] = []
    for start, end in split_sentences(text):
        starts.append(len(found))
        found.extend(sentence_words(text[start:end]))
    return tuple(found), tuple(starts)


def words(text: str) -> list[Token]:
    """The words with their places in ``text``."""
    return list(_placed(tokenize(text)[0], text))


def _placed(found: Iterable[str], text: str) -> Iterator[Token]:
    end = 0
    for word in found:
        start = text.index(word, end)
        end = start + len(word)
        yield Token(word, start, end)


def sentence_words(sentence: str) -> list[str]:
    """NLTK's words of one sentence, chunk by chunk.

    All of NLTK's rules look at one chunk between white space, except the one that cuts off the last full stop, which
    may be followed by closing quotes and brackets. So chunks are cut once and remembered: five times faster.
    """
    chunks = sentence.split()
    last = len(chunks) - 1
    while last > 0 and _CLOSERS.issuperset(chunks[last]):
        last -= 1
    found = [word for chunk in chunks[:last] for word in _inner(chunk)]
    head = len(sentence.rsplit(None, len(chunks) - last)[0]) if last > 0 else 0
    found.extend(_final(sentence[head:].strip()))
    return found


@lru_cache(maxsize=1 << 17)
def _inner(chunk: str) -> tuple[str, ...]:
    """The words of a chunk inside a sentence."""
    return tuple(word for piece in _CUT.split(chunk) if piece for word in _piece(piece))


@lru_cache(maxsize=1 << 15)
def _piece(piece: str) -> tuple[str, ...]:
    """The words of a chunk without brackets and the like (NLTK is given a next word, which is dropped again)."""
    if _SPECIAL.search(piece) is None:
        return (piece,)
    if piece[-1] in ",:" and len(piece) > 1 and _SPECIAL.search(piece[:-1]) is None:
        return piece[:-1], piece[-1]
    return _original(_nltk().tokenize(f" {piece} x")[:-1], piece)


def _final(chunks: str) -> tuple[str, ...]:
    """The words of the end of a sentence; quotes apart from the full stop have rules of their own, so NLTK sees all."""
    if len(chunks.split()) > 1:
        return _original(_nltk().tokenize(f" {chunks}"), chunks)
    stop = _STOP.fullmatch(chunks)
    return (*_inner(stop[1]), ".", *_inner(stop[2])) if stop else _inner(chunks)


def _original(tokens: Sequence[str], text: str) -> tuple[str, ...]:
    """NLTK's tokens in the original characters: only ``"`` and ``''`` are ever rewritten, as two characters."""
    found: list[str] = []
    place = 0
    for token in tokens:
        while text[place].isspace():
            place += 1
        size = len(token) if text.startswith(token, place) else 1 if text[place] == '"' else 2
        found.append(text[place : place + size])
        place += size
    if text[place:].strip():
        raise RuntimeError(f"NLTK's words {tokens!r} do not cover {text!r}")
    return tuple(found)


@dataclass(frozen=True)
class Vocabulary:
    """The known words: word i has row i, every other word (oov) has the last row, ``len(words)``."""

    words: tuple[str, ...]
    _rows: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rows: dict[str, int] = {}
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
        """The row of each word."""
        rows, oov = self._rows, len(self.words)
        return [rows.get(word, oov) for word in words]

    @classmethod
    def build(cls, documents: Iterable[Iterable[str]], size: int = 50_000) -> "Vocabulary":
        """The ``size`` most frequent words, most frequent first; equally frequent ones in the order of characters."""
        counts: Counter[str] = Counter()
        for words in documents:
            counts.update(words)
        ranked = sorted((-count, word) for word, count in counts.items() if _storable(word))
        return cls(tuple(word for _, word in ranked[:size]))

    def save(self, path: str | Path) -> None:
        """One word a line, UTF-8."""
        Path(path).write_bytes("".join(f"{word}\n" for word in self.words).encode())

    @classmethod
    def load(cls, path: str | Path) -> "Vocabulary":
        """Read what `save` wrote; lines end with "\\n" and nothing else."""
        try:
            content = Path(path).read_bytes()
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        lines = [_line(line, f"{path}:{number}") for number, line in enumerate(content.split(b"\n"), 1)]
        if lines.pop():
            raise InputError(f"{path}:{len(lines) + 1}: the line has no end: the file was cut off")
        _check_lines(lines, path)
        return cls(tuple(lines))


def _line(line: bytes, where: str) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: not UTF-8: {error.reason}") from None


def _check_lines(lines: Sequence[str], path: str | Path) -> None:
    seen: dict[str, int] = {}
    for number, word in enumerate(lines, 1):
        if not word:
            raise InputError(f"{path}:{number}: an empty line is no word")
        if seen.setdefault(word, number) != number:
            raise InputError(f"{path}:{number}: {word!r} is also on line {seen[word]}")


def _storable(word: str) -> bool:
    """A non-empty line of strict UTF-8."""
    return bool(word) and "\n" not in word and (word.isascii() or not any("\ud800" <= c <= "\udfff" for c in word))


def content_key(*parts: str) -> str:
    """A document's name: a hash of its content (32 hexadecimal digits), the same in any order, run and machine."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))  # so that ("ab", "c") and ("a", "bc") differ
        digest.update(data)
    return digest.hexdigest()


def distinct_keys(keys: Iterable[str]) -> list[str]:
    """Repeated contents told apart: key, key-2, key-3, ..."""
    seen: Counter[str] = Counter()
    found = []
    for key in keys:
        seen[key] += 1
        found.append(key if seen[key] == 1 else f"{key}-{seen[key]}")
    return found
