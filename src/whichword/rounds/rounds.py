"""In the time there is: documents in rounds, the cheapest methods first, a look when the time per method doubles.

Estimates are seconds of a core, limits seconds of the clock: they differ where others use the machine too (`Pace`).
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from heapq import heapreplace
from pathlib import Path
from typing import Any

from whichword.base.files import locked
from whichword.errors import DamagedError, InputError
from whichword.planning.costs import LONG, CostModel, everything
from whichword.planning.prepare import Prepared, prepare
from whichword.planning.spec import Spec
from whichword.playing.make import begun_run, compute, evaluate, settle
from whichword.playing.merge import own_folder
from whichword.playing.progress import Silent, Watch
from whichword.render.amounts import duration
from whichword.rounds.consolidate import consolidate
from whichword.rounds.levels import Levels, Score, Step, unplayed
from whichword.rounds.looks import Contest, StoredLooks, in_rounds
from whichword.runs.records import Pairing, Receipt, StoredVerdict
from whichword.runs.sealed import commit, sealed, sweep, unsealed
from whichword.runs.store import RUN, Store
from whichword.workers.executors import StandingWorkers
from whichword.workers.shard import Assignment
from whichword.workers.tasks import SERIAL, Hands

SAMPLE = 0.2  # seconds of the clock
WEIGHT = 5.0  # seconds of a core: what a first guess counts for, so that a little work with much around it does not
MOST_GUESSED = 4.0  # a sample as short as that may have met a bad moment


@dataclass
class Pace:
    """Seconds of the clock per second of a core, as ``clock`` and ``planned`` were seen; never below 1."""

    clock: float
    planned: float

    @staticmethod
    def sampled() -> Pace:
        """Make a first guess: what this process gets of a core, while it does nothing but look at the clock."""
        start, used = time.perf_counter(), time.process_time()
        while time.perf_counter() - start < SAMPLE:
            pass
        clock = time.perf_counter() - start
        factor = clock / max(time.process_time() - used, clock / MOST_GUESSED)
        return Pace(WEIGHT * factor, WEIGHT)

    @property
    def factor(self) -> float:
        return max(1.0, self.clock / self.planned)  # work that went faster than planned is luck

    def add(self, clock: float, seconds: Sequence[float], players: int) -> None:
        """Note that these pieces of work, in seconds of a core and in this order, took so long on the clock."""
        self.clock += clock
        self.planned += makespan(seconds, players)


def makespan(seconds: Sequence[float], players: int) -> float:
    """Compute how long pieces of work take together, each given to the player that is free first."""
    free = [0.0] * players  # equal numbers are a heap already
    for amount in seconds:
        heapreplace(free, free[0] + amount)
    return max(free)


ROUNDS = "rounds"  # the folder of the rounds, in that of the run
LOOKS = "looks.json"
SLACK = 2.0  # an estimate before anything was played may be wrong by as much
KEPT_BACK = 20.0  # seconds of a core for what comes after playing; of a short limit a twentieth
STARTING = 6.0  # seconds of a core until a process has loaded what it computes with
WORTHWHILE = 30.0  # seconds of work to come for which processes are started


def play_within(
    spec: Spec, folder: Path, hands: Hands, watch: Watch | None, limit: float, insisted: bool, margin: float
) -> None:
    """Play everything where that fits into ``limit`` seconds, else rounds; rounds that were begun are continued.

    ``insisted``: the user named the limit, so that estimates have to keep well below it. The time is planned for
    as many workers as ``hands`` says, wherever they are.
    """
    start = time.monotonic()
    rounds, hands = own_folder(folder) / ROUNDS, _hands(spec, hands)
    prepared = prepare(spec)
    _refuse_measured(prepared)
    slack = SLACK if insisted else 1.0  # our own limit may be passed by a little
    whole = 0.0 if rounds.exists() else everything(prepared, limit * hands.workers / slack) / hands.workers
    fits = whole * slack <= limit
    if not rounds.exists() and (fits or (folder / RUN).exists()):  # begun whole: it goes on so
        evaluate(spec, folder, hands.workers, watch, hands.executor, prepared=prepared, address=hands.address)
        return
    with locked(folder):
        sweep(folder)  # what a killed start left half written
        if watch and whole > LONG:
            watch.notice(f"everything would take about {duration(whole)}: rounds, for {duration(limit)} at most")
        game = RoundsRun.begin(prepared, folder, hands, watch or Silent(), limit, margin, start)
        try:
            game.play()
        finally:
            game.standing.end()  # also after Ctrl-C
        game.finish()


def _refuse_measured(prepared: Prepared) -> None:
    """Refuse games that ask about edited copies: they judge all methods of a document at once, and decide nothing."""
    games = [prepared.plan.set(pairing.set).game for pairing in prepared.plan.pairings if pairing.measured]
    if games:
        raise InputError(f"{games[0]} decides nothing: play it beside other games by whichword evaluate")


def _hands(spec: Spec, hands: Hands) -> Hands:
    """Choose the workers: a model that is nowhere but in memory has none, and this process is one."""
    if any(spelling.startswith("live:") for spelling in spec.models.values()):
        return Hands()
    return replace(hands, workers=1) if hands.executor == SERIAL else hands


@dataclass
class RoundsRun(Levels):
    """One start: ``limit`` seconds from ``start`` on, rounds in a run's folder."""

    folder: Path
    store: Store
    prepared: Prepared
    hands: Hands
    watch: Watch
    start: float
    pacing: Pace = field(default_factory=Pace.sampled)
    standing: StandingWorkers = field(default_factory=StandingWorkers)

    @staticmethod
    def begin(
        whole: Prepared, folder: Path, hands: Hands, watch: Watch, limit: float, margin: float, start: float
    ) -> RoundsRun:
        """Plan, or take up what is there."""
        rounds = folder / ROUNDS
        prepared, contests = in_rounds(whole)
        store = settle(rounds, begun_run(rounds), prepared, False)
        run = RoundsRun([], hands.workers, limit, margin, folder, store, prepared, hands, watch, start)
        history = _history(rounds)
        run.scores = [run._score(contest, history.get(contest.whole.id, {})) for contest in contests]
        todo = [name for score in run.scores for name in score.unplayed_rounds()]  # at most: some will be stopped
        watch.planned(store.plan, todo, [])
        return run

    def _score(self, contest: Contest, history: Mapping[str, Any]) -> Score:
        items = self.prepared.items[contest.whole.set]
        model = self.prepared.models[contest.whole.model]
        sides = [team.labels for team in contest.teams]
        costs = CostModel.of(sides, model, [len(item.words) for item in items])
        score = Score(contest, StoredLooks(contest, self.store), costs, dict.fromkeys(contest.whole.labels, 0))
        score.looks, score.stopped = list(history.get("looks", [])), dict(history.get("stopped", {}))
        score.expected, score.budget = dict(history.get("expected", {})), history.get("budget", 0.0)
        for team in contest.teams:
            played = self.rounds_of(score, team)
            score.rounds |= dict.fromkeys(team.labels, played)
            for shard in team.shards[:played]:
                score.costs.note(self.store.receipt(shard.name))  # what it took then is the best estimate
        return score

    @property
    def remaining(self) -> float:
        """Seconds to play, with something kept back for the report."""
        kept_back = min(KEPT_BACK * self.pace, self.limit / 20 * self.pace, self.limit / 4)
        return self.limit - kept_back - (time.monotonic() - self.start)

    @property
    def pace(self) -> float:
        return self.pacing.factor

    def delay(self, steps: Sequence[Step]) -> float:
        name = self._executor(len(steps), sum(seconds for seconds, _, _ in steps))
        return 0.0 if name == SERIAL or self.standing.at_work(name) else STARTING * self.pace

    def finish(self) -> None:
        """Write the run as tables and reports read it, with the verdict."""
        if not any(score.looks for score in self.scores):
            raise InputError(f"{self.limit:.0f} seconds were over before a round was played: give it more --time")
        verdicts = {score.contest.whole.id: self._verdict(score) for score in self.scores}
        consolidate(self.folder, self.store, self.scores, verdicts)

    def _verdict(self, score: Score) -> StoredVerdict:
        return StoredVerdict(score.decision, unplayed(score.contest, score.rounds, score.stopped, score.costs))

    def play_shards(self, shards: Sequence[str], seconds: float) -> None:
        job = Assignment(self.store.plan, self.prepared.spellings)
        name = self._executor(len(shards), seconds)
        execute, begin, costs = self.standing.executor(name), time.monotonic(), {}
        with closing(compute(execute, self.store, job, shards, self.hands.site, self.watch)) as receipts:
            for receipt in receipts:
                costs[receipt.shard] = self._note(receipt)
                if self.remaining <= 0:
                    break  # closing drops the shards that are under way
        players = 1 if name == SERIAL else self.players  # what was at work, to compare with the clock
        self.pacing.add(time.monotonic() - begin, [costs[shard] for shard in shards if shard in costs], players)

    def _executor(self, shards: int, seconds: float) -> str:
        """Choose where to compute: processes take a while to start, and then stay; until then it is this one.

        So all that there is time for decides, not these shards: levels begin small, and many of them add up.
        """
        name = self.hands.executor_for(shards)
        to_come = min(sum(score.seconds_left() for score in self.scores), self.remaining * self.players / self.pace)
        soon = to_come <= WORTHWHILE and seconds * self.pace <= self.remaining
        return self.hands.executor_for(1) if soon and not self.standing.at_work(name) else name

    def _note(self, receipt: Receipt) -> float:
        """Add it to its score's costs; return its seconds of a core."""
        team, _ = self.store.plan.shards[receipt.shard]
        for score in self.scores:
            if team in score.contest.teams:
                score.costs.note(receipt)
        self.watch.made(receipt)
        return sum(receipt.together.values())

    def before_look(self, score: Score) -> None:
        self.watch.judging(f"{self.store.plan.title(score.contest.whole)}, look {len(score.looks)}")

    def after_look(self) -> None:
        kept = ("looks", "stopped", "expected", "budget")
        body = {score.contest.whole.id: {name: getattr(score, name) for name in kept} for score in self.scores}
        commit(self.store.folder, LOOKS, sealed(body))

    def rounds_of(self, score: Score, team: Pairing) -> int:
        """Count rounds without a gap: of several processes one may end a later round first."""
        done = score.rounds[team.labels[0]]
        while done < len(team.shards) and self.store.trouble(team.shards[done].name) is None:
            done += 1
        return done


def _history(rounds: Path) -> dict[str, Any]:
    """Read the looks of earlier starts; none where there were none."""
    try:
        return unsealed(rounds / LOOKS)
    except DamagedError:  # no file is damage too
        return {}
