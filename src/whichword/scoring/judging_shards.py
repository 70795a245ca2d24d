"""A shard judged: a pure function of its bytes, the plan and the game, the same whoever calls it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pyarrow
import scipy
from numpy.typing import NDArray
from scipy import special

from whichword.errors import InputError
from whichword.games import GAMES, Game
from whichword.games.noise import LEVELS
from whichword.games.scorers import SCORERS
from whichword.models.loaders import foreign_code
from whichword.runs.plan import RunPlan, changes
from whichword.runs.sealed import AGAIN, DamagedError, sha256
from whichword.runs.sources import judging_code
from whichword.scoring.judging_crew import Declined
from whichword.scoring.judging_page import Floats, ShardPage
from whichword.scoring.judging_rows import Lost, ScoredRows, lost_in
from whichword.scoring.shard_bytes import ShardBytes

Mixed = Mapping[str, tuple[Floats, NDArray[np.int64]]]  # part -> distinct scores [n, levels], and how often each


@dataclass(frozen=True)
class JudgingJob:
    """What is asked of the shards of a pairing: ``act`` is one of `ACTS`. ``run`` is its folder, in words.

    ``bases`` are those of the process that asks (`bases_of`). ``lost``: companions that do not count; ``best``: part ->
    the column of the method that noise is mixed into.
    """

    run: str
    plan: RunPlan
    pairing: str
    act: str
    bases: Mapping[str, str]
    lost: Lost = field(default_factory=dict)
    best: Mapping[str, int] = field(default_factory=dict)

    @property
    def game(self) -> Game:
        """Read from its spelling: `InputError` where this process has no such game."""
        return GAMES[self.plan.set(self.plan.pairing(self.pairing).set).game]


def open_judge(job: JudgingJob) -> Callable[[str, ShardBytes], Any]:
    """In a worker, or in the process itself."""
    if reason := _unable(job):
        return lambda shard, sent: Declined(reason)
    return partial(_judged, job, job.game)


def bases_of(game: Game) -> dict[str, str]:
    """What the outcome depends on besides the plan and the bytes; `Declined` where a worker's are others."""
    try:
        rules = foreign_code(game)
    except InputError:
        rules = "in no file"  # a notebook's: no other process has it under its name
    odds = special.softmax(np.linspace(-30.0, 30.0, 1024).reshape(-1, 4), axis=1)  # exp is the processor's
    versions = {library.__name__: str(library.__version__) for library in (np, scipy, pyarrow)}
    return {"code": judging_code(), "game": rules, "arithmetic": sha256(odds.tobytes()), **versions}


def _unable(job: JudgingJob) -> str:
    try:
        return "; ".join(changes(job.bases, bases_of(job.game)))
    except InputError as error:
        return str(error)


def _judged(job: JudgingJob, game: Game, shard: str, sent: ShardBytes) -> Any:
    try:
        stored = sent.tables(job.plan, shard)
    except (DamagedError, InputError) as error:
        raise InputError(f"{job.run}: {error}; {AGAIN}") from None
    page = ShardPage.of(stored, game, _classes(job), len(job.plan.pairing(job.pairing).methods))
    return ACTS[job.act](job, game, page)


def _scored(job: JudgingJob, game: Game, page: ShardPage) -> ScoredRows:
    return ScoredRows.of(page, job.plan.pairing(job.pairing), game, job.lost)


def _lost(job: JudgingJob, game: Game, page: ShardPage) -> Lost:
    return lost_in(page, game)


def _mixed(job: JudgingJob, game: Game, page: ShardPage) -> Mixed:
    """The best method of every part, mixed with noise: of equal outcomes at all levels only the number is told."""
    mixed, companions = {}, [item.facts.get(game.together, item.key) for item in page.answered.items]
    for part, scores in _levels(page, game, job.best).items():
        lost = np.array([name in job.lost.get(part, ()) for name in companions], dtype=bool)
        mixed[part] = np.unique(scores[~(np.isnan(scores).any(axis=1) | lost)], axis=0, return_counts=True)
    return mixed


def _levels(page: ShardPage, game: Game, best: Mapping[str, int]) -> dict[str, Floats]:
    """Part -> scores [D, levels] of its best method."""
    scores = {part: np.full((len(page.answered.items), len(LEVELS)), np.nan) for part in best}
    for column, (place, level) in product(set(best.values()), enumerate(LEVELS)):  # often one method is best in all
        ranking = page.with_noise(column, level)
        for part in (part for part in best if best[part] == column):
            scores[part][:, place] = SCORERS[game.part(part).scorer].scores(ranking, page.gold[part])
    return scores


def _classes(job: JudgingJob) -> tuple[str, ...]:
    return job.plan.model(job.plan.pairing(job.pairing).model).classes


ACTS: Mapping[str, Callable[[JudgingJob, Game, ShardPage], Any]] = {"score": _scored, "lose": _lost, "mix": _mixed}
