"""The games: judge which word matters, without asking a person.

takes      a Corpus; later, stored predictions and relevances
gives      Items to ask a model about; for each of them 1 or 0 (a hit or none) per part of the game
begin at   game.py (what a game is), hybrid.py (the paper's first one), truth.py (games with known words)
"""

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
