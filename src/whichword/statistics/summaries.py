"""What a table is summed up by: columns compared, parts of a run looked at apart, and leads that are nothing but width.

A game that rewards whole fragments rewards wide windows.
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
    """Correlate ranks over the methods that both columns have: Pearson's r, ties sharing their mean rank.

    None where fewer than two methods are left or a column is constant.
    """
    x, y = (stats.rankdata(column) for column in _common(first, second))
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:  # a constant has no r
        return None
    x, y = x - x.mean(), y - y.mean()
    return float(x @ y / np.sqrt((x @ x) * (y @ y)))


def mean_absolute_difference(first: Mapping[str, float | None], second: Mapping[str, float | None]) -> float | None:
    """Average |first - second| over the methods that both columns have; None where there is none."""
    x, y = _common(first, second)
    return float(np.mean(np.abs(x - y))) if len(x) else None


def _common(
    first: Mapping[str, float | None], second: Mapping[str, float | None]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    pairs = [(value, second[name]) for name, value in first.items() if name in second]
    values = np.array([pair for pair in pairs if None not in pair], dtype=np.float64).reshape(-1, 2)
    return values[:, 0], values[:, 1]  # also of no pair: both empty


EDGES = (5, 10, 20, 50, 100, 200, 500)  # the last length of each bucket


def slice_facts(item: Item, predicted: str) -> dict[str, str]:
    """List what an item can be sliced by: its own facts, the predicted class, its length, and right or wrong if known.

    The forms of its verb are as many as there are verbs, and no slices.
    """
    outcome = {} if item.gold is None else {"prediction": "correct" if predicted == item.gold else "wrong"}
    facts = {name: value for name, value in item.facts.items() if name not in NUMBERS}
    return {**facts, "class": predicted, "length": length_bucket(len(item.words)), **outcome}


def length_bucket(words: int, edges: Sequence[int] = EDGES) -> str:
    """Name the bucket of a length: 0-5, 6-10, ..., 501+."""
    place = bisect_left(edges, words)  # left: an edge ends its bucket
    first = edges[place - 1] + 1 if place else 0
    return f"{first}-{edges[place]}" if place < len(edges) else f"{first}+"


def slices(facts: Sequence[Mapping[str, str]], by: str) -> dict[str, NDArray[np.int64]]:
    """Find the rows of each value of the fact ``by``, values in natural order; rows without it are in no slice."""
    rows: dict[str, list[int]] = {}
    for row, fact in enumerate(facts):
        if by in fact:
            rows.setdefault(fact[by], []).append(row)
    return {value: np.array(rows[value], dtype=np.int64) for value in sorted(rows, key=_natural)}


def _natural(value: str) -> tuple[bool, int, str]:
    """Sort 2 before 10, and 6-10 before 11-20; what starts with no number comes last."""
    number = value.split("-")[0].rstrip("+")
    return (False, int(number), value) if number.isdecimal() else (True, 0, value)  # int refuses ²


_WIDE = re.compile(r"(?P<stem>.+_)(?P<width>[1-9][0-9]*)(?P<settings>\[.*\])?")  # omit_7, with settings or not


@dataclass(frozen=True)
class Width:
    """``wide`` against ``narrow``, the same method with a window of one word; significantly better."""

    wide: str
    narrow: str
    over: Comparison


def narrow_sibling(method: str) -> str | None:
    """Turn ``omit_7`` into ``omit_1``; None for a method without a window, or with one of one word."""
    match = _WIDE.fullmatch(method)
    if match is None or match["width"] == "1":
        return None
    return f"{match['stem']}1{match['settings'] or ''}"


def leads_by_width(hits: Mapping[str, NDArray[np.float64]], alpha: float = 0.05) -> list[Width]:
    """Find wide windows that beat one word, Holm-corrected, by hits [D] per method (nan: not counted)."""
    counted = {name: values[~np.isnan(values)] for name, values in hits.items()}
    pairs = {name: narrow for name in hits if (narrow := narrow_sibling(name)) in hits and len(counted[name])}
    tests = {name: compare(counted[name], counted[str(narrow)]) for name, narrow in pairs.items()}
    p = holm({name: test.p for name, test in tests.items()})  # over all windows of the column
    return [
        Width(name, str(pairs[name]), test) for name, test in tests.items() if test.difference > 0 and p[name] < alpha
    ]
