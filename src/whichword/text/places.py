"""Where words stand in their text, what stands between them, and the names of documents, made from their content."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

from whichword.errors import InputError
from whichword.types import Text, Written


def places(document: Written) -> list[int]:
    """Find the start of each word, [T]: its first occurrence after the word before.

    Words that were joined by spaces stand where the joining put them, also empty ones and ones that are spaces.
    """
    if document.text == " ".join(document.words):
        return list(accumulate((len(word) + 1 for word in document.words[:-1]), initial=0))[: len(document.words)]
    starts, end, find = [], 0, document.text.find
    for word in document.words:
        start = find(word, end)
        if start < 0:
            raise InputError(f"the word {word!r} does not stand in the text after character {end}")
        starts.append(start)
        end = start + len(word)
    return starts


def spans(document: Written) -> list[tuple[int, int]]:
    """Find [start, end) of each word."""
    return [(start, start + len(word)) for start, word in zip(places(document), document.words, strict=True)]


def gaps(document: Written) -> list[str]:
    """Cut out what stands before each word and after the last, [T + 1]: with the words it is the whole text."""
    edges = [(0, 0), *spans(document), (len(document.text), len(document.text))]
    return [document.text[end:start] for (_, end), (start, _) in pairwise(edges)]


def parts(document: Written, starts: Sequence[int]) -> list[Text]:
    """Cut the document before the words ``starts``; a part's text goes from its first word to its last.

    A part without a word is left out.
    """
    where, words, text = places(document), document.words, document.text
    bounds = ((start, stop) for start, stop in pairwise((*starts, len(words))) if start < stop)
    return [
        Text(words[start:stop], text[where[start] : where[stop - 1] + len(words[stop - 1])]) for start, stop in bounds
    ]


def head(document: Written, size: int | None) -> str:
    """Cut the text after its first ``size`` words; all of it stays where it has no more."""
    words = document.words[:size]
    if len(words) == len(document.words):
        return document.text
    return document.text[: spans(Text(words, document.text))[-1][1]] if words else ""


def edited(
    document: Written, cut: Sequence[bool], blank: Sequence[bool], placeholder: str
) -> tuple[tuple[str, ...], str]:
    """Edit words and text: no cut words, a placeholder for each blanked one.

    What stands between two neighbours stays; a word that goes takes along what stands before it.
    """
    between = gaps(document)
    stays = [t for t in range(len(document.words)) if not (t < len(cut) and cut[t])]
    words = tuple(placeholder if t < len(blank) and blank[t] else document.words[t] for t in stays)
    before = [between[t] if number else between[0] for number, t in enumerate(stays)]  # the text's own beginning stays
    return words, "".join(gap + word for gap, word in zip(before, words, strict=True)) + between[-1]


class _Prefixed(dict[str, bytes]):
    """A part of a document with its length before it, made when it first occurs: most words occur again."""

    MOST = 200_000  # parts that are remembered; then it begins anew
    LONGEST = 40  # characters of such a part: sentences do not occur again

    def __missing__(self, part: str) -> bytes:
        encoded = part.encode("utf-8", "surrogatepass")  # JSON may hold lone surrogates
        prefixed = len(encoded).to_bytes(8, "big") + encoded
        if len(part) <= self.LONGEST:
            if len(self) >= self.MOST:
                self.clear()
            self[part] = prefixed
        return prefixed


_PREFIXED = _Prefixed()


def content_key(*parts: str) -> str:
    """Name a document by a hash of its content (32 hexadecimal digits), the same in any order, run and machine."""
    # with their lengths, so that ("ab", "c") and ("a", "bc") differ; in C, since there is a part per word
    return hashlib.blake2b(b"".join(map(_PREFIXED.__getitem__, parts)), digest_size=16).hexdigest()


def distinct_keys(keys: Iterable[str]) -> list[str]:
    """Tell repeated contents apart: key, key-2, key-3, ..."""
    seen: Counter[str] = Counter()
    distinct = []
    for key in keys:
        seen[key] += 1
        distinct.append(key if seen[key] == 1 else f"{key}-{seen[key]}")
    return distinct
