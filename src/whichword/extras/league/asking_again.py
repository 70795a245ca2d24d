"""Documents of a results folder, explained anew by the suite's own models: what new checksums cannot hide."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, comb
from random import SystemRandom
from time import monotonic
from typing import Any

import numpy as np

from whichword import models
from whichword.extras.league.suite import Suite
from whichword.methods import METHODS
from whichword.runs.plan import Pairing
from whichword.runs.run import Run
from whichword.types import Item
from whichword.workers.explaining import Explainer
from whichword.workers.sheet import Sheet

AGREES = 1e-3  # of the largest number: what another machine may round otherwise
PATIENCE = 120.0  # seconds: what explaining anew may take where nobody says how many documents
TOGETHER = 10  # documents between two looks at the clock
SHARE = 0.05  # of the documents: a forgery that somebody might gain by


@dataclass(frozen=True)
class AskedAgain:
    """So many of so many documents per model were explained anew, drawn at random; and what was not as it says."""

    documents: int
    total: int
    troubles: tuple[str, ...]

    @property
    def words(self) -> str:
        """With the chance that a change would have been noticed."""
        if self.documents == self.total:
            return f"all {self.total} documents per model explained anew"
        many = ceil(SHARE * self.total)
        chances = f"{self.noticed(many):.2f}, of a single one {self.noticed(1):.2f}"
        change = f"a change of {many} of them ({100 * SHARE:.0f} %) would be noticed with probability {chances}"
        return (
            f"{self.documents} of {self.total} documents per model explained anew: {change}; --again {self.total}: all"
        )

    def noticed(self, changed: int) -> float:
        """The chance that one of so many changed documents was drawn: 1 - C(N - m, n) / C(N, n)."""
        return 1 - comb(self.total - changed, self.documents) / comb(self.total, self.documents)


def ask_again(run: Run, suite: Suite, count: int | None) -> AskedAgain:
    """``count`` documents per model, or as many as there is `PATIENCE` for; drawn anew: no forger knows which."""
    total = suite.sheet.documents
    order = SystemRandom().sample(range(total), total if count is None else min(count, total))
    witnesses = [_Witness(run, suite, pairing) for pairing in run.plan.pairings] if order else []
    troubles = [line for witness in witnesses for line in witness.unknown()]
    start, done = monotonic(), 0
    for first in range(0, len(order), TOGETHER):
        items = [suite.items[index] for index in order[first : first + TOGETHER]]
        troubles += [line for witness in witnesses for line in witness.compared(items)]
        done += len(items)
        if count is None and monotonic() - start > PATIENCE:
            break
    return AskedAgain(done, total, tuple(troubles))


class _Witness:
    """One model of the suite, and what the folder says that it and its methods said."""

    def __init__(self, run: Run, suite: Suite, pairing: Pairing) -> None:
        self._pairing = pairing
        labels = tuple(label for label in pairing.labels if label in METHODS)
        self._explainer = Explainer(models.load(suite.spellings[pairing.model]), labels, suite.sheet.seed, None)
        self._stored = {(row.key, row.method): row.values for row in run.relevances(pairing.id)}
        self._predictions = run.predictions(pairing.id)

    def unknown(self) -> Iterator[str]:
        if unknown := [label for label in self._pairing.labels if label not in self._explainer.labels]:
            yield f"{self._pairing.model}: {', '.join(unknown)} cannot be asked here: name its file by --plugin"

    def compared(self, items: list[Item]) -> Iterator[str]:
        sheet, _ = self._explainer.explain(items, [])
        for row, item in enumerate(items):
            labels = [label for label in self._explainer.labels if not self._agrees(sheet, row, item, label)]
            who = [] if self._predicts(sheet, row, item) else ["the model itself"]
            if who := who + labels:
                says = f"{', '.join(who)} says something else of {item.key[:12]} when it is asked again"
                yield f"{self._pairing.model}: {says}"

    def _agrees(self, sheet: Sheet, row: int, item: Item, label: str) -> bool:
        return _same(np.asarray(self._stored[item.key, label]), sheet.vector(row, label))

    def _predicts(self, sheet: Sheet, row: int, item: Item) -> bool:
        """The scores are near the model's own, and the class is the one that they say."""
        prediction = self._predictions.get(item.key)
        if prediction is None:
            return row in sheet.failures
        best = sheet.classes[int(np.argmax(prediction.scores))]
        return prediction.predicted == best and _same(np.asarray(prediction.scores), sheet.scores[row])


def _same(first: Any, second: Any) -> bool:
    if first.shape != second.shape or (np.isfinite(first) != np.isfinite(second)).any():
        return False
    largest = float(np.nanmax(np.abs(second), initial=0.0))
    return bool(np.allclose(first, second, rtol=0.0, atol=AGREES * largest, equal_nan=True))
