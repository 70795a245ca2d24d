"""Score how well a ranking of words meets the right words: the hit, and three scorers that see more of it.

With G the right words of a document, g = |G|, T its words that are not excluded, and words ranked by relevance (the
first of equal ones first, what is not finite last):

    hit              I[rank of the best of G = 1]                       chance g / T
    mass             positive relevance inside G over all of it         chance g / T
    reciprocal_rank  1 / rank of the best of G                          chance sum_r (1/r) C(T - r, g - 1) / C(T, g)
    precision        share of the g first words that are in G           chance g / T

Chance is what the same relevances get on average in random order. A document without a right word gets 0 by all.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whichword.errors import InputError
from whichword.registry import Registry, fixed

FACTORS = 1_000_000  # of products that are held at once: 8 MB

Floats = NDArray[np.float64]
Positions = Sequence[frozenset[int] | None]  # by document; None: not counted


@dataclass(frozen=True, eq=False)
class Layout:
    """Documents end to end: ``lengths`` [N], and which of their words take part, ``counted`` [W]."""

    lengths: NDArray[np.int64]
    counted: NDArray[np.bool_]

    @staticmethod
    def of(lengths: ArrayLike, excluded: Sequence[Sequence[int]] = ()) -> "Layout":
        sizes = np.asarray(lengths, dtype=np.int64)
        counted = np.ones(int(sizes.sum()), bool)
        if any(excluded):
            counted[_places(sizes, excluded)] = False
        return Layout(sizes, counted)

    @cached_property
    def owner(self) -> NDArray[np.int64]:
        """The document of each word, [W]."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    @cached_property
    def sheets(self) -> Sequence[tuple[NDArray[np.int64], NDArray[np.bool_]]]:
        """Sheets of documents of about one length as rows: their words' numbers, and where they stand in it.

        About one: the longest has less than twice the words of the shortest, so a sheet is half full at the least.
        """
        sizes = np.frexp(self.lengths)[1]  # the exponent of 2
        return [self._sheet(np.flatnonzero(sizes == size)) for size in np.unique(sizes)]

    def _sheet(self, rows: NDArray[np.int64]) -> Any:
        columns = np.arange(self.lengths[rows].max())
        inside = columns < self.lengths[rows, None]
        return (self.starts[rows, None] + columns)[inside], inside

    def ranks(self, keys: Floats) -> NDArray[np.int64]:
        """Rank [W] from 1 in each document, the smallest key first, the first of equal ones first, NaN last.

        Row by row of a sheet: a sort of all words by document and key takes four times as long on short sentences.
        """
        ranks = np.empty(len(keys), np.int64)
        for words, inside in self.sheets:
            sheet, places = np.full(inside.shape, np.nan), np.empty(inside.shape, np.int64)
            sheet[inside] = keys[words]
            order = np.argsort(sheet, axis=1, kind="stable")
            np.put_along_axis(places, order, np.arange(1, inside.shape[1] + 1)[None, :], axis=1)
            ranks[words] = places[inside]
        return ranks

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The first word of each document."""
        return np.cumsum(self.lengths) - self.lengths

    def sums(self, values: NDArray[Any]) -> Floats:
        """Sum by document, [W] -> [N]."""
        return np.bincount(self.owner, weights=values, minlength=len(self.lengths)).astype(np.float64)


def _places(lengths: NDArray[np.int64], positions: Sequence[Collection[int]]) -> NDArray[np.int64]:
    """Number words of documents [N] that stand end to end; positions behind a document's words are left out."""
    owner, words = _flat(positions)
    inside = words < lengths[owner]
    return np.asarray(((np.cumsum(lengths) - lengths)[owner] + words)[inside])


