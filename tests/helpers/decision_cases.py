"""Outcomes made by hand: methods that hit the first n of some documents, or hit with a probability."""

from collections.abc import Mapping

import numpy as np

from whichword.statistics.bounds import CHANCE, Outcomes


def first_hits(counts: Mapping[str, int], total: int = 100, chance: float = 0.2) -> Outcomes:
    """Every method hits the first documents, so of two methods the better one hits wherever the other does."""
    columns = [np.arange(total) < count for count in counts.values()]
    table = np.column_stack([*columns, np.full(total, chance)]).astype(float)
    return Outcomes((*counts, CHANCE), table, [(n,) for n in range(total)])


def random_hits(shares: Mapping[str, float], total: int, chance: float, seed: int = 0) -> Outcomes:
    """Every method hits on its own account."""
    dice = np.random.default_rng(seed)
    columns = [dice.random(total) < share for share in shares.values()]
    table = np.column_stack([*columns, np.full(total, chance)]).astype(float)
    return Outcomes((*shares, CHANCE), table, [(n,) for n in range(total)])
