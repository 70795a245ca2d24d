"""The judges of each model of some runs, and whether they agree. A judge is one part of a game on one corpus."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

import numpy as np

from whichword.errors import InputError
from whichword.games import recalled
from whichword.method_names import BASELINES
from whichword.reporting.table import judgements
from whichword.runs.records import Pairing
from whichword.runs.run import Run, open_run
from whichword.scoring.outcomes import Judged
from whichword.statistics.judges import Ballot, Concord, Correlation, Loss, concord
from whichword.types import Item

CLOSE = 0.02  # of a score: what the winner of one judge may lose by another without its being a contradiction
STRONG = 0.7  # a rank correlation from which on two judges agree
FEW = 10  # items: a judge with fewer is left out
JudgedRun = tuple[str, Run, Mapping[str, Judged]]  # what it is called, the run, what was judged by pairing
SOURCES = ("pair",)  # facts that name what several items were made of


@dataclass(frozen=True)
class Panel:
    """All judges of one model, and how far they agree."""

    run: str
    model: str
    concord: Concord
    means: Mapping[str, Mapping[str, float]]  # judge -> method -> score
    decisive: tuple[str, ...]  # judges that may decide
    able: tuple[str, ...]  # judges that noise makes fall: others are no witnesses
    unfamiliar: Mapping[str, float]  # judge -> the share of edited copies that are unlike any text
    games: Mapping[str, str] = field(default_factory=dict)  # judge -> the game that it is a part of, where it is one

    @property
    def families(self) -> tuple[str, ...]:
        """The games: parts of one are no witnesses for or against each other."""
        return tuple(dict.fromkeys(map(self._family, self.concord.judges)))

    @property
    def across(self) -> list[Correlation]:
        """Of every two judges from different games; of all, where there is one game only."""
        pairs = self.concord.correlations
        return [pair for pair in pairs if self._apart(pair.first, pair.second)] or list(pairs)

    @property
    def contradictions(self) -> list[Loss]:
        """Winners of judges that may decide, each shown to be clearly worse by a judge whose winner is so by the first.

        Where only one of the two is shown, the other's winner may be as good by both: that is no contradiction.
        """
        return [loss for loss in self.setbacks if self.back(loss).least > CLOSE]

    @property
    def setbacks(self) -> list[Loss]:
        """Winners of judges that may decide, shown to be clearly worse by another; judges that may decide first."""
        losses = [loss for loss in self.concord.losses if loss.judge in self.decisive and loss.other in self.able]
        shown = [loss for loss in losses if loss.least > CLOSE and self._apart(loss.judge, loss.other)]
        return sorted(shown, key=lambda loss: (loss.other not in self.decisive, -loss.loss))

    def back(self, loss: Loss) -> Loss:
        """Return what the other judge's winner loses by the first."""
        turned = (loss.other, loss.judge)  # concord has both directions of every pair
        return next(other for other in self.concord.losses if (other.judge, other.other) == turned)

    @property
    def agree(self) -> bool:
        """Every two games rank alike, surely more than not, and no winner is shown to be clearly worse elsewhere."""
        alike = all(pair.value >= STRONG and pair.interval.low > 0 for pair in self.across)
        return alike and not self.setbacks  # close ranks may hide a winner that loses much

    def _family(self, judge: str) -> str:
        return self.games.get(judge, judge)  # a judge without parts is its own game

    def _apart(self, first: str, second: str) -> bool:
        return self._family(first) != self._family(second)


Choice = Callable[[str], bool]


def _candidate(method: str) -> bool:
    return method not in BASELINES  # judges that rank those last seem to agree, whatever else they do


def panels(runs: Sequence[JudgedRun], chosen: Choice = _candidate) -> list[Panel]:
    """Make a panel for each model of a run that at least two judges looked at; baselines are left out."""
    made: list[Panel | None] = []
    for name, run, judged in runs:
        pairings = sorted(run.plan.pairings, key=lambda pairing: pairing.model)  # groupby joins neighbours only
        for model, group in groupby(pairings, key=lambda pairing: pairing.model):
            made.append(_panel((name, run, judged), model, list(group), chosen))
    return [panel for panel in made if panel is not None]


