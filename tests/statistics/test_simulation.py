"""The simulation runs, and a few of its games show what its tables show with many."""

from dataclasses import replace

import numpy as np
import pytest
from experiments.verdict import __main__ as command
from experiments.verdict.trials import LOOKS, at_once, in_rounds
from experiments.verdict.worlds import WORLDS

from whichword.errors import InputError

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


def test_looks_after_every_round():
    rates = in_rounds(BY_NAME["two methods, 10 points apart"], 3, seed=1)
    assert list(rates) == list(LOOKS)
    assert rates[LOOKS[0]].abstains == 1.0
    assert rates[LOOKS[-1]].abstains == 0.0


def test_tables_go_between_the_marks(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{command.MARKS[0]}\nold\n{command.MARKS[1]}\nafter\n", "utf8")
    command._put("new", page)
    assert page.read_text("utf8") == f"before\n{command.MARKS[0]}\nnew\n{command.MARKS[1]}\nafter\n"
    page.write_text("nothing", "utf8")
    with pytest.raises(InputError, match="the marks"):
        command._put("new", page)
