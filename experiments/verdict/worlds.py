"""Made-up games: true accuracies, and documents on which the methods' hits hang together as they do in real runs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from whichword.statistics.bounds import CHANCE, Outcomes

METHODS = 19
FAMILY = 4  # neighbours that are right and wrong together more than others


@dataclass(frozen=True)
class World:
    """``truth`` is the accuracy of each method. The worse a method, the cheaper it is, so that a rule is tempted.

    Hit i on a document: sqrt(document) a + sqrt(family) b_family + sqrt(1 - document - family) e_i < z_i with standard
    normal a, b, e and P[hit i] = truth_i. Some documents are easy for all methods, some for a family.
    """

    name: str
    truth: tuple[float, ...]
    chance: float = 0.25
    document: float = 0.5
    family: float = 0.3

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"m{i:02d}" for i in range(len(self.truth)))

    @property
    def seconds(self) -> Mapping[str, float]:
        return dict(zip(self.names, self.truth, strict=True))

    def cost(self, name: str, dearest: float) -> float:
        """Seconds per document: the worst method takes 1, the best ``dearest``, a baseline next to nothing."""
        if name not in self.names:
            return 1e-3
        low, high = min(self.truth), max(self.truth)
        share = self.names.index(name) / len(self.names) if low == high else (self._true(name) - low) / (high - low)
        return float(dearest**share)

    def behind(self, name: str) -> float:
        """How much worse than the best it truly is."""
        return max(self.truth) - self._true(name)

    def _true(self, name: str) -> float:
        return self.truth[self.names.index(name)]

    def draw(self, documents: int, random: np.random.Generator) -> Outcomes:
        """Hits on so many documents, with chance and a baseline that is a little better."""
        count = len(self.truth)
        common = random.standard_normal((documents, 1))
        families = np.repeat(random.standard_normal((documents, -(-count // FAMILY))), FAMILY, axis=1)[:, :count]
        alone = random.standard_normal((documents, count))
        remainder = max(0.0, 1 - self.document - self.family)
        z = np.sqrt(self.document) * common + np.sqrt(self.family) * families + np.sqrt(remainder) * alone
        hits = (z < stats.norm.ppf(self.truth)).astype(np.float64)
        others = [self._chance(documents, random), random.random(documents) < self.chance + 0.02]
        table = np.column_stack([hits, *others])
        return Outcomes((*self.names, CHANCE, "last"), table, [(n,) for n in range(documents)])

    def _chance(self, documents: int, random: np.random.Generator) -> NDArray[np.float64]:
        """The share of right words differs from document to document."""
        return random.beta(8 * self.chance, 8 * (1 - self.chance), documents)


def _same(first: float, others: float) -> tuple[float, ...]:
    return (first, *[others] * (METHODS - 1))


def _levels(make: Callable[[int], float]) -> tuple[float, ...]:
    return tuple(make(i) for i in range(METHODS))


WORLDS = (
    World("all the same", _same(0.75, 0.75)),
    World("all the same, near chance", _same(0.56, 0.56), chance=0.54),
    World("one better by 5 points", _same(0.80, 0.75)),
    World("one better by 5 points, the others copies of it", _same(0.80, 0.75), document=1.0, family=0.0),
    World("one better by 5 points, near certainty", _same(1.0, 0.95)),
    World("half better by 5 points", _levels(lambda i: 0.80 if i % 2 else 0.75)),
    World("one better by 10 points", _same(0.80, 0.70)),
    World("half better by 10 points", _levels(lambda i: 0.80 if i % 2 else 0.70)),
    World("a ladder from .85 down to .40", _levels(lambda i: 0.85 - 0.025 * i)),
    World("two methods, 5 points apart", (0.80, 0.75)),
    World("two methods, 10 points apart", (0.80, 0.70)),
)
