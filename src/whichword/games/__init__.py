"""The games: who is right about which word matters, without asking a person."""

# Importing a game registers it; this is the order of the table, and that in which they are asked whether they fit.
from whichword.games.agreement import AgreementGame
from whichword.games.game import GAMES, Game, Part, fitting_game, item_of, recalled
from whichword.games.hybrid import HybridGame
from whichword.games.manual import ManualGame

__all__ = [
    "GAMES",
    "AgreementGame",
    "Game",
    "HybridGame",
    "ManualGame",
    "Part",
    "fitting_game",
    "item_of",
    "recalled",
]
