"""The games: who is right about which word matters, without asking a person."""

from whichword.games.agreement import Agreement
from whichword.games.game import GAMES, Game
from whichword.games.hybrid import Hybrid
from whichword.games.manual import Manual
from whichword.games.pointing import Outcome, chance, expectation, pointing, tally

__all__ = [
    "GAMES",
    "Agreement",
    "Game",
    "Hybrid",
    "Manual",
    "Outcome",
    "chance",
    "expectation",
    "pointing",
    "tally",
]
