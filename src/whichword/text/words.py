"""Sentences by NLTK's Punkt, and words: NLTK's, but always in the original characters.

NLTK turns ``"`` into two backticks or two apostrophes; here it stays ``"``. So a word is a slice of its text, and the
words cover everything that is not white space, in order.

NLTK from 3.10 on guards every pattern by a timer, which on short strings costs three to five times the work itself. The
patterns here are NLTK's own, compiled by `re`, and are only given single words and the surroundings of a full stop.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from whichword.text.places import spans
from whichword.types import Text

_FLAGS = re.I | re.M | re.S | re.U | re.X


def plain(pattern: Any) -> re.Pattern[str]:
    """Compile the same pattern without the guard."""
    return re.compile(pattern.pattern, pattern.flags & _FLAGS)


def plain_members(owner: object, start: str) -> dict[str, re.Pattern[str]]:
    """Collect {name: pattern} of an owner's members whose names begin with ``start``."""
    members = {name: getattr(owner, name, None) for name in dir(owner) if name.startswith(start)}
    return {name: plain(value) for name, value in members.items() if hasattr(value, "pattern")}


_CLOSERS = frozenset("])}>\"'»”’")  # what may follow the full stop that ends a sentence
_CUT = re.compile(r"([«»“”„‘’\";@#$%&?!*<>(){}\[\]\u2012-\u2015])")  # each is a word wherever it stands
_SPECIAL = re.compile(r"[`':,]|\.\.|--|(?i:cannot|gimme|gonna|gotta|lemme|wanna)")  # what else may be cut
_STOP = re.compile(r"(.*[^.])\.([])}>\"'»”’]*)", re.DOTALL)  # the full stop that ends a sentence


class Token(NamedTuple):
    """A word and its place: ``word == text[start:end]``."""

    word: str
    start: int
    end: int


@cache
def _nltk() -> Any:
    """Load NLTK's tokenizer on first use, with its rules compiled by `re`."""
    from nltk.tokenize import NLTKWordTokenizer

    class Words(NLTKWordTokenizer):  # type: ignore[misc]
        STARTING_QUOTES = _plain(NLTKWordTokenizer.STARTING_QUOTES)
        PUNCTUATION = _plain(NLTKWordTokenizer.PUNCTUATION)
        ENDING_QUOTES = _plain(NLTKWordTokenizer.ENDING_QUOTES)
        PARENS_BRACKETS = _plain([NLTKWordTokenizer.PARENS_BRACKETS])[0]
        DOUBLE_DASHES = _plain([NLTKWordTokenizer.DOUBLE_DASHES])[0]

    return Words()


def _plain(rules: Iterable[tuple[Any, str]]) -> list[tuple[re.Pattern[str], str]]:
    return [(plain(pattern), by) for pattern, by in rules]


def tokenize(text: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Split a text into words, and say where each sentence begins."""
    tokens: list[str] = []
    starts: list[int] = []
    for start, end in split_sentences(text):
        starts.append(len(tokens))
        tokens.extend(sentence_words(text[start:end]))
    return tuple(tokens), tuple(starts)


def words(text: str) -> list[Token]:
    """Find the words with their places in ``text``."""
    tokens, _ = tokenize(text)
    return [Token(word, *span) for word, span in zip(tokens, spans(Text(tokens, text)), strict=True)]


def sentence_words(sentence: str) -> list[str]:
    """Split one sentence into NLTK's words, chunk by chunk.

    All of NLTK's rules look at one chunk between white space, except the one that cuts off the last full stop, which
    may be followed by closing quotes and brackets. So chunks are cut once and remembered: five times faster.
    """
    chunks = sentence.split()
    last = len(chunks) - 1
    while last > 0 and _CLOSERS.issuperset(chunks[last]):  # closing quotes and brackets apart from the full stop
        last -= 1
    tokens = [word for chunk in chunks[:last] for word in _inner(chunk)]
    head = len(sentence.rsplit(None, len(chunks) - last)[0]) if last > 0 else 0
    tokens.extend(_final(sentence[head:].strip()))  # only here may a full stop be cut off
    return tokens


@lru_cache(maxsize=1 << 17)
def _inner(chunk: str) -> tuple[str, ...]:
    """Split a chunk inside a sentence."""
    return tuple(word for piece in _CUT.split(chunk) if piece for word in _piece(piece))


@lru_cache(maxsize=1 << 15)
def _piece(piece: str) -> tuple[str, ...]:
    """Split a chunk without brackets and the like (NLTK is given a next word, which is dropped again)."""
    if _SPECIAL.search(piece) is None:
        return (piece,)
    if piece[-1] in ",:" and len(piece) > 1 and _SPECIAL.search(piece[:-1]) is None:
        return piece[:-1], piece[-1]
    return _original(_nltk().tokenize(f" {piece} x")[:-1], piece)


def _final(chunks: str) -> tuple[str, ...]:
    """Split the end of a sentence; quotes apart from the full stop have rules of their own, so NLTK sees all of it."""
    if len(chunks.split()) > 1:
        return _original(_nltk().tokenize(f" {chunks}"), chunks)
    stop = _STOP.fullmatch(chunks)
    return (*_inner(stop[1]), ".", *_inner(stop[2])) if stop else _inner(chunks)


def _original(tokens: Sequence[str], text: str) -> tuple[str, ...]:
    """Put NLTK's tokens back into original characters: only ``"`` and ``''`` are rewritten, as two characters."""
    originals: list[str] = []
    place = 0
    for token in tokens:
        while text[place].isspace():
            place += 1
        size = len(token) if text.startswith(token, place) else 1 if text[place] == '"' else 2
        originals.append(text[place : place + size])
        place += size
    if text[place:].strip():
        raise RuntimeError(f"NLTK's words {tokens!r} do not cover {text!r}")
    return tuple(originals)


# ---------------------------------------------------------------------------------------------------------------------
# Sentences


@cache
def _punkt() -> tuple[str, Any]:
    """Load Punkt, trained where NLTK's data is installed, on first use: NLTK takes a second."""
    from nltk.tokenize.punkt import PunktLanguageVars, PunktSentenceTokenizer, PunktToken, PunktTokenizer

    language = PunktLanguageVars()
    language.word_tokenize("")
    language.period_context_re()  # both make their patterns on first use
    for name, pattern in plain_members(language, "_re_").items():
        setattr(language, name, pattern)
    token = type("Token", (PunktToken,), {"__slots__": (), **plain_members(PunktToken, "_RE_")})
    try:
        name, trained = "punkt_tab english", PunktTokenizer("english")._params
    except LookupError:
        name, trained = "punkt untrained", None
    return name, PunktSentenceTokenizer(trained, lang_vars=language, token_cls=token)


def sentence_model() -> str:
    """Name the Punkt that splits sentences: the trained English one where NLTK's data is installed, or not."""
    return _punkt()[0]


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Find [start, end) of each sentence, without the white space around it; together they cover all other text."""
    # starts alone, so that nothing between sentences is lost
    begins = [0, *(start for start, _ in _punkt()[1].span_tokenize(text) if start)]
    spans = (_stripped(text, start, end) for start, end in zip(begins, [*begins[1:], len(text)], strict=True))
    return [(start, end) for start, end in spans if start < end]


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())
