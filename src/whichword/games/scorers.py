"""How well a ranking of words meets the words that are right: the hit, and three scorers that see more of it.

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

FACTORS = 1_000_000  # of products, that are held at once

Floats = NDArray[np.float64]
Positions = Sequence[frozenset[int] | None]


@dataclass(frozen=True, eq=False)
class Layout:
    """Documents end to end: ``lengths`` [N], the document of each word ``owner`` [W], and which words take part."""

    lengths: NDArray[np.int64]
    owner: NDArray[np.int64]
    counted: NDArray[np.bool_]

    @staticmethod
    def of(lengths: ArrayLike, excluded: Sequence[Sequence[int]] = ()) -> "Layout":
        sizes = np.asarray(lengths, dtype=np.int64)
        counted = np.ones(int(sizes.sum()), bool)
        if excluded:
            counted[_places(sizes, excluded)] = False
        return Layout(sizes, np.repeat(np.arange(len(sizes)), sizes), counted)

    @cached_property
    def sheets(self) -> Sequence[tuple[NDArray[np.int64], NDArray[np.bool_]]]:
        """Documents of about one length as the rows of a sheet: their words' numbers, and where they stand in it.

        About one: the longest has less than twice the words of the shortest, so a sheet is half full at the least.
        """
        starts, sizes = np.cumsum(self.lengths) - self.lengths, np.frexp(self.lengths)[1]
        return [self._sheet(starts, np.flatnonzero(sizes == size)) for size in np.unique(sizes)]

    def _sheet(self, starts: NDArray[np.int64], rows: NDArray[np.int64]) -> Any:
        columns = np.arange(self.lengths[rows].max())
        inside = columns < self.lengths[rows, None]
        return (starts[rows, None] + columns)[inside], inside

    def ranks(self, keys: Floats) -> NDArray[np.int64]:
        """[W] -> from 1 in each document, the smallest key first, the first of equal ones first, NaN last.

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

    def sums(self, values: NDArray[Any]) -> Floats:
        """Per document, [W] -> [N]."""
        return np.bincount(self.owner, weights=values, minlength=len(self.lengths)).astype(np.float64)


def _places(lengths: NDArray[np.int64], positions: Sequence[Collection[int]]) -> NDArray[np.int64]:
    """Words of documents [N] that stand end to end, by their numbers in all of them."""
    starts, counts = np.cumsum(lengths) - lengths, [len(words) for words in positions]
    return np.repeat(starts, counts) + np.fromiter(chain.from_iterable(positions), np.int64, sum(counts))


@dataclass(frozen=True, eq=False)
class Gold:
    """The right words of every document: ``inside`` [W], ``sizes`` [N]; documents that are ``discarded`` [N]."""

    inside: NDArray[np.bool_]
    sizes: NDArray[np.int64]
    discarded: NDArray[np.bool_]

    @staticmethod
    def of(layout: Layout, positions: Positions) -> "Gold":
        inside = np.zeros(len(layout.owner), bool)
        inside[_places(layout.lengths, [words or () for words in positions])] = True
        inside &= layout.counted
        discarded = np.array([words is None for words in positions], dtype=bool)
        return Gold(inside, layout.sums(inside).astype(np.int64), discarded)


@dataclass(frozen=True, eq=False)
class Ranking:
    """What a method says of the documents: finite relevances [W] (0 where not finite) and ranks from 1 [W]."""

    layout: Layout
    values: Floats
    finite: NDArray[np.bool_]
    rank: NDArray[np.int64]

    @staticmethod
    def of(layout: Layout, relevances: NDArray[np.floating[Any]]) -> "Ranking":
        if relevances.shape != layout.owner.shape:
            raise InputError(f"items of {len(layout.owner)} words together, but relevances of shape {relevances.shape}")
        finite = np.isfinite(relevances) & layout.counted
        values = np.where(finite, relevances, 0.0).astype(np.float64)
        late = np.where(layout.counted, np.inf, np.nan)  # after all that is finite; NaN after infinity
        return Ranking(layout, values, finite, layout.ranks(np.where(finite, -values, late)))


def _hit(ranking: Ranking, gold: Gold) -> Floats:
    return np.minimum(1.0, ranking.layout.sums(gold.inside & ranking.finite & (ranking.rank == 1)))


def _mass(ranking: Ranking, gold: Gold) -> Floats:
    """0 where no relevance is positive: such a method names no word for the class."""
    positive = np.maximum(ranking.values, 0.0)
    whole = ranking.layout.sums(positive)
    return np.divide(ranking.layout.sums(positive * gold.inside), whole, out=np.zeros_like(whole), where=whole > 0)


def _reciprocal_rank(ranking: Ranking, gold: Gold) -> Floats:
    best = np.full(len(gold.sizes), np.inf)
    np.minimum.at(best, ranking.layout.owner[gold.inside], ranking.rank[gold.inside])
    return 1 / best


def _precision(ranking: Ranking, gold: Gold) -> Floats:
    among = gold.inside & (ranking.rank <= gold.sizes[ranking.layout.owner])
    return ranking.layout.sums(among) / np.maximum(1, gold.sizes)


def _share(words: int, right: int) -> float:
    return right / words if words else 0.0


@cache
def _mean_reciprocal_rank(words: int, right: int) -> float:
    """E[1/R] for the smallest of ``right`` ranks drawn from ``words``: P[R > r] = prod_j (T - r - j) / (T - j)."""
    if not right:
        return 0.0
    j, ranks = np.arange(right), np.arange(words - right + 2)
    some = np.array_split(ranks, 1 + len(ranks) * right // FACTORS)
    beyond = np.concatenate([np.prod(np.maximum(words - r[:, None] - j, 0) / (words - j), axis=1) for r in some])
    return float(sum(((beyond[:-1] - beyond[1:]) / ranks[1:]).tolist()))


@dataclass(frozen=True)
class Scorer:
    """``score`` [N] of a ranking; ``expected`` (T, g) -> what the same relevances get in random order."""

    title: str = fixed()
    about: str = fixed()
    score: Callable[[Ranking, Gold], Floats] = fixed()  # noqa: RUF009 - a field
    expected: Callable[[int, int], float] = field(default=_share, metadata={"setting": False})

    def scores(self, ranking: Ranking, gold: Gold) -> Floats:
        """Per document, nan where it is discarded."""
        return np.where(gold.discarded, np.nan, self.score(ranking, gold))

    def chances(self, layout: Layout, gold: Gold) -> Floats:
        """The exact expectation per document, nan where it is discarded."""
        words = layout.sums(layout.counted).astype(int).tolist()
        expected = [self.expected(*pair) for pair in zip(words, gold.sizes.tolist(), strict=True)]
        return np.where(gold.discarded, np.nan, np.array(expected, dtype=np.float64))


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
