"""Comparing one column of a table with another.

Parts of a run that are looked at apart: by class, length, attractors, right or wrong.

Is a method's lead nothing but width? A game that rewards whole fragments rewards wide windows.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from whichword.statistics.tests import Comparison, compare, holm
from whichword.types import NUMBERS, Item


def spearman(first: Mapping[str, float | None], second: Mapping[str, float | None]) -> float | None:
    """Rank correlation over the methods that both columns have: Pearson's r of the ranks, ties sharing their mean rank.

    None where fewer than two methods are left or a column is constant.
    """
    x, y = (stats.rankdata(column) for column in _common(first, second))
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    x, y = x - x.mean(), y - y.mean()
    return float(x @ y / np.sqrt((x @ x) * (y @ y)))


def mean_absolute_difference(first: Mapping[str, float | None], second: Mapping[str, float | None]) -> float | None:
    """The mean of |first - second| over the methods that both columns have; None where there is none."""
    x, y = _common(first, second)
    return float(np.mean(np.abs(x - y))) if len(x) else None


def _common(
    first: Mapping[str, float | None], second: Mapping[str, float | None]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    pairs = [(value, second[name]) for name, value in first.items() if name in second]
    values = np.array([pair for pair in pairs if None not in pair], dtype=np.float64).reshape(-1, 2)
    return values[:, 0], values[:, 1]


EDGES = (5, 10, 20, 50, 100, 200, 500)  # the last length of each bucket


def slice_facts(item: Item, predicted: str) -> dict[str, str]:
    """What an item can be sliced by: its own facts, the predicted class, its length, and right or wrong if known.

    The forms of its verb are as many as there are verbs, and no slices.
    """
    outcome = {} if item.gold is None else {"prediction": "correct" if predicted == item.gold else "wrong"}
    facts = {name: value for name, value in item.facts.items() if name not in NUMBERS}
    return {**facts, "class": predicted, "length": length_bucket(len(item.words)), **outcome}


def length_bucket(words: int, edges: Sequence[int] = EDGES) -> str:
    """The bucket of a length, as text: 0-5, 6-10, ..., 501+."""
    place = bisect_left(edges, words)
    first = edges[place - 1] + 1 if place else 0
    return f"{first}-{edges[place]}" if place < len(edges) else f"{first}+"


def slices(facts: Sequence[Mapping[str, str]], by: str) -> dict[str, NDArray[np.int64]]:
    """The rows of each value of the fact ``by``, values in natural order; rows without it are in no slice."""
    rows: dict[str, list[int]] = {}
    for row, fact in enumerate(facts):
        if by in fact:
            rows.setdefault(fact[by], []).append(row)
    return {value: np.array(rows[value], dtype=np.int64) for value in sorted(rows, key=_natural)}


def _natural(value: str) -> tuple[bool, int, str]:
    """2 before 10, and 6-10 before 11-20; what starts with no number comes last."""
    number = value.split("-")[0].rstrip("+")
    return (False, int(number), value) if number.isdecimal() else (True, 0, value)


_WIDE = re.compile(r"(?P<stem>.+_)(?P<width>[1-9][0-9]*)(?P<settings>\[.*\])?")


@dataclass(frozen=True)
class Width:
    """``wide`` against ``narrow``, the same method with a window of one word; significantly better."""

    wide: str
    narrow: str
    over: Comparison


def narrow_sibling(method: str) -> str | None:
    """``omit_7`` -> ``omit_1``; None for a method without a window, or with one of one word."""
    match = _WIDE.fullmatch(method)
    if match is None or match["width"] == "1":
        return None
    return f"{match['stem']}1{match['settings'] or ''}"


def leads_by_width(hits: Mapping[str, NDArray[np.float64]], alpha: float = 0.05) -> list[Width]:
    """Hits [D] per method (nan: not counted): the wide windows that beat one word, Holm-corrected."""
    counted = {name: values[~np.isnan(values)] for name, values in hits.items()}
    pairs = {name: narrow for name in hits if (narrow := narrow_sibling(name)) in hits and len(counted[name])}
    tests = {name: compare(counted[name], counted[str(narrow)]) for name, narrow in pairs.items()}
    p = holm({name: test.p for name, test in tests.items()})
    return [
        Width(name, str(pairs[name]), test) for name, test in tests.items() if test.difference > 0 and p[name] < alpha
    ]
