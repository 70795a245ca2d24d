"""Our column beside the paper's."""

from collections.abc import Mapping
from dataclasses import dataclass

from experiments.columns import ColumnResult, Figure
from experiments.paper.published import PublishedColumn
from whichword.method_names import BASELINES
from whichword.statistics import mean_absolute_difference, spearman


@dataclass(frozen=True)
class Compared:
    """One column. Correlation and difference are over the methods that both have, baselines left out."""

    result: ColumnResult
    published: Mapping[str, float]
    rows: Mapping[str, str]  # the paper's name -> our label

    @property
    def ours(self) -> dict[str, float]:
        known = self.result.accuracies
        return {name: known[label] for name, label in self.rows.items() if label in known}

    @property
    def correlation(self) -> float | None:
        """Spearman's."""
        return nearness(self.ours, self.published)[0]

    @property
    def difference(self) -> float | None:
        """Mean absolute difference."""
        return nearness(self.ours, self.published)[1]

    @property
    def outside(self) -> int:
        """Cells whose published figure, rounded as it is, lies outside our interval."""
        pairs = [(self.figure(name), value) for name, value in self.published.items()]
        return sum(_misses(figure, value) for figure, value in pairs if figure)

    def figure(self, row: str) -> Figure | None:
        """By the paper's name, or by the label of one of our extra rows."""
        found = self.result.figures.get(self.rows.get(row, row))
        return found if found and found.total else None


def nearness(ours: Mapping[str, float], published: Mapping[str, float]) -> tuple[float | None, float | None]:
    """Spearman's correlation and the mean absolute difference over the methods that both have."""
    pair = _methods(ours), _methods(published)
    return spearman(*pair), mean_absolute_difference(*pair)


def _misses(figure: Figure, value: float) -> bool:
    return not figure.interval.low - 0.005 <= value <= figure.interval.high + 0.005


def _methods(figures: Mapping[str, float]) -> dict[str, float | None]:
    return {name: value for name, value in figures.items() if name not in BASELINES}


def compare_all(
    results: Mapping[str, ColumnResult], published: Mapping[str, PublishedColumn], rows: Mapping[str, str]
) -> dict[str, Compared]:
    """Every column that is there."""
    known = {column: published[column].accuracies if column in published else {} for column in results}
    return {column: Compared(result, known[column], rows) for column, result in results.items()}
