"""Everything that a report needs from a pairing's relevances, in one pass over them.

That is which methods agree (by rank correlation, and by the most relevant word), their health, and heat maps to draw.
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
        """Add a document, phi [M, T]; a method that is constant or not finite takes no part in this document."""
        if phi.shape[1] < 2:  # one word has no order
            return
        usable = np.isfinite(phi).all(axis=1) & (phi != phi[:, :1]).any(axis=1)
        rows = np.flatnonzero(usable)
        ranks = stats.rankdata(phi[rows], axis=1)
        centred = ranks - ranks.mean(axis=1, keepdims=True)
        unit = centred / np.linalg.norm(centred, axis=1, keepdims=True)  # never 0: constant rows are out
        self.sums[np.ix_(rows, rows)] += unit @ unit.T  # Pearson's r of ranks is Spearman's
        self.counts[np.ix_(rows, rows)] += 1

    def mean(self) -> NDArray[np.float64]:
        """Return the mean [M, M], NaN where two methods never met."""
        nothing = np.full_like(self.sums, np.nan)
        return np.divide(self.sums, self.counts, out=nothing, where=self.counts > 0)


def same_rmax(rmax: NDArray[np.int64]) -> NDArray[np.float64]:
    """Share [M, M] of the documents where two methods point at the same word; rmax [D, M] is -1 for none, left out."""
    pointed = (rmax >= 0).astype(np.float64)
    met = pointed.T @ pointed
    width = rmax.shape[1]
    equal = [((rmax == rmax[:, [column]]) & (rmax >= 0)).sum(axis=0) for column in range(width)]  # [D, M] at a time
    shares = np.full((width, width), np.nan)
    np.divide(np.array(equal, dtype=np.float64), met, out=shares, where=met > 0)
    return shares


def neighbours(correlation: NDArray[np.float64]) -> list[int]:
    """Order the methods so that similar ones stand side by side: the leaves of an average-linkage tree."""
    size = len(correlation)
    if size < 3:  # nothing to order
        return list(range(size))
    distance = np.clip(1 - np.nan_to_num(correlation), 0, 2)  # never met: as far as unrelated
    upper = ((distance + distance.T) / 2)[np.triu_indices(size, 1)]  # the form that linkage takes
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
        """Return what each item can be sliced by."""
        game = recalled(self.set.game)
        return [
            {**slice_facts(item, predicted), **game.slices(item)}
            for item, predicted in zip(self.items, self.judged.predicted, strict=True)
        ]

    def played(self, rows: Sequence[int]) -> ExploredPairing:
        """Cut these rows out of the set, for the explorer."""
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
    """Read all pairings of all runs, each once."""
    sets: dict[Hashable, str] = {}
    pairs = [(index, pairing) for index, (_, run) in enumerate(runs) for pairing in run.plan.pairings]
    gathered = []
    for number, (index, pairing) in enumerate(pairs):
        name = sets.setdefault(_documents(index, runs[index][1], pairing), f"s{len(sets)}")
        gathered.append(_read(f"p{number}", name, *runs[index], pairing))
    return gathered


def _documents(index: int, run: Run, pairing: Pairing) -> Hashable:
    """Return one key for pairings that show the same documents; a model that failed for some shows its own."""
    return index, pairing.set, pairing.id if run.shortfall(pairing.id).failed else ""


def _read(name: str, set_name: str, run_name: str, run: Run, pairing: Pairing) -> Gathered:
    examination = Examination(pairing.labels)
    correlation = RankCorrelation(len(pairing.methods))
    shaded: dict[int, Shaded] = {}
    items = run.items(pairing.set)
    for document in explained(run, pairing):
        examination.add(document.phi, document.notes, document.seen)
        correlation.add(document.phi[:, : document.seen])  # words that were not read would all tie
        drawn = (*shades(document.phi), document.notes)
        shaded[document.index] = Shaded(*drawn, document.probability, document.seen, document.unknown)
    answered = sorted(shaded)  # shards have another order than the set
    in_order, judged = [shaded[index] for index in answered], judge(run, pairing.id)
    figures = (judged, in_order, correlation.mean(), examination.health())
    return Gathered(name, set_name, run_name, run, pairing, *figures, tuple(items[index] for index in answered))
