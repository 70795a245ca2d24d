"""One pass over a pairing: everything that a report needs from its relevances."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from whichword.experiment.judging import Judged, judge
from whichword.experiment.plan import ItemSet, Pairing, Subject
from whichword.experiment.reading import Prediction, Run
from whichword.games import recalled
from whichword.reporting.charts_agreement import RankCorrelation
from whichword.reporting.explorer import ExploredPairing, Shaded
from whichword.reporting.explorer_shades import shades
from whichword.reporting.health import Examination, Health
from whichword.reporting.page_reading import explained
from whichword.statistics import slice_facts
from whichword.types import Item


@dataclass(frozen=True, eq=False)
class Gathered:
    """A pairing of a run, under a name that is its own in the whole report. Lists are in the order of the set."""

    name: str
    set_name: str
    run_name: str
    run: Run
    pairing: Pairing
    judged: Judged
    shaded: Sequence[Shaded]
    correlation: NDArray[np.float64]
    health: tuple[Health, ...]

    @property
    def set(self) -> ItemSet:
        return self.run.plan.set(self.pairing.set)

    @property
    def model(self) -> Subject:
        return self.run.plan.model(self.pairing.model)

    @cached_property
    def items(self) -> tuple[Item, ...]:
        return self.run.items(self.pairing.set)

    @cached_property
    def predictions(self) -> list[Prediction]:
        by_key = self.run.predictions(self.pairing.id)
        return [by_key[item.key] for item in self.items]

    def facts(self) -> list[dict[str, str]]:
        """What each item can be sliced by."""
        game = recalled(self.set.game)
        return [
            slice_facts(item, prediction.predicted) | game.slices(item)
            for item, prediction in zip(self.items, self.predictions, strict=True)
        ]

    def played(self, rows: Sequence[int]) -> ExploredPairing:
        """For the explorer: these rows of the set."""
        return ExploredPairing(
            name=self.name,
            game=self.set.game,
            items=[self.items[row] for row in rows],
            predictions=[self.predictions[row] for row in rows],
            classes=self.model.classes,
            judged=self.judged,
            rows=rows,
            shaded=[self.shaded[row] for row in rows],
        )


def gather(runs: Sequence[tuple[str, Run]]) -> list[Gathered]:
    """All pairings of all runs, each read once."""
    sets = {key: f"s{number}" for number, key in enumerate(_sets(runs))}
    pairs = [(index, pairing) for index, (_, run) in enumerate(runs) for pairing in run.plan.pairings]
    return [
        _read(f"p{number}", sets[index, pairing.set], *runs[index], pairing)
        for number, (index, pairing) in enumerate(pairs)
    ]


def _sets(runs: Sequence[tuple[str, Run]]) -> list[tuple[int, str]]:
    return [(index, played.id) for index, (_, run) in enumerate(runs) for played in run.plan.sets]


def _read(name: str, set_name: str, run_name: str, run: Run, pairing: Pairing) -> Gathered:
    examination = Examination(pairing.labels)
    correlation = RankCorrelation(len(pairing.methods))
    shaded: dict[int, Shaded] = {}
    for document in explained(run, pairing):
        examination.add(document.phi)
        correlation.add(document.phi)
        shaded[document.index] = Shaded(*shades(document.phi), document.notes)
    in_order = [shaded[index] for index in sorted(shaded)]
    judged, health = judge(run, pairing.id), examination.health()
    return Gathered(name, set_name, run_name, run, pairing, judged, in_order, correlation.mean(), health)
