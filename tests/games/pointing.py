"""The pointing game, item by item and straight from its definition: the slow twin of `whichword.games.columns`."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whichword.errors import InputError
from whichword.explanation import first_maximum
from whichword.games.game import Game
from whichword.types import Item, Tally


@dataclass(frozen=True)
class Outcome:
    """What one method got on one item. ``hit`` is 0 or 1, a share for expectations, None where discarded."""

    hit: float | None
    nonfinite: bool = False  # some relevance is not finite
    tie: bool = False  # the largest finite relevance occurs more than once

    @property
    def counted(self) -> bool:
        return self.hit is not None


def pointing(relevances: NDArray[np.floating[Any]], item: Item, predicted: str, game: Game) -> dict[str, Outcome]:
    """For each part of the game: hit = I[rmax in rewarded(X, f(X))]; relevances [T].

    rmax is the first maximum among the finite values; without one the item is a miss.
    """
    if relevances.shape != (len(item.words),):
        raise InputError(f"item {item.key}: {len(item.words)} words, but relevances of shape {relevances.shape}")
    rmax = first_maximum(relevances)
    nonfinite = not bool(np.isfinite(relevances).all())
    tie = rmax is not None and int(np.count_nonzero(relevances == relevances[rmax])) > 1
    return {
        part: Outcome(None if positions is None else float(rmax in positions), nonfinite, tie)
        for part, positions in game.rewarded(item, predicted).items()
    }


def expectation(item: Item, predicted: str, game: Game) -> dict[str, Outcome]:
    """What a uniformly drawn word gets on average: |rewarded| / T for each part (0 where T = 0)."""
    size = max(1, len(item.words))
    return {
        part: Outcome(None if positions is None else len(positions) / size)
        for part, positions in game.rewarded(item, predicted).items()
    }


def tally(outcomes: Iterable[Outcome]) -> Tally:
    """The counts of one part; ties and non-finite relevances are counted on items that count themselves."""
    seen = list(outcomes)
    counted = [outcome for outcome in seen if outcome.hit is not None]
    return Tally(
        hits=math.fsum(outcome.hit or 0.0 for outcome in counted),
        total=len(counted),
        discarded=len(seen) - len(counted),
        nonfinite=sum(outcome.nonfinite for outcome in counted),
        ties=sum(outcome.tie for outcome in counted),
    )


def chance(turns: Iterable[tuple[Item, str]], game: Game) -> dict[str, float | None]:
    """The chance level of each part over (item, predicted class): the mean share of rewarded words.

    None where nothing counts.
    """
    shares = [expectation(item, predicted, game) for item, predicted in turns]
    tallies = {part: tally(outcome[part] for outcome in shares) for part in game.parts}
    return {part: count.hits / count.total if count.total else None for part, count in tallies.items()}
