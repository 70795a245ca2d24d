"""Which methods agree with each other: rank correlation of their relevances, and the same most relevant word.

One pass over a pairing: everything that a report needs from its relevances.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.cluster import hierarchy

from whichword.games import recalled
from whichword.health.examination import Examination
from whichword.health.findings import Health
from whichword.reporting.page.explorer import ExploredPairing, Shaded, shades
from whichword.reporting.tabulate import explained
from whichword.runs.records import ItemSet, Pairing, PlannedModel
from whichword.runs.run import Run
from whichword.scoring.outcomes import Judged
from whichword.scoring.run import judge
from whichword.statistics import slice_facts
from whichword.types import Item


class RankCorrelation:
    """Adds up Spearman's correlation of every two methods, document by document."""

    def __init__(self, methods: int) -> None:
        self.sums = np.zeros((methods, methods))
        self.counts = np.zeros((methods, methods), np.int64)

    def add(self, phi: NDArray[np.float64]) -> None:
        """phi [M, T]; a method that is constant or not finite takes no part in this document."""
        if phi.shape[1] < 2:
            return
        usable = np.isfinite(phi).all(axis=1) & (phi != phi[:, :1]).any(axis=1)
        rows = np.flatnonzero(usable)
        ranks = stats.rankdata(phi[rows], axis=1)
        centred = ranks - ranks.mean(axis=1, keepdims=True)
        unit = centred / np.linalg.norm(centred, axis=1, keepdims=True)
        self.sums[np.ix_(rows, rows)] += unit @ unit.T
        self.counts[np.ix_(rows, rows)] += 1

    def mean(self) -> NDArray[np.float64]:
        """[M, M], NaN where two methods never met."""
        nothing = np.full_like(self.sums, np.nan)
        return np.divide(self.sums, self.counts, out=nothing, where=self.counts > 0)


def same_rmax(rmax: NDArray[np.int64]) -> NDArray[np.float64]:
    """rmax [D, M], -1 for none -> [M, M]: of the documents where both have one, the share where it is the same."""
    pointed = (rmax >= 0).astype(np.float64)
    met = pointed.T @ pointed
    width = rmax.shape[1]
    equal = [((rmax == rmax[:, [column]]) & (rmax >= 0)).sum(axis=0) for column in range(width)]
    shares = np.full((width, width), np.nan)
    np.divide(np.array(equal, dtype=np.float64), met, out=shares, where=met > 0)
    return shares


def neighbours(correlation: NDArray[np.float64]) -> list[int]:
    """An order of the methods that puts similar ones side by side: the leaves of an average-linkage tree."""
    size = len(correlation)
    if size < 3:
        return list(range(size))
    distance = np.clip(1 - np.nan_to_num(correlation), 0, 2)
    upper = ((distance + distance.T) / 2)[np.triu_indices(size, 1)]
    return [int(leaf) for leaf in hierarchy.leaves_list(hierarchy.linkage(upper, "average", optimal_ordering=True))]


@dataclass(frozen=True, eq=False)
class Gathered:
    """A pairing of a run, under a name that is its own in the whole report.

    Lists are in the order of the set, without documents that failed.
    """

    name: str
    set_name: str
    run_name: str
    run: Run
    pairing: Pairing
    judged: Judged
    shaded: Sequence[Shaded]
    correlation: NDArray[np.float64]
    health: tuple[Health, ...]
    items: tuple[Item, ...]

    @property
    def set(self) -> ItemSet:
        return self.run.plan.set(self.pairing.set)

    @property
    def model(self) -> PlannedModel:
        return self.run.plan.model(self.pairing.model)

    def facts(self) -> list[dict[str, str]]:
        """What each item can be sliced by."""
        game = recalled(self.set.game)
        return [
            {**slice_facts(item, predicted), **game.slices(item)}
            for item, predicted in zip(self.items, self.judged.predicted, strict=True)
        ]

    def played(self, rows: Sequence[int]) -> ExploredPairing:
        """For the explorer: these rows of the set."""
        return ExploredPairing(
            name=self.name,
            game=self.set.game,
            items=[self.items[row] for row in rows],
            classes=self.model.classes,
            judged=self.judged,
            rows=rows,
            shaded=[self.shaded[row] for row in rows],
        )


def gather(runs: Sequence[tuple[str, Run]]) -> list[Gathered]:
    """All pairings of all runs, each read once."""
    sets: dict[Hashable, str] = {}
    pairs = [(index, pairing) for index, (_, run) in enumerate(runs) for pairing in run.plan.pairings]
    gathered = []
    for number, (index, pairing) in enumerate(pairs):
        name = sets.setdefault(_documents(index, runs[index][1], pairing), f"s{len(sets)}")
        gathered.append(_read(f"p{number}", name, *runs[index], pairing))
    return gathered


def _documents(index: int, run: Run, pairing: Pairing) -> Hashable:
    """The same for pairings that show the same documents; a model that failed for some shows documents of its own."""
    return index, pairing.set, pairing.id if run.shortfall(pairing.id).failed else ""


def _read(name: str, set_name: str, run_name: str, run: Run, pairing: Pairing) -> Gathered:
    examination = Examination(pairing.labels)
    correlation = RankCorrelation(len(pairing.methods))
    shaded: dict[int, Shaded] = {}
    items = run.items(pairing.set)
    for document in explained(run, pairing):
        examination.add(document.phi, document.notes, document.seen)
        correlation.add(document.phi[:, : document.seen])
        drawn = (*shades(document.phi), document.notes)
        shaded[document.index] = Shaded(*drawn, document.probability, document.seen, document.unknown)
    answered = sorted(shaded)
    in_order, judged = [shaded[index] for index in answered], judge(run, pairing.id)
    figures = (judged, in_order, correlation.mean(), examination.health())
    return Gathered(name, set_name, run_name, run, pairing, *figures, tuple(items[index] for index in answered))