def _panel(judged_run: JudgedRun, model: str, pairings: Sequence[Pairing], chosen: Choice) -> Panel | None:
    name, run, judgements = judged_run
    played = [(pairing, judgements[pairing.id]) for pairing in pairings]
    ballots = {ballot.judge: ballot for pairing, judged in played for ballot in _ballots(run, pairing, judged, chosen)}
    seats = {title: seat for pairing, judged in played for title, seat in _seats(run, pairing, judged).items()}
    usable = [ballot for ballot in ballots.values() if _enough(ballot)]
    shared = [method for method in usable[0].methods if all(method in b.methods for b in usable)] if usable else []
    if len(usable) < 2 or len(shared) < 3:  # two methods always correlate by 1 or -1
        return None
    return Panel(
        run=name,
        model=model,
        concord=concord(usable),
        means={ballot.judge: ballot.means for ballot in usable},
        decisive=tuple(ballot.judge for ballot in usable if seats[ballot.judge].decides and seats[ballot.judge].able),
        able=tuple(ballot.judge for ballot in usable if seats[ballot.judge].able),
        unfamiliar={
            title: judged.unfamiliar
            for pairing, judged in played
            for title in _titles(run, pairing, judged).values()
            if judged.unfamiliar is not None
        },
        games={
            title: _game(run, pairing) for pairing, judged in played for title in _titles(run, pairing, judged).values()
        },
    )


@dataclass(frozen=True)
class _Seat:
    """Whether a judge may decide by its game's rules, and whether noise makes it fall."""

    decides: bool
    able: bool


def _seats(run: Run, pairing: Pairing, judged: Judged) -> dict[str, _Seat]:
    decides, noise = recalled(run.plan.set(pairing.set).game).decides, judged.degraded
    titles = _titles(run, pairing, judged)
    return {title: _Seat(decides, part not in noise or noise[part].falls) for part, title in titles.items()}


def _enough(ballot: Ballot) -> bool:
    return int((~np.isnan(ballot.scores).any(axis=1)).sum()) >= FEW  # items that count for every method


def _ballots(run: Run, pairing: Pairing, judged: Judged, chosen: Choice) -> list[Ballot]:
    items = {item.key: item for item in run.items(pairing.set)}
    sources = tuple(_source(items[key]) for key in judged.keys)  # by key: items that failed have no row
    columns = [column for column, method in enumerate(judged.methods) if chosen(method)]
    methods = tuple(judged.methods[column] for column in columns)
    titles = _titles(run, pairing, judged)
    return [Ballot(titles[part], methods, judged.hits[part][:, columns], sources) for part in judged.parts]


def _titles(run: Run, pairing: Pairing, judged: Judged) -> dict[str, str]:
    """Name the judge of each part: game and part, and the corpus where the run has several."""
    played = run.plan.set(pairing.set)
    names = {part: recalled(played.game).part(part).title for part in judged.parts}
    game, where = _plain(run, pairing), _where(run, pairing)
    return {part: (f"{game}: {name}" if len(names) > 1 else game) + where for part, name in names.items()}


def _game(run: Run, pairing: Pairing) -> str:
    """Name the game: all parts on the same documents are one."""
    return _plain(run, pairing) + _where(run, pairing)


def _plain(run: Run, pairing: Pairing) -> str:
    """Name the game without settings, but where a run plays several of one kind."""
    game = run.plan.set(pairing.set).game
    plain = game.partition("[")[0]
    alone = len({item_set.game for item_set in run.plan.sets if item_set.game.partition("[")[0] == plain}) == 1
    return plain if alone else game


def _where(run: Run, pairing: Pairing) -> str:
    corpora = {item_set.corpus for item_set in run.plan.sets}  # a name that all share tells nothing
    return f" on {run.plan.set(pairing.set).corpus}" if len(corpora) > 1 else ""


def _source(item: Item) -> str:
    return next((item.facts[fact] for fact in SOURCES if fact in item.facts), "+".join(item.sources) or item.key)


def agreement(folders: Sequence[str | Path], chosen: Choice = _candidate) -> list[Panel]:
    """Return the panels of some runs over the chosen methods; `InputError` where there is nothing to compare."""
    runs = [(Path(folder).absolute().name, open_run(folder)) for folder in folders]  # "." has no name
    seated = panels([(name, run, judgements(run)) for name, run in runs], chosen)
    if not seated:
        raise InputError(
            f"no model has two judges with {FEW} documents and three methods: evaluate it with several games, "
            "as in --game hybrid,deletion"
        )
    return seated
