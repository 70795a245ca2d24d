"""Compare deletion curves, normalised per document between the best and the worst order of its words.

With p(S) the probability of the explained class where the words S are taken away, an order of words pi, its first m
words pi_m and sizes M (1, 2, ... up to half of the words):

    comprehensiveness(pi) = mean over m in M of p(nothing) - p(pi_m)             high: the first words were needed
    sufficiency(pi)       = mean over m in M of p(all but pi_m) - p(nothing)     high: the first words do alone
    normalised            = (value - worst) / (best - worst)

Raw values depend on how far a model's probability can fall in this text at all; normalised ones do not. A table holds
the mean of these ratios, so that each document counts alike; one whose best and worst order lie no further apart than
arithmetic in single precision can push a probability says nothing about orders and is not counted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from whichword.errors import SettingError
from whichword.games.game import GAMES, Measured, Measurement, Part, Rewarded, cut_item
from whichword.games.noise import LEVELS, exchanged, generator
from whichword.games.searching import Ask, Sets, along, beam, copies, exhaustive, sizes
from whichword.types import Document, Item

BEST, RANDOM = "best order", "random order"  # rows of its own beside the methods: the ceiling and the floor
ROUNDING = 1e-6  # of a probability: some eight units in the last place of single precision


@GAMES.register("deletion")
@dataclass(frozen=True)
class DeletionGame(Measured):
    """Normalised comprehensiveness and sufficiency. Documents of up to ``exact`` words are searched exhaustively.

    Longer ones by a beam of ``width`` ways, at ``steps`` sizes at most; what exceeds ``cut`` words is left out.
    ``draws`` random orders say what chance gets. A document in which no order makes a difference is discarded.
    """

    width: int = 3
    exact: int = 7
    steps: int = 8
    draws: int = 8
    cut: int | None = 200

    decides: ClassVar[bool] = False
    ceiling: ClassVar[str] = BEST
    floor: ClassVar[str] = RANDOM
    counts: ClassVar[tuple[Part, ...]] = (
        Part("comprehensiveness", truth="words whose loss lowers the predicted class's probability most"),
        Part("sufficiency", truth="words that alone keep the predicted class's probability"),
    )
    rules: ClassVar[str] = (
        "The words of a document are taken away in the order of their relevance, or all others are. The fall of the "
        "explained class's probability is compared with that of the best and of the worst order of the same "
        "document: 1 is the best order, 0 the worst."
    )
    caveats: ClassVar[tuple[str, ...]] = (
        "Deletion asks the network about texts that nobody would write, so it judges explanations partly by answers to "
        "nonsense, and methods that delete words themselves play at home: it never decides alone.",
    )

    def __post_init__(self) -> None:
        for name in ("width", "steps", "draws"):
            if getattr(self, name) < 1:
                raise SettingError(f"game deletion: {name} must be at least 1, not {getattr(self, name)}")
        if not 0 <= self.exact <= 12:  # 2^12 copies of a document; each word more doubles them
            raise SettingError(f"game deletion: exact must be 0 to 12 words, not {self.exact}")
        if self.cut is not None and self.cut < 2:  # one word has one order
            raise SettingError(f"game deletion: cut must be at least 2, not {self.cut}")

    @property
    def rows(self) -> tuple[str, ...]:
        return (BEST, RANDOM, *(f"{BEST}, {100 * level:.0f} % noise" for level in LEVELS[1:]))

    def items(self, documents: Sequence[Document], seed: int) -> tuple[Item, ...]:
        return tuple(cut_item(document, self.cut) for document in documents)

    def rewarded(self, item: Item, predicted: str) -> Rewarded:
        return dict.fromkeys(self.parts)

    def cost(self, words: int, methods: int) -> int:
        """Count the copies of a document of so many words, at most."""
        at = sizes(words, self.steps)
        curves = methods + self.draws + len(LEVELS)
        return 4 * copies(words, at, self.width, self.exact) + 2 * len(at) * curves  # 2 parts, and best and worst each

    def measure(
        self, item: Item, relevances: Mapping[str, NDArray[np.floating[Any]]], probability: Ask
    ) -> dict[str, Measurement]:
        words = len(next(iter(relevances.values())))
        if words < 2:
            return {name: Measurement(dict.fromkeys(self.parts, np.nan)) for name in (*relevances, *self.rows)}
        curves = _Curves(sizes(words, self.steps), words, _remembered(probability))
        phis = {name: _ranked(phi) for name, phi in relevances.items()}
        by_part = [self._normalised(part, curves, phis, item.key) for part in self.parts]
        values = {name: {p: by_part[i][name] for i, p in enumerate(self.parts)} for name in by_part[0]}
        return {name: Measurement(values[name], curves.probabilities(phis.get(name))) for name in values}

    def _normalised(self, part: str, curves: "_Curves", phis: Mapping[str, list[int]], key: str) -> dict[str, float]:
        top, highest = self._search(curves, part, 1.0)
        _, lowest = self._search(curves, part, -1.0)
        dice = generator(0, "deletion", key)  # by the document alone: the same orders for every model and method
        drawn = [dice.permutation(curves.words).tolist() for _ in range(self.draws)]
        noisy = {f"{BEST}, {100 * level:.0f} % noise": _noisy(top, key, level) for level in LEVELS[1:]}
        curves.ask_at_once(part, [*phis.values(), *drawn, *noisy.values()])
        raw = {name: curves.value(part, order) for name, order in phis.items()}
        raw[RANDOM] = float(np.mean([curves.value(part, order) for order in drawn]))
        raw |= {BEST: highest} | {name: curves.value(part, order) for name, order in noisy.items()}
        high, low = max(raw.values()), min(-lowest, *raw.values())  # a beam may be beaten by a method's own order
        return {name: (value - low) / (high - low) if high - low > ROUNDING else np.nan for name, value in raw.items()}

    def _search(self, curves: "_Curves", part: str, sign: float) -> tuple[list[int], float]:
        """Search the best order by sign times the value; return it with that value."""

        def ask(sets: Sets) -> NDArray[np.float64]:
            return sign * curves.values(part, sets)

        if curves.words <= self.exact:
            return exhaustive(curves.words, curves.at, ask)
        return beam(curves.words, curves.at, ask, self.width)


@dataclass(frozen=True, eq=False)
class _Curves:
    """The curves of one document: sizes, and p of the explained class where the words of a set are taken away."""

    at: tuple[int, ...]
    words: int
    probability: Ask

    def values(self, part: str, sets: Sets) -> NDArray[np.float64]:
        """Compute what each set is worth."""
        whole = self.probability(np.zeros((1, self.words), bool))[0]
        if part == "comprehensiveness":
            return np.asarray(whole - self.probability(sets))
        return np.asarray(self.probability(~sets) - whole)

    def value(self, part: str, order: list[int]) -> float:
        return float(np.mean(self.values(part, along(order, self.at, self.words))))

    def ask_at_once(self, part: str, orders: Sequence[list[int]]) -> None:
        """Ask about all copies of these orders at once, so that a model reads them in batches; answers are kept."""
        self.values(part, np.concatenate([along(order, self.at, self.words) for order in orders]))

    def probabilities(self, order: list[int] | None) -> tuple[float, ...]:
        """List the probabilities of the edited copies that an order makes."""
        if order is None:
            return ()
        sets = along(order, self.at, self.words)
        return tuple(self.probability(np.concatenate([sets, ~sets])).tolist())


def _ranked(phi: NDArray[np.floating[Any]]) -> list[int]:
    """Rank words by relevance, the first of equal ones first, what is not finite last."""
    finite = np.isfinite(phi)
    order: list[int] = np.lexsort((-np.where(finite, phi, 0.0), ~finite)).tolist()
    return order


def _noisy(order: list[int], key: str, level: float) -> list[int]:
    """Let some words exchange their places in an order."""
    ranks = np.argsort(np.asarray(order), kind="stable").astype(np.float64)
    return _ranked(-exchanged(ranks, key, level))  # a rank is small for the first word, a relevance large


def _remembered(ask: Ask) -> Ask:
    """Remember answers: equal sets are asked about once."""
    answers: dict[bytes, float] = {}

    def remembering(sets: Sets) -> NDArray[np.float64]:
        names = [row.tobytes() for row in sets]
        fresh = {name: row for name, row in zip(names, sets, strict=True) if name not in answers}
        if fresh:
            answers.update(zip(fresh, ask(np.array(list(fresh.values()))).tolist(), strict=True))
        return np.array([answers[name] for name in names])

    return remembering
