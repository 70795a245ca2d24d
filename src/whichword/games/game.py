"""What a game is, and the table of games."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from whichword.registry import Registry
from whichword.types import Document, Item

Rewarded = Mapping[str, frozenset[int] | None]


class Game(Protocol):
    """Makes items from documents and says which words are right. It never sees a model or a method."""

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of what is counted apart, in the order of the table's columns."""

    def items(self, documents: Sequence[Document], seed: int) -> tuple[Item, ...]:
        """The turns of the game; the order of ``documents`` and the machine have no part in them."""

    def rewarded(self, item: Item, predicted: str) -> Rewarded:
        """For each part the positions that are right, given the predicted class; None: not counted."""


GAMES: Registry[Game] = Registry("game", "whichword.games")
