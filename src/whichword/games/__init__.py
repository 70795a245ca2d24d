"""The games: who is right about which word matters, without asking a person."""

# Importing a game registers it; this is the order of the table, and that in which they are asked whether they fit.
from whichword.games.agreement import AgreementGame
from whichword.games.deletion import DeletionGame
from whichword.games.game import GAMES, Game, Measured, Part, fitting_game, item_of, recalled
from whichword.games.hybrid import HybridGame
from whichword.games.truth import ManualGame, RationalesGame, ShortcutGame, TwinsGame

__all__ = [
    "GAMES",
    "AgreementGame",
    "DeletionGame",
    "Game",
    "HybridGame",
    "ManualGame",
    "Measured",
    "Part",
    "RationalesGame",
    "ShortcutGame",
    "TwinsGame",
    "fitting_game",
    "item_of",
    "recalled",
]
