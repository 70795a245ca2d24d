"""The games: who is right about which word matters, without asking a person."""

from whichword.games.agreement import AgreementGame
from whichword.games.game import GAMES, Game
from whichword.games.hybrid import HybridGame
from whichword.games.manual import ManualGame
from whichword.games.pointing import Outcome, chance, expectation, pointing, tally

__all__ = [
    "GAMES",
    "AgreementGame",
    "Game",
    "HybridGame",
    "ManualGame",
    "Outcome",
    "chance",
    "expectation",
    "pointing",
    "tally",
]
