"""From run folders to the results table: judged from the stored relevances, marked, timed, with remarks on health.

`explained` reads a pairing document by document: what the model said, and all methods' relevances as one matrix.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from whichword.games import recalled
from whichword.games.scorers import SCORERS
from whichword.health.examination import Examination
from whichword.health.findings import Health
from whichword.method_names import BASELINES
from whichword.reporting.table import Column, Table, TableCell, cases_of, judgements
from whichword.runs.records import Pairing
from whichword.runs.run import MethodCost, Run, RunLike, folders_of, open_run, remarks
from whichword.scoring.outcomes import Judged
from whichword.scoring.shard import read_shard
from whichword.statistics.decision import MARGIN
from whichword.statistics.summaries import leads_by_width
from whichword.statistics.tests import Interval, TieGroup, paper_marks, share_interval, tie_group


@dataclass(frozen=True, eq=False)
class Explained:
    """The item in row ``index`` of the set: phi [M, T], and the methods' remarks on it [M] (None: none).

    ``probability`` of the ``predicted`` class, nan where a score is not finite; the model read ``seen`` words, of which
    those in ``unknown`` [T] are none that it knows.
    """

    index: int
    phi: NDArray[np.float64]
    notes: Sequence[str | None]
    predicted: str
    probability: float
    seen: int
    unknown: NDArray[np.bool_]


def explained(run: Run, pairing: Pairing) -> Iterator[Explained]:
    """Yield each answered item of the pairing once, in the plan's order; rows of ``phi`` in that of the methods."""
    for shard in (read_shard(run, pairing, shard) for shard in pairing.shards):  # one in memory at a time
        names, phi = shard.names.tolist(), (phi.astype(np.float64) for phi in shard.documents())
        probability = np.where(np.isfinite(shard.scores).all(axis=1), shard.confidence(names), np.nan)
        places, said = shard.places[shard.rows].tolist(), (names, probability.tolist(), shard.seen.tolist())
        for values in zip(places, phi, shard.remarks().tolist(), *said, shard.words_unknown(), strict=True):
            yield Explained(*values)


def run_health(run: Run, pairing: Pairing) -> tuple[Health, ...]:
    """Examine every method of the pairing; documents that failed have no relevances and say nothing."""
    examination = Examination(pairing.labels)  # all methods at once: some complaints compare them
    for document in explained(run, pairing):
        examination.add(document.phi, document.notes, document.seen)
    return examination.health()


def health_remarks(run: Run, pairing: Pairing) -> tuple[str, ...]:
    """Write a line per complaint, then what is no fault; baselines are as they are on purpose."""
    healths = [health for health in run_health(run, pairing) if health.method not in BASELINES]
    complaints = [f"health of {health.method}: {line}" for health in healths for line in health.complaints]
    remarks = [f"{health.method}: {remark}" for health in healths for remark in health.remarks]
    return (*(complaints or ["health: nothing suspicious in any method"]), *remarks)


def table(
    runs: RunLike | Sequence[RunLike], margin: float = MARGIN, scorers: Sequence[str] = (), health: bool = False
) -> Table:
    """Make the table of a run or of several, or of their folders.

    Columns of one game and corpus stand together, in the order of the runs.

    ``margin``: how much worse than the best a method may be and still be chosen. ``scorers``: by which the parts are
    scored beside the one that decides (`whichword.games.scorers`). ``health``: with remarks on what is suspicious about
    relevances, for which all of them are read.
    """
    for scorer in scorers:
        SCORERS.resolve(scorer)  # a wrong name is refused before anything is read
    opened = [(folder.name, run, judgements(run)) for folder in folders_of(runs) if (run := open_run(folder))]
    columns = [column for name, run, judged in opened for column in columns_of(run, name, judged, scorers, health)]
    games = list(dict.fromkeys(column.game for column in columns))
    groups = list(dict.fromkeys(column.group for column in columns))  # in order of appearance
    ordered = sorted(columns, key=lambda column: (games.index(column.game), groups.index(column.group)))
    cases = (case for name, run, judged in opened for case in cases_of(run, name, judged, margin))
    return Table(tuple(ordered), tuple(cases))


def columns_of(
    run: Run,
    name: str,
    judged: Mapping[str, Judged] | None = None,
    scorers: Sequence[str] = (),
    health: bool = False,
) -> list[Column]:
    """Make all columns of one run, each part by its own scorer and then by these.

    ``judged`` by pairing, where it has been judged already; ``health``: see `table`.
    """
    columns = []
    by_pairing = judged or judgements(run)  # the report has judged already, and once is enough
    for pairing in run.plan.pairings:
        outcome, costs = by_pairing[pairing.id], run.costs(pairing.id)
        extra = [f"{part}.{scorer}" for part in outcome.parts for scorer in scorers]
        parts = [*outcome.parts, *(part for part in extra if part in outcome.hits)]  # not every game has it
        more = health_remarks(run, pairing) if health else ()
        built = [_column(run, name, pairing, outcome, part, costs) for part in parts]
        columns += [replace(column, remarks=(*column.remarks, *more)) for column in built]
    return columns


Costs = Mapping[str, MethodCost]


def _column(run: Run, name: str, pairing: Pairing, judged: Judged, part: str, costs: Costs) -> Column:
    played, model = run.plan.set(pairing.set), run.plan.model(pairing.model)
    tallies = {method: judged.tally(part, method) for method in pairing.labels}
    group = first_place(judged, part)
    marks = paper_marks({method: t.hits / t.total if t.total else None for method, t in tallies.items()})
    cells = {
        method: TableCell(
            tally,
            costs[method],
            marks[method] if tally.total else "",
            group is not None and method in group.members,
            group.p.get(method) if group else None,  # the best itself has none
            _bounds(judged, part, method, pairing),
        )
        for method, tally in tallies.items()
    }
    about = (pairing.model, model.about.name, run.plan.corpus_name(played), played.game, part)
    game, remarked = recalled(played.game), (run.arithmetics, remarks(run, pairing))
    wide = tuple(leads_by_width(judged.vectors(part))) if game.fragments else ()  # else width is no help
    column = Column(name, *about, judged.chance[part], cells, pairing.undefined, *remarked)
    decides = part in judged.parts and game.decides  # a part by another scorer never decides
    noise, ceiling = judged.degraded.get(part), judged.ceiling.get(part)
    return replace(column, degraded=noise, ceiling=ceiling, decides=decides, wide=wide)


def _bounds(judged: Judged, part: str, method: str, pairing: Pairing) -> Interval | None:
    """Return the interval of scores that are no hits; None for hits, and for a method that only has an expectation."""
    values = judged.vectors(part)[method]
    counted = values[~np.isnan(values)]
    uniform = next(entry.uniform for entry in pairing.methods if entry.label == method)
    if uniform or not len(counted) or np.isin(counted, (0, 1)).all():  # 0 and 1 alone are hits
        return None
    return share_interval(counted)


def first_place(judged: Judged, part: str) -> TieGroup | None:
    """Find the group of methods that share the first place of a column; baselines are no candidates.

    None where only baselines played, or no document counts.
    """
    vectors = judged.vectors(part)
    candidates = {method: hits[~np.isnan(hits)] for method, hits in vectors.items() if method not in BASELINES}
    if not candidates or not min(len(hits) for hits in candidates.values()):
        return None
    return tie_group(candidates)
