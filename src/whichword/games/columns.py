"""Play the pointing game for many items at once: is rmax among the rewarded positions?"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whichword.games.game import Game
from whichword.games.scorers import Layout, Points, Positions, Ranking
from whichword.types import Item, Tally


def point(
    relevances: NDArray[np.floating[Any]], lengths: ArrayLike, counted: NDArray[np.bool_] | None = None
) -> Points:
    """Find rmax by the definition for every item, from ``relevances`` [sum of T] end to end and ``lengths`` [N].

    Words that are not ``counted`` [sum of T] are not looked at.
    """
    layout = Layout.of(lengths)
    return Ranking.of(layout if counted is None else replace(layout, counted=counted), relevances).points


def rewarded(turns: Iterable[tuple[Item, str]], game: Game) -> dict[str, list[frozenset[int] | None]]:
    """Collect by part the rewarded positions of every (item, predicted class): asked once, used by all methods."""
    answers = [game.rewarded(item, predicted) for item, predicted in turns]
    return {part: [answer[part] for answer in answers] for part in game.parts}


def hits(points: Points, positions: Positions) -> NDArray[np.float64]:
    """Compute 1 or 0 for every item [N], NaN where it is discarded."""
    pairs = zip(points.rmax.tolist(), positions, strict=True)
    return np.array(
        [np.nan if rewards is None else float(rmax in rewards) for rmax, rewards in pairs], dtype=np.float64
    )


def shares(lengths: ArrayLike, positions: Positions) -> NDArray[np.float64]:
    """Compute |rewarded| / T for every item [N] (0 where T = 0), NaN where it is discarded: what `random` gets."""
    sizes = np.maximum(1, np.asarray(lengths, dtype=np.int64))  # an empty text has no right word: 0 / 1
    counts = np.array([np.nan if rewards is None else len(rewards) for rewards in positions], dtype=np.float64)
    return counts / sizes


def count(values: NDArray[np.float64], points: Points | None = None) -> Tally:
    """Count the values of `hits` or `shares`; flags are counted on items that count themselves."""
    counted = ~np.isnan(values)
    return Tally(
        hits=float(values[counted].sum()),
        total=int(counted.sum()),
        discarded=int((~counted).sum()),
        nonfinite=int(points.nonfinite[counted].sum()) if points else 0,
        ties=int(points.tie[counted].sum()) if points else 0,
    )


def mean_counted(values: NDArray[np.float64]) -> float | None:
    """Average over items that count; None where none does."""
    counted = values[~np.isnan(values)]
    return float(counted.sum()) / len(counted) if len(counted) else None
