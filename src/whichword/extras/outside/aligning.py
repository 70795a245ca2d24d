"""Numbers on tokens or characters, laid onto an item's words: by where they stand in its text, never by markers."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from whichword.errors import InputError
from whichword.extras.outside.rows import OutsideRow
from whichword.text.places import spans
from whichword.types import Item

MARKS = re.compile(r"^(##|[\u2581\u0120\u010a ]+)|(</w>|@@)$")  # how tokenizers mark the beginning or inside of a word
SPECIAL = re.compile(r"\[(CLS|SEP|PAD|UNK|MASK)\]|<(s|/s|pad|unk|mask|bos|eos|\|[^|<>]*\|)>")
LOST = 0.25  # of the pieces: more that stand nowhere in the text, and it is another text


def on_words(row: OutsideRow, item: Item) -> NDArray[np.float64]:
    """phi [T] of the item's words; what stands outside of them is left out, several pieces of a word are added up."""
    values = np.array([np.nan if value is None else value for value in row.values], dtype=np.float64)
    if row.spans is not None:
        return _summed(values, row.spans, item)
    if row.pieces is None or row.pieces == item.words:
        if len(values) != len(item.words):
            raise InputError(f"{row.where}: {len(values)} relevances for {len(item.words)} words")
        return values
    if len(values) != len(row.pieces):
        raise InputError(f"{row.where}: {len(values)} relevances for {len(row.pieces)} pieces")
    places = piece_places(row.pieces, item.text)
    standing = [number for number, place in enumerate(places) if place is not None]
    if len(row.pieces) - len(standing) > max(2, LOST * len(row.pieces)):
        raise InputError(f"{row.where}: its pieces do not stand in the text of {item.key[:12]}")
    return _summed(values[standing], [places[number] for number in standing], item)  # type: ignore[misc]


def bare(piece: str) -> str:
    """A piece without its tokenizer's marks; nothing of a special one, as ``[CLS]`` and ``</s>`` are."""
    return "" if SPECIAL.fullmatch(piece) else MARKS.sub("", piece).strip().lower()


def piece_places(pieces: Sequence[str], text: str) -> list[tuple[int, int] | None]:
    """[start, end) of each piece, in order, whatever its case; None for pieces that are no part of the text."""
    lower, end, places = text.lower(), 0, []
    for piece in pieces:
        letters = bare(piece)
        start = lower.find(letters, end) if letters else -1
        near = start >= 0 and not lower[end:start].strip()  # nothing but space may lie between two pieces
        places.append((start, start + len(letters)) if near else None)
        end = start + len(letters) if near else end
    return places


def _summed(values: NDArray[np.float64], places: Sequence[tuple[int, int]], item: Item) -> NDArray[np.float64]:
    """Each number to the word in which its first character that is no space lies, else to the one before."""
    phi = np.zeros(len(item.words))
    starts = [start for start, _ in spans(item)]
    for value, (start, end) in zip(values, places, strict=True):
        part = item.text[start:end]
        first = start + len(part) - len(part.lstrip())
        word = int(np.searchsorted(starts, first, side="right")) - 1
        if part.strip():
            phi[max(word, 0)] += value
    return phi
