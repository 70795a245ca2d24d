"""Seconds of a core on a machine that others use too: what is begun ends in time."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest
import torch
from experiments.verdict.stopping import DrawnLevels, started
from experiments.verdict.worlds import WORLDS
from planted_corpus import tiny_network

from whichword.methods import METHODS, Questions
from whichword.planning.spec import Play, Spec
from whichword.registry import fixed
from whichword.reporting.trust import decided
from whichword.rounds.levels import Step
from whichword.rounds.rounds import MOST_GUESSED, ROUNDS, SAMPLE, Pace, makespan
from whichword.runs.run import open_run

LABORIOUS = ("laborious", "toilsome")
LADDER = next(world for world in WORLDS if world.name.startswith("a ladder"))


@dataclass
class CrowdedLevels(DrawnLevels):
    """Everything takes ``slowdown`` times as long on the clock as on a core; what was begun is played to its end."""

    slowdown: float = 1.0
    paced: bool = True
    clock: float = 0.0
    pacing: Pace = field(default_factory=lambda: Pace(0.2, 0.2))

    @property
    def remaining(self) -> float:
        return self.limit - self.clock

    @property
    def pace(self) -> float:
        return self.pacing.factor if self.paced else 1.0

    def play_shards(self, shards: Sequence[str], seconds: float) -> None:
        (score,) = self.scores
        costs = [self.play_shard(score, name) for name in shards]
        took = makespan(costs, self.players) * self.slowdown
        self.clock += took
        self.pacing.add(took, costs, self.players)


def overrun(slowdown: float, paced: bool, share: float, seed: int = 0) -> float:
    """Of the limit, which is a share of what everything would take; below 0: ended before."""
    game = started(LADDER, 500, np.random.default_rng(seed))
    everything = 500 * sum(game.seconds.values()) / game.players
    fields = {name: getattr(game, name) for name in ("scores", "players", "margin", "seconds", "alone")}
    crowded = CrowdedLevels(**fields, limit=share * everything, slowdown=slowdown, paced=paced)
    crowded.play()
    assert crowded.shards
    return crowded.clock / crowded.limit - 1


@pytest.mark.parametrize("slowdown", [1.0, 2.0, 4.0])
@pytest.mark.parametrize("share", [0.03, 0.1, 0.5])
def test_a_crowded_machine_ends_in_time(slowdown: float, share: float) -> None:
    """And the time is used."""
    assert -0.2 < overrun(slowdown, True, share) <= 0


def test_without_a_pace_it_would_not() -> None:
    assert overrun(4.0, False, 0.1) > 0.1


def test_a_round_that_would_end_too_late_on_its_worker_is_not_begun() -> None:
    """Two workers, ten seconds: after five seconds each, nobody has six left, though ten are left in all."""
    game = replace(started(LADDER, 50, np.random.default_rng(0)), limit=10.0)
    steps = [(5.0, "a", "a0"), (5.0, "b", "b0"), (6.0, "c", "c0"), (1.0, "c", "c1"), (4.0, "d", "d0")]
    assert [shard for (_, _, shard), _ in game._in_time(steps)] == ["a0", "b0", "d0"]


def test_players_who_are_not_there_yet_begin_later() -> None:
    @dataclass
    class Starting(DrawnLevels):
        def delay(self, steps: Sequence[Step]) -> float:
            return 6.0

    game = started(LADDER, 50, np.random.default_rng(0))
    fields = {name: getattr(game, name) for name in ("scores", "players", "margin", "seconds", "alone")}
    steps = [(4.0, "a", "a0"), (5.0, "b", "b0")]
    assert [shard for (_, _, shard), _ in Starting(**fields, limit=10.0)._in_time(steps)] == ["a0"]


def test_pieces_of_work_go_to_whoever_is_free() -> None:
    assert makespan([3, 1, 1, 1], 2) == 3
    assert makespan([1, 1, 1, 3], 2) == 4
    assert makespan([], 2) == 0


def test_idle_workers_are_no_crowd() -> None:
    """One long piece of work beside short ones: that the others wait for it is planned."""
    pace = Pace(0.2, 0.2)
    pace.add(100.0, [100.0, 5.0, 5.0], 2)
    assert pace.factor == 1.0
    pace.add(300.0, [100.0, 5.0], 2)
    assert pace.factor == pytest.approx(2.0, abs=0.01)


def test_a_first_guess_is_quick() -> None:
    start = time.perf_counter()
    assert 1.0 <= Pace.sampled().factor <= MOST_GUESSED
    assert time.perf_counter() - start >= SAMPLE


@dataclass
class PacedLevels(DrawnLevels):
    """On a machine that was seen to take ``pacing``."""

    pacing: Pace = field(default_factory=lambda: Pace(1.0, 1.0))

    @property
    def pace(self) -> float:
        return self.pacing.factor


def planned(clock: float, core: float) -> int:
    """Of 30 pieces of 1 second each, how many are planned for 10 seconds of 2 players who took so long for so much."""
    game = started(LADDER, 50, np.random.default_rng(0))
    fields = {name: getattr(game, name) for name in ("scores", "players", "margin", "seconds", "alone")}
    steps = [(1.0, f"p{number}", f"p{number}/0") for number in range(30)]
    return len(PacedLevels(**fields, limit=10.0, pacing=Pace(clock, core))._in_time(steps))


@pytest.mark.parametrize(
    ("clock", "core", "pieces"),
    [
        *[(10.0, 8.0, 16), (10.0, 5.0, 10), (10.0, 2.5, 4), (10.0, 1.0, 2), (11.0, 1.0, 0)],
        *[(10.0, 10.0, 20), (8.0, 10.0, 20), (2.5, 10.0, 20), (0.0, 10.0, 20)],
    ],
)
def test_a_speed_below_1_shrinks_what_is_planned_and_none_makes_it_grow(clock: float, core: float, pieces: int) -> None:
    """At half a core each of 2 players ends 5 pieces in 10 seconds; at more than one core not more than 10."""
    assert planned(clock, core) == pieces


@pytest.mark.parametrize("players", [1, 2])
def test_a_pace_is_never_below_1_whatever_was_seen(players: int) -> None:
    """Less time on the clock than on a core: a coarse clock, or a core that was counted twice."""
    pace = Pace(5.0, 5.0)
    for clock, seconds in [(1.0, [4.0]), (0.0, [9.0, 1.0]), (0.0, []), (0.0, [0.0])]:
        pace.add(clock, seconds, players)
        assert pace.factor == 1.0
    pace.add(94.0, [], players)  # nothing was played, and yet the time is gone
    assert pace.factor == pytest.approx(100.0 / {1: 19.0, 2: 18.0}[players])


@pytest.mark.parametrize(("share", "factor"), [(0.0, 4.0), (0.1, 4.0), (0.5, 2.0), (1.0, 1.0), (3.0, 1.0)])
def test_a_first_guess_by_what_this_process_gets(share: float, factor: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing at all, by a clock that stands still: at most four times as slow is believed at first."""
    ticks = count(step=0.01)
    monkeypatch.setattr(time, "perf_counter", lambda: next(ticks))
    monkeypatch.setattr(time, "process_time", lambda: share * next(ticks))
    assert Pace.sampled().factor == pytest.approx(factor, rel=0.1)


