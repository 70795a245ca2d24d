"""Tests that the claims of 2018 did not need: against chance, from column to column, from judge to judge."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from experiments.paper.evidence import Evidence, Measured
from experiments.paper.outcomes import Outcome, State
from experiments.paper.trials import NearTop
from whichword.reporting.table import interval, points


@dataclass(frozen=True)
class Seated(Measured):
    """Columns, and panels of judges: what `whichword agree` said, by the sitting's name."""

    panels: Mapping[str, Any] = field(default_factory=dict)


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


@dataclass(frozen=True)
class Convergent:
    """Two judges rank methods of single words alike: the interval of their rank correlation lies above 0.

    Games are told by how their judges' names begin: ``deletion`` is two judges.
    """

    first: str
    second: str
    panels: tuple[str, ...]

    def outcomes(self, evidence: Evidence) -> list[Outcome]:
        seated = evidence.panels if isinstance(evidence, Seated) else {}
        return [outcome for name in self.panels for outcome in self._outcomes(name, seated.get(name))]

    def _outcomes(self, name: str, panel: Mapping[str, Any] | None) -> Iterator[Outcome]:
        if panel is None:
            yield Outcome(name, "missing")
            return
        for pair in (panel["narrow"] or panel["concord"])["correlations"]:
            if self._about(pair["first"], pair["second"]):
                yield _alike(f"{name} {pair['first']} and {pair['second']}", pair)

    def _about(self, *judges: str) -> bool:
        return any(a.startswith(self.first) and b.startswith(self.second) for a, b in (judges, judges[::-1]))


def _alike(where: str, pair: Mapping[str, Any]) -> Outcome:
    low, high = pair["interval"]["low"], pair["interval"]["high"]
    state: State = "yes" if low > 0 else "no" if high < 0 else "open"
    return Outcome(where, state, f"{points(pair['value'])} [{points(low)} {points(high)}]")
