"""What a method will cost: measured where it has played, by formula and the model's measured speed where it has not."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from statistics import median

from whichword import models
from whichword.experiment.explaining import Explainer
from whichword.experiment.preparing import Prepared
from whichword.experiment.work import work
from whichword.methods import plan
from whichword.model import Model
from whichword.statistics.outcomes import BASELINES
from whichword.threads import one_thread
from whichword.types import Item


@dataclass
class CostEstimate:
    """Seconds per document of each method of a contest.

    ``words`` that a method passes through the model per document, by formula; ``measured`` seconds and documents.
    """

    words: Mapping[str, float]
    measured: dict[str, tuple[float, int]] = field(default_factory=dict)

    @staticmethod
    def of(methods: Iterable[str], model: Model, lengths: Sequence[int]) -> CostEstimate:
        typical = sorted(lengths)[:: max(1, len(lengths) // 20)]
        return CostEstimate({method: _mean_work(method, model, typical) for method in methods})

    def add(self, method: str, seconds: float, documents: int) -> None:
        total, played = self.measured.get(method, (0.0, 0))
        self.measured[method] = (total + seconds, played + documents)

    def spent(self, method: str) -> float:
        return self.measured.get(method, (0.0, 0))[0]

    def seconds(self, method: str) -> float:
        """Per document."""
        if method in self.measured:
            total, documents = self.measured[method]
            return max(total / documents, 1e-6)
        return self.words[method] * self._speed()

    def known(self) -> dict[str, float | None]:
        """Measured costs; None where a method has not played."""
        return {method: self.seconds(method) if method in self.measured else None for method in self.words}

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
    real = [label for label in labels if _mean_work(label, model, [len(usual.words)]) > 1 + len(usual.words)]
    cheapest = min(real or labels, key=lambda label: _mean_work(label, model, [len(usual.words)]))
    explainer = Explainer(model, (cheapest,), 0, None)
    with one_thread():
        explainer.explain([usual], [])
        start = time.perf_counter()
        explainer.explain([usual], [])
    return (time.perf_counter() - start) / _mean_work(cheapest, model, [len(usual.words)])


def _mean_work(method: str, model: Model, lengths: Sequence[int]) -> float:
    single = plan([method], model)
    return sum(work(single, length) for length in lengths) / max(1, len(lengths))


@cache
def loaded(spelling: str) -> Model:
    """The model, once per process."""
    return models.load(spelling)
