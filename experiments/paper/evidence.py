"""What claims are tested on: our results with their uncertainty, or the paper's own figures taken as exact."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Protocol

from experiments.columns import ColumnResult
from experiments.paper.published import PublishedColumn
from whichword.method_names import BASELINES
from whichword.statistics import mcnemar
from whichword.statistics.tests import Interval

Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class Difference:
    """Accuracy minus accuracy, with its 95 % interval and a two-sided p."""

    value: float
    low: float
    high: float
    p: float


class Evidence(Protocol):
    """Figures by column and by the paper's names of the methods."""

    def methods(self, column: str) -> Mapping[str, float]:
        """Accuracies of the paper's methods, baselines left out; nothing where the column is missing."""

    def between(self, column: str, first: str, second: str) -> Difference:
        """Two methods on the documents of one column."""

    def interval(self, column: str, method: str) -> Interval:
        """Of one accuracy."""

    def chance(self, column: str) -> float:
        """What a word drawn at random gets."""


@dataclass(frozen=True)
class Measured:
    """Our results. ``rows`` maps the paper's names to our labels."""

    results: Mapping[str, ColumnResult]
    rows: Mapping[str, str]

    def methods(self, column: str) -> Mapping[str, float]:
        if column not in self.results:
            return {}
        known = self.results[column].accuracies
        return {name: known[label] for name, label in self.rows.items() if label in known and name not in BASELINES}

    def between(self, column: str, first: str, second: str) -> Difference:
        result = self.results[column]
        return paired(*result.discordant(self.rows[first], self.rows[second]), result.counted)

    def interval(self, column: str, method: str) -> Interval:
        return self.results[column].figures[self.rows[method]].interval

    def chance(self, column: str) -> float:
        return self.results[column].figures[self.rows["random"]].accuracy


@dataclass(frozen=True)
class Printed:
    """The paper's table: no documents, so every difference counts as it stands."""

    columns: Mapping[str, PublishedColumn]

    def methods(self, column: str) -> Mapping[str, float]:
        if column not in self.columns:
            return {}
        return {name: value for name, value in self.columns[column].accuracies.items() if name not in BASELINES}

    def between(self, column: str, first: str, second: str) -> Difference:
        figures = self.columns[column].accuracies
        value = round(figures[first] - figures[second], 2)
        return Difference(value, value, value, 0.0 if value else 1.0)

    def interval(self, column: str, method: str) -> Interval:
        value = self.columns[column].accuracies[method]
        return Interval(value, value)

    def chance(self, column: str) -> float:
        return self.columns[column].accuracies["random"]


def paired(only_first: int, only_second: int, total: int) -> Difference:
    """Exact McNemar's p; the interval is Agresti and Min's: Wald's after adding a half to each of the four counts.

    With b, c the discordant counts + 1/2 and n + 2 documents: (b - c)/n -+ z sqrt(b + c - (b - c)^2 / n) / n.
    """
    b, c, n = only_first + 0.5, only_second + 0.5, total + 2
    half = Z * math.sqrt(b + c - (b - c) ** 2 / n) / n
    centre = (b - c) / n
    value = (only_first - only_second) / total if total else 0.0
    p = mcnemar(only_first, only_second)
    return Difference(value, min(value, centre - half), max(value, centre + half), p)


def unpaired(first: float, of_first: Interval, second: float, of_second: Interval) -> Difference:
    """Newcombe's interval from two Wilson intervals: d - sqrt((p1 - l1)^2 + (u2 - p2)^2) and its mirror image."""
    value = first - second
    low = value - math.hypot(first - of_first.low, of_second.high - second)
    high = value + math.hypot(of_first.high - first, second - of_second.low)
    return Difference(value, low, high, math.nan)
