"""The simulation runs, and a few of its games show what its tables show with many."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from experiments.verdict import __main__ as command
from experiments.verdict.stopping import started
from experiments.verdict.trials import at_once, in_rounds
from experiments.verdict.worlds import WORLDS

from whichword.errors import InputError
from whichword.rounds import levels

BY_NAME = {world.name: world for world in WORLDS}


def test_worlds_have_the_accuracies_that_they_say():
    world = BY_NAME["a ladder from .85 down to .40"]
    outcomes = world.draw(20_000, np.random.default_rng(0))
    for name, truth, hits in zip(world.names, world.truth, outcomes.hits.T, strict=False):
        assert hits.mean() == pytest.approx(truth, abs=0.015), name


def test_near_chance_no_method_is_named():
    rates = at_once(BY_NAME["all the same, near chance"], 200, 20, seed=1)
    assert (rates.abstains, rates.wrong_by_five) == (1.0, 0.0)


def test_a_clear_winner_is_named_and_never_another():
    rates = at_once(BY_NAME["one better by 10 points"], 1000, 10, seed=1)
    assert (rates.wrong_by_ten, rates.abstains) == (0.0, 0.0)
    assert rates.decided > 0.5


def test_errors_are_counted():
    """A world that calls its cheapest methods good when they are not would be seen: here the truth is turned round."""
    world = BY_NAME["one better by 10 points"]

    class Liar(type(world)):
        def behind(self, name):
            return 0.1 - super().behind(name)

    liar = Liar(**vars(replace(world)))
    assert at_once(liar, 1000, 10, seed=1).wrong_by_ten > 0.5


def test_rounds_as_trust_plays_them():
    rates = {size: in_rounds(BY_NAME["two methods, 10 points apart"], size, 20, seed=1) for size in (50, 5000)}
    assert rates[50].abstains > 0.5
    assert rates[5000].abstains == 0.0  # the second start has time for everything
    assert rates[5000].wrong_by_ten == 0.0


def test_methods_are_stopped_in_these_rounds():
    """Else the table would be about another rule."""
    stops = set()
    real = levels.reasons_to_stop

    def noted(*arguments):
        reasons = real(*arguments)
        stops.update(reasons.values())
        return reasons

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(levels, "reasons_to_stop", noted)
        in_rounds(BY_NAME["a ladder from .85 down to .40"], 5000, 10, seed=1)
        in_rounds(BY_NAME["all the same"], 5000, 10, seed=1)
    kinds = ("points behind the best", "worse than the best", "no longer matters")
    assert all(any(kind in reason for reason in stops) for kind in kinds)


def test_no_round_is_played_before_an_earlier_one():
    """The last round may be the smaller one: where only that fits into the time, the method is through."""
    world = BY_NAME["two methods, 5 points apart"]
    for seed in range(30):
        game = started(world, 36, np.random.default_rng(seed))  # rounds of 4, 4, 8, 16, 4
        (score,) = game.scores
        game.limit = 20 * sum(game.seconds.values()) / game.players
        game.play()
        assert len(game.played) == sum(score.rounds.values())
        assert len(game.shards) == len(game.played)  # none was played twice


def test_a_rule_that_forgets_the_other_looks_is_seen_to_err():
    """With the error of one look at every look, and much of it, what is false gets said: the table can show it."""
    alike = BY_NAME["two methods, 5 points apart"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            sys.modules["whichword.statistics.bounds"], "shares_of_error", lambda rounds, expected=None: [18.0] * rounds
        )
        assert in_rounds(alike, 200, 40, seed=1).wrong_by_five > 0.1
    assert in_rounds(alike, 200, 40, seed=1).wrong_by_five == 0.0


def test_tables_go_between_the_marks(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{command.MARKS[0]}\nold\n{command.MARKS[1]}\nafter\n", "utf8")
    command._put("new", page)
    assert page.read_text("utf8") == f"before\n{command.MARKS[0]}\nnew\n{command.MARKS[1]}\nafter\n"
    page.write_text("nothing", "utf8")
    with pytest.raises(InputError, match="the marks"):
        command._put("new", page)
