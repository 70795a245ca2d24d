"""The documents of a report with all their heat maps, packed so that the page can draw any of them on demand."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from whichword.experiment.judging import Judged
from whichword.experiment.reading import Prediction
from whichword.games import GAMES
from whichword.reporting import page_pack
from whichword.reporting.explorer_shades import COARSER, chunks, coarser
from whichword.types import Item

CHUNK = 400_000  # relevances that are inflated together when one of their documents is looked at

Blobs = dict[str, str]


class WordList:
    """All distinct words of a report, numbered by how often they occur: small numbers deflate better."""

    def __init__(self, texts: Iterable[Sequence[str]]) -> None:
        counts = Counter(chain.from_iterable(texts))
        self.words = sorted(counts, key=lambda word: (-counts[word], word))
        self._numbers = {word: number for number, word in enumerate(self.words)}

    @property
    def dtype(self) -> str:
        return "u2" if len(self.words) <= 1 << 16 else "u4"

    def numbers(self, words: Iterable[str]) -> list[int]:
        return [self._numbers[word] for word in words]


@dataclass(frozen=True, eq=False)
class Shaded:
    """A document's heat maps: levels [M, T], max|phi| [M] and the methods' remarks [M]."""

    levels: NDArray[np.int8]
    largest: NDArray[np.float32]
    notes: tuple[str | None, ...]


def set_blobs(name: str, items: Sequence[Item], words: WordList) -> Blobs:
    """What all models on a set share: words, lengths, keys, gold classes, facts."""
    numbers = np.array([number for item in items for number in words.numbers(item.words)], dtype=np.int64)
    return {
        f"{name}/words": page_pack.numbers(numbers, words.dtype),
        f"{name}/lengths": page_pack.numbers([len(item.words) for item in items], "u4"),
        f"{name}/keys": page_pack.text([item.key for item in items]),
        f"{name}/gold": page_pack.text([item.gold for item in items]),
        f"{name}/facts": page_pack.text([dict(item.facts) for item in items]),
    }


@dataclass(frozen=True, eq=False)
class ExploredPairing:
    """One model on the documents of one set that the page shows."""

    name: str
    game: str
    items: Sequence[Item]
    predictions: Sequence[Prediction]
    classes: tuple[str, ...]
    judged: Judged
    rows: Sequence[int]  # of ``judged``: the items' places in the set
    shaded: Sequence[Shaded]

    def blobs(self, steps: int) -> Blobs:
        """Everything under the names ``<name>/...``; ``steps`` is how fine heat maps are."""
        distinct, codes = _notes(self.shaded)
        width = len(self.judged.methods)
        largest = np.array([one.largest for one in self.shaded], dtype=np.float32).reshape(-1, width)
        fixed = {
            "predicted": page_pack.numbers([self.classes.index(one.predicted) for one in self.predictions], "u2"),
            "probability": page_pack.numbers([_probability(one, self.classes) for one in self.predictions], "f4"),
            "unknown": page_pack.bits(_flags(one.unknown for one in self.predictions)),
            "rmax": page_pack.numbers(self.judged.rmax[list(self.rows)], "i4"),
            "largest": page_pack.numbers(largest, "f4"),
            "notes": page_pack.text(distinct),
            "note": page_pack.numbers(codes, "u4"),
        }
        named = {f"{self.name}/{key}": blob for key, blob in (fixed | self._parts()).items()}
        return named | self.heat(steps)

    def heat(self, steps: int) -> Blobs:
        """The heat maps in chunks: documents in order, in each of them method after method."""
        starts = self.starts()
        pieces = [
            np.concatenate([np.zeros(0, np.int8), *(coarser(one.levels, steps).ravel() for one in self.shaded[a:b])])
            for a, b in zip(starts, [*starts[1:], len(self.shaded)], strict=True)
        ]
        return {f"{self.name}/heat/{number}": page_pack.numbers(piece, "i1") for number, piece in enumerate(pieces)}

    def starts(self) -> list[int]:
        """The first document of each chunk."""
        return chunks([one.levels.size for one in self.shaded], CHUNK)

    def _parts(self) -> Blobs:
        """For each part of the game: the rewarded words, and hits (0, 1, or 2: not counted)."""
        game = GAMES[self.game]
        turns = list(zip(self.items, self.predictions, strict=True))
        found: Blobs = {}
        for number, part in enumerate(self.judged.parts):
            right = [game.rewarded(item, said.predicted)[part] or frozenset() for item, said in turns]
            flags = (t in marks for item, marks in zip(self.items, right, strict=True) for t in range(len(item.words)))
            found[f"right/{number}"] = page_pack.bits(np.fromiter(flags, dtype=bool))
            hits = self.judged.hits[part][list(self.rows)]
            found[f"hits/{number}"] = page_pack.numbers(np.where(np.isnan(hits), 2, hits >= 1), "u1")
        return found


def fitting(played: Sequence[ExploredPairing], most: int) -> tuple[int, dict[str, Blobs]]:
    """The finest heat maps whose blobs hold at most ``most`` characters, or the coarsest: (steps, blobs of each)."""
    blobs: dict[str, Blobs] = {one.name: one.blobs(COARSER[0]) for one in played}
    for finer, steps in pairwise(COARSER):
        if size(blobs) <= most:
            return finer, blobs
        blobs = {one.name: blobs[one.name] | one.heat(steps) for one in played}
    return COARSER[-1], blobs


def size(blobs: Mapping[str, Blobs]) -> int:
    return sum(len(blob) for group in blobs.values() for blob in group.values())


def _probability(said: Prediction, classes: tuple[str, ...]) -> float:
    """p(k, X) of the predicted class."""
    scores = np.array(said.scores, dtype=np.float64)
    if not np.isfinite(scores).all():
        return float("nan")
    return float(special.softmax(scores)[classes.index(said.predicted)])


def _flags(rows: Iterable[Sequence[bool]]) -> NDArray[np.bool_]:
    return np.fromiter(chain.from_iterable(rows), dtype=bool)


def _notes(shaded: Sequence[Shaded]) -> tuple[list[str], NDArray[Any]]:
    """The distinct remarks, and for each document and method the number of its remark, from 1; 0: none."""
    distinct = list(dict.fromkeys(note for one in shaded for note in one.notes if note is not None))
    numbers: dict[str | None, int] = {None: 0} | {note: number for number, note in enumerate(distinct, 1)}
    return distinct, np.array([[numbers[note] for note in one.notes] for one in shaded], dtype=np.int64)
