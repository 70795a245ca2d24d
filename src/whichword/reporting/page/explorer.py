"""The documents of a report with all their heat maps, packed so that the page can draw any of them on demand."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from whichword.games import recalled
from whichword.reporting.page import page_pack
from whichword.reporting.page.explorer_shades import COARSER, chunks, coarser
from whichword.runs.run import Prediction
from whichword.scoring.judged import Judged
from whichword.text.places import gaps
from whichword.types import Item

CHUNK = 400_000  # relevances that are inflated together when one of their documents is looked at

Blobs = dict[str, str]


class Numbered:
    """All distinct strings of a report, numbered by how often they occur: small numbers deflate better."""

    def __init__(self, groups: Iterable[Iterable[str]]) -> None:
        counts = Counter(chain.from_iterable(groups))
        self.strings = sorted(counts, key=lambda string: (-counts[string], string))
        self._numbers = {string: number for number, string in enumerate(self.strings)}

    def pack(self, groups: Iterable[Iterable[str]]) -> str:
        """The numbers of all strings end to end, in as few bytes each as the page's `kindFor` expects."""
        size = len(self.strings)
        dtype = "u1" if size <= 1 << 8 else "u2" if size <= 1 << 16 else "u4"
        coded = [self._numbers[string] for string in chain.from_iterable(groups)]
        return page_pack.numbers(np.array(coded, dtype=np.int64), dtype)


@dataclass(frozen=True, eq=False)
class Shaded:
    """A document's heat maps: levels [M, T], max|phi| [M] and the methods' remarks [M]."""

    levels: NDArray[np.int8]
    largest: NDArray[np.float32]
    notes: tuple[str | None, ...]


def text_blobs(sets: Mapping[str, Sequence[Item]]) -> Blobs:
    """The texts of all sets: the distinct words and the distinct gaps (most are a space or nothing), then numbers."""
    words = {name: [item.words for item in items] for name, items in sets.items()}
    between = {name: [gaps(item) for item in items] for name, items in sets.items()}
    blobs: Blobs = {}
    for kind, strings in (("words", words), ("gaps", between)):
        numbered = Numbered(chain.from_iterable(strings.values()))
        blobs[kind] = page_pack.text(numbered.strings)
        blobs |= {f"{name}/{kind}": numbered.pack(groups) for name, groups in strings.items()}
    return blobs


def set_blobs(name: str, items: Sequence[Item]) -> Blobs:
    """What else all models on a set share: lengths, keys, gold classes, facts."""
    return {
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
        largest = np.array([document.largest for document in self.shaded], dtype=np.float32).reshape(-1, width)
        predicted = [self.classes.index(prediction.predicted) for prediction in self.predictions]
        probability = [_probability(prediction, self.classes) for prediction in self.predictions]
        fixed = {
            "predicted": page_pack.numbers(predicted, "u2"),
            "probability": page_pack.numbers(probability, "f4"),
            "unknown": page_pack.bits(_flags(prediction.unknown for prediction in self.predictions)),
            "seen": page_pack.numbers(self._seen, "u4"),
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
        levels = [coarser(document.levels, steps).ravel() for document in self.shaded]
        pieces = [
            np.concatenate([np.zeros(0, np.int8), *levels[a:b]])
            for a, b in zip(starts, [*starts[1:], len(self.shaded)], strict=True)
        ]
        return {f"{self.name}/heat/{number}": page_pack.numbers(piece, "i1") for number, piece in enumerate(pieces)}

    def starts(self) -> list[int]:
        """The first document of each chunk."""
        return chunks([document.levels.size for document in self.shaded], CHUNK)

    @property
    def _seen(self) -> list[int]:
        """How many words of each document the model read."""
        return [entry.seen for entry in self.predictions]

    def _parts(self) -> Blobs:
        """For each part of the game: the rewarded words, and hits (0, 1, or 2: not counted)."""
        game = recalled(self.game)
        turns = zip(self.items, self.predictions, strict=True)
        answers = [game.rewarded(item, prediction.predicted) for item, prediction in turns]
        blobs: Blobs = {}
        for number, part in enumerate(self.judged.parts):
            marks = [answer.get(part) or frozenset() for answer in answers]
            rows = zip(self.items, marks, self._seen, strict=True)
            flags = (t in rewards and t < seen for item, rewards, seen in rows for t in range(len(item.words)))
            blobs[f"right/{number}"] = page_pack.bits(np.fromiter(flags, dtype=bool))
            hits = self.judged.hits[part][list(self.rows)]
            blobs[f"hits/{number}"] = page_pack.numbers(np.where(np.isnan(hits), 2, hits >= 1), "u1")
        return blobs


def fitting(played: Sequence[ExploredPairing], most: int) -> tuple[int, dict[str, Blobs]]:
    """The finest heat maps whose blobs hold at most ``most`` characters, or the coarsest: (steps, blobs of each)."""
    blobs: dict[str, Blobs] = {pairing.name: pairing.blobs(COARSER[0]) for pairing in played}
    for finer, steps in pairwise(COARSER):
        if size(blobs) <= most:
            return finer, blobs
        blobs = {pairing.name: blobs[pairing.name] | pairing.heat(steps) for pairing in played}
    return COARSER[-1], blobs


def size(blobs: Mapping[str, Blobs]) -> int:
    return sum(len(blob) for group in blobs.values() for blob in group.values())


def _probability(prediction: Prediction, classes: tuple[str, ...]) -> float:
    """p(k, X) of the predicted class."""
    scores = np.array(prediction.scores, dtype=np.float64)
    if not np.isfinite(scores).all():
        return float("nan")
    return float(special.softmax(scores)[classes.index(prediction.predicted)])


def _flags(rows: Iterable[Sequence[bool]]) -> NDArray[np.bool_]:
    return np.fromiter(chain.from_iterable(rows), dtype=bool)


def _notes(shaded: Sequence[Shaded]) -> tuple[list[str], NDArray[Any]]:
    """The distinct remarks, and for each document and method the number of its remark, from 1; 0: none."""
    distinct = list(dict.fromkeys(note for document in shaded for note in document.notes if note is not None))
    numbers: dict[str | None, int] = {None: 0} | {note: number for number, note in enumerate(distinct, 1)}
    return distinct, np.array([[numbers[note] for note in document.notes] for document in shaded], dtype=np.int64)
