"""The documents of a report with all their heat maps, packed so that the page can draw any of them on demand.

Heat maps are small whole numbers, phi' of every word in one byte. Arrays are deflated, in base64, one named element
each: what comes out can be no markup.
"""

import base64
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whichword.games import recalled
from whichword.scoring.outcomes import Judged
from whichword.text.places import gaps
from whichword.types import Item

FULL = 120  # levels on each side of 0; what is above stands for values that are not finite
NAN, INFINITE = 127, 126  # minus infinity is -126
COARSER = (FULL, 60, 30, 15)  # how far levels may fall so that the page stays small; no eye sees 30


def shades(phi: NDArray[np.float64]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Scale phi [M, T] to round(FULL phi / max|phi|) [M, T], with max|phi| [M] over the finite values of a row.

    The heat map's phi' is the first over 1.1 FULL. Zero rows stay zero.
    """
    finite = np.isfinite(phi)
    numbers = np.where(finite, phi, 0.0)
    largest = np.abs(numbers).max(axis=1, initial=0.0)
    scaled = numbers / np.where(largest > 0, largest, 1.0)[:, None]  # rows of zeros: no 0 / 0
    levels = np.rint(FULL * scaled)
    levels[~finite] = _codes(phi[~finite])
    bounded = np.minimum(largest, np.finfo(np.float32).max)  # astype would make larger ones infinite
    return levels.astype(np.int8), bounded.astype(np.float32)


def coarser(levels: NDArray[np.int8], steps: int) -> NDArray[np.int8]:
    """Keep ``steps`` levels on each side; codes for what is not finite stay."""
    finite = np.abs(levels.astype(np.int16)) <= FULL  # in int8, |-128| is -128
    return np.where(finite, np.rint(levels * (steps / FULL)), levels).astype(np.int8)


def chunks(lengths: Sequence[int], size: int) -> list[int]:
    """Find the first row of each chunk of at most ``size`` numbers (one document is always allowed)."""
    starts, filled = [0], 0  # also of no documents: one empty chunk
    for row, length in enumerate(lengths):
        if filled and filled + length > size:
            starts.append(row)
            filled = 0
        filled += length
    return starts


def _codes(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(np.isnan(values), NAN, np.sign(values) * INFINITE)


LEVEL = 6  # of zlib: higher ones take long and save little


def pack(data: bytes) -> str:
    """Pack bytes so that the page's `inflate` gives them back."""
    return base64.b64encode(zlib.compress(data, LEVEL)).decode("ascii")


def numbers(values: ArrayLike, dtype: str) -> str:
    """Pack an array, little-endian, in row order; ``dtype`` is the page's: u1, i1, u2, i2, u4, i4 or f4."""
    array = np.ascontiguousarray(values)
    kind = np.dtype(f"<{dtype}")
    if kind.kind in "iu" and array.size and not _fits(array, kind):  # astype would wrap around in silence
        raise ValueError(f"values from {array.min()} to {array.max()} do not fit into {dtype}")
    return pack(array.astype(kind).tobytes())


def bits(flags: NDArray[np.bool_]) -> str:
    """Pack truth values, eight to a byte, the first in the lowest bit."""
    return pack(np.packbits(flags, bitorder="little").tobytes())


def text(value: object) -> str:
    """Pack anything that JSON can hold."""
    return pack(json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii"))


def elements(blobs: Mapping[str, str]) -> str:
    """Write the blobs as elements that no browser runs or shows. Names are ours: letters, digits, slashes."""
    return "\n".join(_element(name, blob) for name, blob in blobs.items())


def _element(name: str, blob: str) -> str:
    return f'<script type="application/octet-stream" id="blob/{name}">{blob}</script>'  # base64 has no "<"


def _fits(array: NDArray[Any], kind: np.dtype[Any]) -> bool:
    limits = np.iinfo(kind)
    return bool(limits.min <= array.min() and array.max() <= limits.max)


CHUNK = 400_000  # relevances that are inflated together when one of their documents is looked at

Blobs = dict[str, str]


class Numbered:
    """All distinct strings of a report, numbered by how often they occur: small numbers deflate better."""

    def __init__(self, groups: Iterable[Iterable[str]]) -> None:
        counts = Counter(chain.from_iterable(groups))
        self.strings = sorted(counts, key=lambda string: (-counts[string], string))  # by string too: one run, one page
        self._numbers = {string: number for number, string in enumerate(self.strings)}

    def pack(self, groups: Iterable[Iterable[str]]) -> str:
        """Pack the numbers of all strings end to end, in as few bytes each as the page's `kindFor` expects."""
        size = len(self.strings)
        dtype = "u1" if size <= 1 << 8 else "u2" if size <= 1 << 16 else "u4"  # as kindFor in data.js
        coded = [self._numbers[string] for string in chain.from_iterable(groups)]
        return numbers(np.array(coded, dtype=np.int64), dtype)


@dataclass(frozen=True, eq=False)
class Shaded:
    """A document's heat maps: levels [M, T], max|phi| [M] and the methods' remarks [M]; what the model said of it."""

    levels: NDArray[np.int8]
    largest: NDArray[np.float32]
    notes: Sequence[str | None]
    probability: float
    seen: int
    unknown: NDArray[np.bool_]


def text_blobs(sets: Mapping[str, Sequence[Item]]) -> Blobs:
    """Pack all texts: the distinct words and the distinct gaps (most are a space or nothing), then their numbers."""
    words = {name: [item.words for item in items] for name, items in sets.items()}
    between = {name: [gaps(item) for item in items] for name, items in sets.items()}
    blobs: Blobs = {}
    for kind, strings in (("words", words), ("gaps", between)):
        numbered = Numbered(chain.from_iterable(strings.values()))
        blobs[kind] = text(numbered.strings)
        blobs |= {f"{name}/{kind}": numbered.pack(groups) for name, groups in strings.items()}
    return blobs


def set_blobs(name: str, items: Sequence[Item]) -> Blobs:
    """Pack what else all models on a set share: lengths, keys, gold classes, facts."""
    return {
        f"{name}/lengths": numbers([len(item.words) for item in items], "u4"),
        f"{name}/keys": text([item.key for item in items]),
        f"{name}/gold": text([item.gold for item in items]),
        f"{name}/facts": text([dict(item.facts) for item in items]),
    }


@dataclass(frozen=True, eq=False)
class ExploredPairing:
    """One model on the documents of one set that the page shows."""

    name: str
    game: str
    items: Sequence[Item]
    classes: tuple[str, ...]
    judged: Judged
    rows: Sequence[int]  # of ``judged``: the items' places in the set
    shaded: Sequence[Shaded]

    def blobs(self, steps: int) -> Blobs:
        """Pack everything under the names ``<name>/...``; ``steps`` is how fine heat maps are."""
        distinct, codes = _notes(self.shaded)
        width = len(self.judged.methods)
        largest = np.array([document.largest for document in self.shaded], dtype=np.float32).reshape(-1, width)
        predicted = [self.classes.index(name) for name in self._predicted]  # the page has the names once
        fixed = {
            "predicted": numbers(predicted, "u2"),
            "probability": numbers([document.probability for document in self.shaded], "f4"),
            "unknown": bits(np.concatenate([np.zeros(0, bool), *(document.unknown for document in self.shaded)])),
            "seen": numbers(self._seen, "u4"),
            "rmax": numbers(self.judged.rmax[list(self.rows)], "i4"),
            "largest": numbers(largest, "f4"),
            "notes": text(distinct),
            "note": numbers(codes, "u4"),
        }
        named = {f"{self.name}/{key}": blob for key, blob in (fixed | self._parts()).items()}
        return named | self.heat(steps)

    def heat(self, steps: int) -> Blobs:
        """Pack the heat maps in chunks: documents in order, in each of them method after method."""
        starts = self.starts()
        levels = [coarser(document.levels, steps).ravel() for document in self.shaded]
        pieces = [
            np.concatenate([np.zeros(0, np.int8), *levels[a:b]])  # concatenate refuses to join nothing
            for a, b in zip(starts, [*starts[1:], len(self.shaded)], strict=True)
        ]
        return {f"{self.name}/heat/{number}": numbers(piece, "i1") for number, piece in enumerate(pieces)}

    def starts(self) -> list[int]:
        """Find the first document of each chunk."""
        return chunks([document.levels.size for document in self.shaded], CHUNK)

    @property
    def _seen(self) -> list[int]:
        """How many words of each document the model read."""
        return [document.seen for document in self.shaded]

    @property
    def _predicted(self) -> list[str]:
        return [self.judged.predicted[row] for row in self.rows]

    def _parts(self) -> Blobs:
        """Pack for each part of the game the rewarded words, and hits (0, 1, or 2: not counted)."""
        game = recalled(self.game)
        answers = [game.rewarded(*turn) for turn in zip(self.items, self._predicted, strict=True)]
        blobs: Blobs = {}
        for number, part in enumerate(self.judged.parts):
            marks = [answer.get(part) or frozenset() for answer in answers]
            rows = zip(self.items, marks, self._seen, strict=True)
            flags = (t in rewards and t < seen for item, rewards, seen in rows for t in range(len(item.words)))
            blobs[f"right/{number}"] = bits(np.fromiter(flags, dtype=bool))
            hits = self.judged.hits[part][list(self.rows)]
            blobs[f"hits/{number}"] = numbers(np.where(np.isnan(hits), 2, hits >= 1), "u1")  # expectations are no hits
        return blobs


def fitting(played: Sequence[ExploredPairing], most: int) -> tuple[int, dict[str, Blobs]]:
    """Find the finest heat maps whose blobs fit into ``most`` characters, or the coarsest: (steps, blobs of each)."""
    blobs: dict[str, Blobs] = {pairing.name: pairing.blobs(COARSER[0]) for pairing in played}
    for finer, steps in pairwise(COARSER):
        if size(blobs) <= most:
            return finer, blobs
        blobs = {pairing.name: blobs[pairing.name] | pairing.heat(steps) for pairing in played}  # only heat shrinks
    return COARSER[-1], blobs  # still too much: the caller leaves documents out


def size(blobs: Mapping[str, Blobs]) -> int:
    return sum(len(blob) for group in blobs.values() for blob in group.values())


def _notes(shaded: Sequence[Shaded]) -> tuple[list[str], NDArray[Any]]:
    """Number the distinct remarks from 1; return them, and the number for each document and method (0: none)."""
    distinct = list(dict.fromkeys(note for document in shaded for note in document.notes if note is not None))
    numbers: dict[str | None, int] = {None: 0} | {note: number for number, note in enumerate(distinct, 1)}
    return distinct, np.array([[numbers[note] for note in document.notes] for document in shaded], dtype=np.int64)
