"""What methods will cost: measured where they have played, by formula and the model's measured speed where not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from statistics import median

from whichword import models
from whichword.base.runtime import one_thread
from whichword.method_names import BASELINES
from whichword.methods import plan
from whichword.model import Model, stopwatch
from whichword.planning.preparing import Prepared
from whichword.planning.work import work
from whichword.runs.plan import Pairing
from whichword.runs.receipts import Receipt
from whichword.types import Item
from whichword.workers.explaining import Explainer


@dataclass
class CostEstimate:
    """Seconds per document of each method of a contest: its even share of what its team takes, and what it takes alone.

    ``words`` that a method has passed through the model per document, its share of the team's, by formula; ``measured``
    seconds and documents; ``timed`` those alone. ``mates``: how many are in its team, where it has one.
    """

    words: Mapping[str, float]
    measured: dict[str, tuple[float, int]] = field(default_factory=dict)
    timed: dict[str, tuple[float, int]] = field(default_factory=dict)
    mates: Mapping[str, int] = field(default_factory=dict)

    @staticmethod
    def of(teams: Sequence[Pairing], model: Model, lengths: Sequence[int]) -> CostEstimate:
        typical = sorted(lengths)[:: max(1, len(lengths) // 20)]
        words = {team.labels: _mean_work(team.labels, model, typical) / len(team.labels) for team in teams}
        return CostEstimate(
            {label: share for labels, share in words.items() for label in labels},
            mates={label: len(labels) for labels in words for label in labels},
        )

    def note(self, receipt: Receipt) -> None:
        """What a round of a team took."""
        for method, seconds in receipt.together.items():
            self.add(method, seconds, receipt.documents)
        for method, seconds in receipt.alone.items():
            self.add_alone(method, seconds, receipt.alone_documents)

    def add(self, method: str, seconds: float, documents: int) -> None:
        _add(self.measured, method, seconds, documents)

    def add_alone(self, method: str, seconds: float, documents: int) -> None:
        _add(self.timed, method, seconds, documents)

    def spent(self, method: str) -> float:
        return self.measured.get(method, (0.0, 0))[0]

    def seconds(self, method: str) -> float:
        """Per document, when its team plays; the team takes this for each of its methods."""
        if method in self.measured:
            total, documents = self.measured[method]
            return max(total / documents, 1e-6)
        return self.words[method] * self._speed()

    def alone(self, method: str) -> float:
        """Per document, when no other is asked; as long as nobody has timed that, what the whole team takes."""
        if method in self.timed:
            total, documents = self.timed[method]
            return max(total / documents, 1e-6)
        return self.seconds(method) * self.mates.get(method, 1)

    def known(self) -> dict[str, float | None]:
        """What each method costs whoever wants no other; None where it has not played."""
        return {method: self.alone(method) if method in self.measured else None for method in self.words}

    def _speed(self) -> float:
        """Seconds per word passed through the model: the median of the methods that have played."""
        real = [method for method in self.measured if method not in BASELINES] or list(self.measured)
        speeds = [self.seconds(method) / self.words[method] for method in real]
        return median(speeds) if speeds else 1e-9  # nobody has played: the order by formula

    def most_rounds(self, method: str) -> int | None:
        """How many rounds an estimate is good for: none of a dear method while nobody has been timed, one of a method
        that was not timed itself; None: as many as the time allows.
        """
        if method in self.measured:
            return None
        cheap = method in BASELINES or self.words[method] == min(self.words.values())
        return int(cheap or bool(self.measured))


def _add(amounts: dict[str, tuple[float, int]], method: str, seconds: float, documents: int) -> None:
    total, count = amounts.get(method, (0.0, 0))
    amounts[method] = (total + seconds, count + documents)


def seconds_of_all(prepared: Prepared) -> float:
    """What everything would take on one core: the work by formula, at the speed of one document."""
    total = 0.0
    for pairing in prepared.plan.pairings:
        items = tuple(prepared.items[pairing.set])
        model = loaded(prepared.spellings[pairing.model])
        everything = plan(pairing.labels, model)
        words = sum(work(everything, len(item.words)) for item in items)
        total += words * _speed(model, items)
    return total


def _speed(model: Model, items: Sequence[Item]) -> float:
    """Seconds per word passed, by the cheapest method on a document of usual length, warm."""
    usual = sorted(items, key=lambda item: len(item.words))[len(items) // 2]
    labels = plan(None, model).labels
    real = [label for label in labels if _mean_work([label], model, [len(usual.words)]) > 1 + len(usual.words)]
    cheapest = min(real or labels, key=lambda label: _mean_work([label], model, [len(usual.words)]))
    explainer, now = Explainer(model, (cheapest,), 0, None), stopwatch(model)
    with one_thread():
        explainer.explain([usual], [])
        start = now()
        explainer.explain([usual], [])
    return (now() - start) / _mean_work([cheapest], model, [len(usual.words)])


def _mean_work(labels: Sequence[str], model: Model, lengths: Sequence[int]) -> float:
    asked = plan(labels, model)
    return sum(work(asked, length) for length in lengths) / max(1, len(lengths))


@cache
def loaded(spelling: str) -> Model:
    """The model, once per process."""
    return models.load(spelling)
