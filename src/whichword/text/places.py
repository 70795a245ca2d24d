"""Where words stand in their text, and what stands between them."""

from collections.abc import Sequence
from itertools import pairwise

from whichword.errors import InputError
from whichword.types import Written


def places(document: Written) -> list[int]:
    """The start of each word, [T]: its first occurrence after the word before."""
    starts, end = [], 0
    for word in document.words:
        start = document.text.find(word, end)
        if start < 0:
            raise InputError(f"the word {word!r} does not stand in the text after character {end}")
        starts.append(start)
        end = start + len(word)
    return starts


def spans(document: Written) -> list[tuple[int, int]]:
    """[start, end) of each word."""
    return [(start, start + len(word)) for start, word in zip(places(document), document.words, strict=True)]


def gaps(document: Written) -> list[str]:
    """What stands before each word and after the last one, [T + 1]: together with the words, the whole text."""
    edges = [(0, 0), *spans(document), (len(document.text), len(document.text))]
    return [document.text[end:start] for (_, end), (start, _) in pairwise(edges)]


def part(document: Written, start: int, stop: int) -> str:
    """The text of words start..stop-1, from the first character of the first to the last of the last."""
    where: Sequence[tuple[int, int]] = spans(document)[start:stop]
    return document.text[where[0][0] : where[-1][1]] if where else ""


def edited(
    document: Written, cut: Sequence[bool], blank: Sequence[bool], placeholder: str
) -> tuple[tuple[str, ...], str]:
    """Words and text without the cut words, a placeholder for each blanked one.

    What stands between two neighbours stays; a word that goes takes along what stands before it.
    """
    between = gaps(document)
    stays = [t for t in range(len(document.words)) if not (t < len(cut) and cut[t])]
    words = tuple(placeholder if t < len(blank) and blank[t] else document.words[t] for t in stays)
    before = [between[t] if number else between[0] for number, t in enumerate(stays)]
    return words, "".join(gap + word for gap, word in zip(before, words, strict=True)) + between[-1]