def _flat(positions: Sequence[Collection[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Flatten positions to the document and the position of each word that is named."""
    counts = np.fromiter(map(len, positions), np.int64, len(positions))
    return np.repeat(np.arange(len(counts)), counts), np.fromiter(
        chain.from_iterable(positions), np.int64, counts.sum()
    )


@dataclass(frozen=True, eq=False)
class Gold:
    """The right words of every document: ``inside`` [W], ``sizes`` [N]; documents that are ``discarded`` [N]."""

    inside: NDArray[np.bool_]
    sizes: NDArray[np.int64]
    discarded: NDArray[np.bool_]

    @staticmethod
    def of(layout: Layout, positions: Positions) -> "Gold":
        """Mark right words; ``positions`` may be behind the words of the layout, which are those that were read.

        A document whose right words all are is not counted: the model never had one before it.
        """
        named = [words or () for words in positions]
        inside = np.zeros(len(layout.counted), bool)
        inside[_places(layout.lengths, named)] = True
        lost = np.fromiter(map(bool, named), bool, len(named)) & (layout.sums(inside) == 0)
        inside &= layout.counted
        unknown = np.fromiter((words is None for words in positions), bool, len(named))
        return Gold(inside, layout.sums(inside).astype(np.int64), unknown | lost)

    @cached_property
    def words(self) -> NDArray[np.int64]:
        """The right words' numbers in all documents; they are few, so scorers look at no others."""
        return np.flatnonzero(self.inside)

    @cached_property
    def owner(self) -> NDArray[np.int64]:
        """The document of each of these words."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def sums(self, values: NDArray[Any]) -> Floats:
        """Sum over the right words of each document."""
        return np.bincount(self.owner, weights=values, minlength=len(self.sizes)).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Points:
    """The words that one method points at: arrays [N]. ``rmax`` is -1 where nothing is finite."""

    rmax: NDArray[np.int64]
    nonfinite: NDArray[np.bool_]
    tie: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Ranking:
    """A method's ranking of the documents' words: finite relevances [W] (0 where not finite).

    The rest is made when a scorer asks for it: where a method points takes a tenth of what its whole ranking does.
    """

    layout: Layout
    values: Floats
    finite: NDArray[np.bool_]

    @staticmethod
    def of(layout: Layout, relevances: NDArray[np.floating[Any]]) -> "Ranking":
        if relevances.shape != layout.counted.shape:
            raise InputError(
                f"items of {len(layout.counted)} words together, but relevances of shape {relevances.shape}"
            )
        finite = np.isfinite(relevances) & layout.counted
        return Ranking(layout, np.where(finite, relevances, 0.0).astype(np.float64), finite)

    @cached_property
    def rank(self) -> NDArray[np.int64]:
        """Ranks from 1 in each document, [W]."""
        late = np.where(self.layout.counted, np.inf, np.nan)  # after all that is finite; NaN after infinity
        return self.layout.ranks(np.where(self.finite, -self.values, late))

    @cached_property
    def points(self) -> Points:
        """rmax by the definition: the first of the largest relevances that are finite."""
        layout, count = self.layout, len(self.layout.lengths)
        values, largest = np.where(self.finite, self.values, -np.inf), np.full(count, -np.inf)
        some = layout.lengths > 0  # reduceat takes no empty group
        largest[some] = np.maximum.reduceat(values, layout.starts[some]) if len(values) else -np.inf
        top = np.flatnonzero(self.finite & (values == np.repeat(largest, layout.lengths)))
        owner, rmax = layout.owner[top], np.full(count, -1)
        first = np.flatnonzero(np.diff(owner, prepend=-1))  # where the document changes: its first maximum
        rmax[owner[first]] = top[first] - layout.starts[owner[first]]
        broken = layout.owner[np.flatnonzero(layout.counted & ~self.finite)]
        return Points(
            rmax=rmax,
            nonfinite=np.bincount(broken, minlength=count) > 0,
            tie=np.bincount(owner, minlength=count) > 1,  # several words have the maximum
        )

    @cached_property
    def positive(self) -> Floats:
        """Relevances, 0 where they are negative, [W]."""
        return np.maximum(self.values, 0.0)

    @cached_property
    def whole(self) -> Floats:
        """All positive relevance of each document, [N]."""
        return self.layout.sums(self.positive)


def _hit(ranking: Ranking, gold: Gold) -> Floats:
    rmax, hits = ranking.points.rmax, np.zeros(len(gold.sizes))
    pointed = np.flatnonzero(rmax >= 0)
    hits[pointed] = gold.inside[ranking.layout.starts[pointed] + rmax[pointed]]  # nothing finite: a miss
    return hits


def _mass(ranking: Ranking, gold: Gold) -> Floats:
    """Score mass; 0 where no relevance is positive: such a method names no word for the class."""
    whole, right = ranking.whole, gold.sums(ranking.positive[gold.words])
    return np.divide(right, whole, out=np.zeros_like(whole), where=whole > 0)


def _reciprocal_rank(ranking: Ranking, gold: Gold) -> Floats:
    best, some = np.full(len(gold.sizes), np.inf), gold.sizes > 0
    if len(gold.words):
        best[some] = np.minimum.reduceat(ranking.rank[gold.words], (np.cumsum(gold.sizes) - gold.sizes)[some])
    return 1 / best  # 1 / infinity = 0 where no word is right


def _precision(ranking: Ranking, gold: Gold) -> Floats:
    return gold.sums(ranking.rank[gold.words] <= gold.sizes[gold.owner]) / np.maximum(1, gold.sizes)


def _share(words: int, right: int) -> float:
    return right / words if words else 0.0


@cache
def _mean_reciprocal_rank(words: int, right: int) -> float:
    """Compute E[1/R] for the smallest of ``right`` ranks of ``words``: P[R > r] = prod_j (T - r - j) / (T - j)."""
    if not right:
        return 0.0
    j, ranks = np.arange(right), np.arange(words - right + 2)
    some = np.array_split(ranks, 1 + len(ranks) * right // FACTORS)  # long documents would take gigabytes at once
    beyond = np.concatenate([np.prod(np.maximum(words - r[:, None] - j, 0) / (words - j), axis=1) for r in some])
    return float(sum(((beyond[:-1] - beyond[1:]) / ranks[1:]).tolist()))


@dataclass(frozen=True)
class Scorer:
    """A scorer: ``score`` [N] of a ranking; ``expected`` (T, g) -> what the same relevances get in random order."""

    title: str = fixed()
    about: str = fixed()
    score: Callable[[Ranking, Gold], Floats] = fixed()  # noqa: RUF009 - a field
    expected: Callable[[int, int], float] = field(default=_share, metadata={"setting": False})

    def scores(self, ranking: Ranking, gold: Gold) -> Floats:
        """Score each document, NaN where it is discarded."""
        return np.where(gold.discarded, np.nan, self.score(ranking, gold))

    def chances(self, layout: Layout, gold: Gold) -> Floats:
        """Compute the exact expectation of each document, NaN where it is discarded."""
        words, most = layout.sums(layout.counted).astype(np.int64), 1 + int(gold.sizes.max(initial=0))
        pairs, places = np.unique(words * most + gold.sizes, return_inverse=True)  # few are different
        expected = [self.expected(*divmod(pair, most)) for pair in pairs.tolist()]
        return np.where(gold.discarded, np.nan, np.array(expected, dtype=np.float64)[places])


SCORERS: Registry[Scorer] = Registry("scorer", "whichword.scorers")
SCORERS.register("hit", Scorer("hits", "is the most relevant word a right one?", _hit))
SCORERS.register("mass", Scorer("mass", "how much of the positive relevance lies on right words?", _mass))
SCORERS.register(
    "reciprocal_rank",
    Scorer("reciprocal rank", "how early does a right word come?", _reciprocal_rank, _mean_reciprocal_rank),
)
SCORERS.register(
    "precision",
    Scorer("precision at k", "of the first k words, k being how many are right, how many are?", _precision),
)
