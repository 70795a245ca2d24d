"""Tests that the claims of 2018 did not need: against chance, and from one column to another."""

from dataclasses import dataclass

from experiments.paper.evidence import Evidence
from experiments.paper.outcomes import Outcome, State
from experiments.paper.trials import NearTop
from whichword.reporting.numbers import interval, points


@dataclass(frozen=True)
class Chance:
    """The method's interval does not lie above what a word drawn at random gets: yes below it, open where it is in."""

    methods: tuple[str, ...]
    columns: tuple[str, ...]

    def outcomes(self, evidence: Evidence) -> list[Outcome]:
        return [self._outcome(evidence, column, method) for column in self.columns for method in self.methods]

    def _outcome(self, evidence: Evidence, column: str, method: str) -> Outcome:
        figure = evidence.methods(column).get(method)
        if figure is None:
            return Outcome(f"{column} {method}", "missing")
        bounds, chance = evidence.interval(column, method), evidence.chance(column)
        state: State = "no" if bounds.low > chance else "yes" if bounds.high < chance else "open"
        return Outcome(f"{column} {method}", state, f"{points(figure)} {interval(bounds)}, chance {points(chance)}")


@dataclass(frozen=True)
class Carries:
    """The best method of the first column is at most five points behind the best of the second, in each pair."""

    pairs: tuple[tuple[str, str], ...]

    def outcomes(self, evidence: Evidence) -> list[Outcome]:
        return [self._outcome(evidence, *pair) for pair in self.pairs]

    def _outcome(self, evidence: Evidence, first: str, second: str) -> Outcome:
        earlier, later = evidence.methods(first), evidence.methods(second)
        shared = {method: figure for method, figure in earlier.items() if method in later}
        if not shared:
            return Outcome(f"{first} to {second}", "missing")
        best = max(shared, key=lambda method: shared[method])
        (outcome,) = NearTop((best,), (second,)).outcomes(evidence)
        return Outcome(f"{first} to {outcome.where}", outcome.state, outcome.numbers)
