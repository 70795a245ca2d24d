"""Seconds of a core on a machine that others use too: what is begun ends in time."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from experiments.verdict.stopping import DrawnLevels, started
from experiments.verdict.worlds import WORLDS

from whichword.rounds.rounds_levels import Step
from whichword.rounds.rounds_pace import MOST_GUESSED, SAMPLE, Pace, makespan

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
