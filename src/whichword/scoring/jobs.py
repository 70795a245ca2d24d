"""Who judges shards: workers of any executor, or this process.

A shard judged: a pure function of its bytes, the plan and the game, the same whoever calls it.

Is what came back for a shard what was asked for? Its numbers are believed, its form is not.

The shards of a pairing as they are judged, by whoever judges.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from itertools import product
from typing import Any

import numpy as np
import pyarrow
import scipy
from numpy.typing import NDArray
from scipy import special

from whichword.errors import DamagedError, InputError
from whichword.games import GAMES, Game
from whichword.games.noise import LEVELS
from whichword.games.scorers import SCORERS
from whichword.models.loaders import foreign_code
from whichword.runs.items import packed
from whichword.runs.records import Pairing, Receipt, RunPlan, Shard, changes
from whichword.runs.run import Run
from whichword.runs.sealed import AGAIN, sha256
from whichword.runs.shards import KINDS
from whichword.runs.sources import judging_code
from whichword.scoring.shard import Floats, Lost, ScoredRows, ShardBytes, ShardPage, in_order, lost_in, names_of, united
from whichword.workers.executors import Executor, serial
from whichword.workers.tasks import Done, OpenedJob, Site, Workload, completed

WINDOW = 64  # shards that are handed out at once: what waits for one that takes long has to fit in memory


@dataclass(frozen=True)
class Declined:
    """A worker that is not able to judge as the process that asks it would, and why."""

    reason: str


def _unheard(text: str) -> None:
    """A notice that nobody wants to know."""


@dataclass(frozen=True)
class Judges:
    """Who judges shards. ``execute`` is called again and again, so its workers should stay (`StandingWorkers`)."""

    execute: Executor = serial
    site: Site = Site()  # noqa: RUF009 - frozen
    notice: Callable[[str], None] = _unheard

    def in_turn(self, load: Workload[Any, Any], tasks: Sequence[str]) -> Iterator[Done]:
        """What comes of each task, in their order; what workers decline is done in this process."""
        own, reasons = OpenedJob(), set[str]()
        for start in range(0, len(tasks), WINDOW):
            window = tasks[start : start + WINDOW]
            outcomes = completed(self.execute(load, window, self.site), self.notice, "judgements")
            for done in _turns(window, outcomes):
                if isinstance(done.result, Declined):
                    self._tell(done.result.reason, reasons)
                    done = Done(done.task, own.of(load.opening)(done.task, *load.arguments(done.task)))
                yield done

    def _tell(self, reason: str, told: set[str]) -> None:
        if reason not in told:
            told.add(reason)
            self.notice(f"this process judges, since a worker cannot: {reason}")


def _turns(names: Sequence[str], outcomes: Iterable[Done]) -> Iterator[Done]:
    waiting, turn = dict[str, Done](), 0
    for outcome in outcomes:
        waiting[outcome.task] = outcome
        while turn < len(names) and names[turn] in waiting:
            yield waiting.pop(names[turn])
            turn += 1


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
        scorers = {f"scorer {name}": code for name in SCORERS if (code := foreign_code(SCORERS[name].score))}
    except InputError:
        rules, scorers = "in no file", {}  # a notebook's: no other process has it under its name
    odds = special.softmax(np.linspace(-30.0, 30.0, 1024).reshape(-1, 4), axis=1)  # exp is the processor's
    versions = {library.__name__: str(library.__version__) for library in (np, scipy, pyarrow)}
    return {"code": judging_code(), "game": rules, "arithmetic": sha256(odds.tobytes()), **versions, **scorers}


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


@dataclass(frozen=True)
class Expected:
    """The game, the number of methods, whom noise is mixed into; keys by place in the set, how many were answered."""

    game: Game
    methods: int
    best: Mapping[str, int]
    keys: Mapping[int, str]
    answered: int


def _rows_trouble(rows: Any, expected: Expected) -> str | None:
    """What is wrong with scored rows; None: nothing."""
    if not isinstance(rows, ScoredRows):
        return f"it is a {type(rows).__name__}"
    keys = [expected.keys.get(place) for place in rows.places.tolist()]
    if len(keys) != expected.answered or len(set(keys)) != len(keys) or keys != rows.keys.tolist():
        return "its items are not those of the plan"
    if list(rows.hits) != list(names_of(expected.game)) or rows.hits.keys() != rows.shares.keys():
        return "its columns are not those of the game"
    shape = (len(keys), expected.methods)
    per_method = (rows.rmax, rows.ties, rows.nonfinite, *rows.hits.values())
    fits = all(array.shape == shape for array in per_method)
    return None if fits else "it has not a row for every item, and a column for every method"


def _lost_trouble(lost: Any, expected: Expected) -> str | None:
    fits = isinstance(lost, dict) and lost.keys() == set(expected.game.parts)
    return None if fits else "it does not say what is lost by part"


def _mixed_trouble(mixed: Any, expected: Expected) -> str | None:
    if not isinstance(mixed, dict) or mixed.keys() != expected.best.keys():
        return "it does not say what noise does by part"
    fits = all(
        scores.shape == (len(counts), len(LEVELS)) and counts.sum() <= expected.answered
        for scores, counts in mixed.values()
    )
    return None if fits else "it has not a score for every level"


SENT_TROUBLES: Mapping[str, Callable[[Any, Expected], str | None]] = {
    "score": _rows_trouble,
    "lose": _lost_trouble,
    "mix": _mixed_trouble,
}


@dataclass(frozen=True)
class JudgedShards:
    """The shards of a pairing."""

    run: Run
    pairing: Pairing
    game: Game
    judges: Judges

    @cached_property
    def _receipt(self) -> Callable[[str], Receipt]:
        """Asked for when a shard is handed out and when it comes back."""
        return lru_cache(2 * WINDOW)(self.run.store.receipt)

    def lost(self) -> Lost:
        """A pass of its own, for games whose items count together."""
        return united(lost for _, lost in self._each("lose")) if self.game.together else {}

    def blocks(self, lost: Lost) -> Iterator[ScoredRows]:
        """All items that were answered, some ten thousand at a time, in the set's own order."""
        yield from in_order((self.run.places(self.pairing, shard), rows) for shard, rows in self._each("score", lost))

    def mixed(self, lost: Lost, best: Mapping[str, int]) -> Iterator[Mixed]:
        """What noise does to the best methods, shard by shard."""
        return (mixed for _, mixed in self._each("mix", lost, best))

    def _each(self, act: str, lost: Lost | None = None, best: Mapping[str, int] | None = None) -> Iterator[Any]:
        """(shard, what came of it), in the order of the plan."""
        names = (str(self.run.folder), self.run.plan, self.pairing.id, act)
        job = JudgingJob(*names, bases_of(self.game), lost or {}, best or {})
        load = Workload(open_judge, job, lambda name: (self._sent(self.run.plan.shards[name][1]),))
        results = self.judges.in_turn(load, [shard.name for shard in self.pairing.shards])
        for shard, done in zip(self.pairing.shards, results, strict=True):
            if trouble := SENT_TROUBLES[act](done.result, self._expected(job, shard)):
                raise InputError(f"{shard.name}: what a worker sent is not the judged shard: {trouble}")
            yield shard, done.result

    def _sent(self, shard: Shard) -> ShardBytes:
        try:
            files = {kind: self.run.store.vouched(self._receipt(shard.name), kind) for kind in KINDS}
        except DamagedError as damage:
            raise InputError(f"{self.run.folder}: {damage}; {AGAIN}") from None
        return ShardBytes(packed(self._rows(shard)), self.run.places(self.pairing, shard), files)

    def _rows(self, shard: Shard) -> Any:
        return self.run.item_file(self.pairing.set).table(shard.items.start, shard.items.stop)

    def _expected(self, job: JudgingJob, shard: Shard) -> Expected:
        failed = self._receipt(shard.name).shortfall.failed
        keys = dict(zip(self.run.places(self.pairing, shard).tolist(), self.run.keys(shard), strict=True))
        return Expected(self.game, len(self.pairing.methods), job.best, keys, len(keys) - failed)
