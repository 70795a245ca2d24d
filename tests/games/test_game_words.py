"""A game carries its own words and says what it fits; a game that is gone still has the names of its parts."""

from dataclasses import dataclass

import pytest

from whichword.games import GAMES, Game, Part, fitting_game, recalled
from whichword.types import Document, Item

PLAIN = Document("p", ("a", "b"), "x", facts={"source": "s"}, text="a  b")
LISTED = Document("l", ("a", "b"), "x", relevant=(1,))
TAGGED = Document("t", ("a", "b"), "singular", tags=("DT", "NN"), subject=1)


@dataclass(frozen=True)
class FirstWord(Game):
    counts = (Part("first"),)

    def rewarded(self, item, predicted):
        return {"first": frozenset({0})}


@pytest.mark.parametrize("name", ["hybrid", "agreement", "manual"])
def test_every_game_speaks_for_itself(name):
    game = GAMES[name]
    assert game.parts == tuple(part.name for part in game.counts)
    assert all(part.title and part.truth for part in game.counts)
    assert game.rules.endswith(".")
    assert game.caveats


@pytest.mark.parametrize(
    ("documents", "game"),
    [([PLAIN], "hybrid"), ([], "hybrid"), ([PLAIN, LISTED], "manual"), ([PLAIN, TAGGED], "agreement")],
)
def test_the_game_that_fits(documents, game):
    assert fitting_game(documents) == game


def test_a_subject_goes_before_a_list():
    assert fitting_game([LISTED, TAGGED]) == "agreement"


def test_a_game_of_ones_own_has_sensible_defaults():
    game = FirstWord()
    assert game.parts == ("first",)
    assert game.part("first") == Part("first", "first", "words that the game rewards")
    assert game.items([PLAIN], 0) == (Item("p", ("a", "b"), "x", facts={"source": "s"}, text="a  b"),)
    assert not game.fits([PLAIN])
    assert (game.rules, game.caveats) == ("", ())


def test_a_game_that_is_gone_is_no_error():
    gone = recalled("gone[setting=1]")
    assert gone.part("hit_it") == Part("hit_it")
    assert gone.part("hit_it").title == "hit_it"
    assert gone.caveats == ()
    assert gone.rewarded(Item("k", ("a",)), "x") == {}
    assert recalled("hybrid[sentences=3]") == GAMES["hybrid[sentences=3]"]