@dataclass
class MadeUpTime:
    """Stands still, but for what is worked: ``slowdown`` seconds of the clock per second of a core."""

    slowdown: float
    core: float = 0.0
    looks: int = 0

    def clock(self) -> float:
        return self.core * self.slowdown + self._looked()

    def core_clock(self) -> float:
        return self.core + self._looked()

    def _looked(self) -> float:
        """To look at a clock takes a moment: who waits for it to go on waits for ever otherwise."""
        self.looks += 1
        return 1e-4 * self.looks


@dataclass(frozen=True)
class Laborious:
    """A second of a core for each document."""

    time: MadeUpTime = fixed()  # noqa: RUF009 - a field, no default

    def explain(self, model: object, questions: Questions) -> torch.Tensor:
        self.time.core += len(questions)
        return questions.batch.mask.float()


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[MadeUpTime]:
    """The time of everybody, and two methods that take it."""
    made = MadeUpTime(1.0)
    for name, clock in (("monotonic", made.clock), ("perf_counter", made.clock), ("process_time", made.core_clock)):
        monkeypatch.setattr(time, name, clock)
    for name in LABORIOUS:
        METHODS.register(name, Laborious(made))
    yield made
    for name in LABORIOUS:
        METHODS._entries.pop(name)


@pytest.mark.parametrize(
    ("slowdown", "limit", "documents"),
    [(1.0, 100.0, 40), (2.0, 100.0, 16), (4.0, 100.0, 8), (8.0, 100.0, 4), (0.5, 100.0, 40), (0.5, 35.0, 16)],
)
def test_a_slow_machine_plays_less_and_ends_in_time(
    slowdown: float, limit: float, documents: int, made_up: MadeUpTime, tmp_path: Path
) -> None:
    """Of 40 documents in rounds of 4, 4, 8, 16 and 8; of each round of each method one is timed alone, too.

    A machine that is twice as fast as the core is not trusted: with 14 seconds left, a round of 16 is not begun.
    """
    made_up.slowdown = slowdown
    play = Play(("cnn",), ("planted",), ("hybrid[sentences=3]",), LABORIOUS, 40)
    spec = Spec({"cnn": str(tiny_network(tmp_path / "cnn", "cnn"))}, (play,))
    (tmp_path / "run" / ROUNDS).mkdir(parents=True)
    verdict = decided(spec, tmp_path / "run", time_limit=limit)
    assert made_up.clock() < limit
    (shard,) = open_run(tmp_path / "run").plan.pairing("p00").shards
    assert len(shard.items) == documents
    (case,) = verdict.cases
    assert case.unplayed.keys() == (set() if documents == 40 else {*LABORIOUS})
    assert all(f"no time for more than {documents} documents" in words for words in case.unplayed.values())
