"""Define what a game is, and the table of games."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from whichword.errors import InputError
from whichword.games.scorers import SCORERS
from whichword.registry import Registry
from whichword.text.places import content_key, head
from whichword.types import Document, Item

Rewarded = Mapping[str, frozenset[int] | None]

MEASURED = ""  # the scorer of games that measure, which need none
DEFAULT = "hybrid"  # any labelled text can be cut and put together


@dataclass(frozen=True)
class Part:
    """A part that a game counts apart: the column's name, its title ("": the name), and which words are right.

    ``scorer`` is the one that decides (`whichword.games.scorers`); tables show the others on request.
    """

    name: str
    title: str = ""
    truth: str = "words that the game rewards"
    scorer: str = "hit"

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", self.title or self.name)  # frozen

    @property
    def heading(self) -> str:
        """``number, wrong predictions [hit_feat_wrong]``: the title, and in brackets the name that files have."""
        return self.title if self.title == self.name else f"{self.title} [{self.name}]"


class Game(ABC):
    """A game makes items from documents and says which words are right. It never sees a model or a method.

    A game has to say what it counts and what it rewards; all else has a default. What it says about itself, in
    ``counts``, ``rules`` and ``caveats``, is what reports say about it.
    """

    counts: ClassVar[tuple[Part, ...]]  # in the order of the table's columns
    rules: ClassVar[str] = ""  # when a method hits and what is discarded, in whole sentences
    caveats: ClassVar[tuple[str, ...]] = ()  # what the game cannot tell, in whole sentences
    confident: float = 0.0  # of the class that is explained: items with less probability are not counted
    decides: ClassVar[bool] = True  # whether a verdict may rest on this game alone
    fragments: ClassVar[bool] = False  # whether whole passages are right, so that wide windows gain by being wide
    together: ClassVar[str] = ""  # a fact: items that share its value count only where all of them do

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of what is counted apart."""
        return tuple(part.name for part in self.counts)

    @property
    def rows(self) -> tuple[str, ...]:
        """The names of the rows that the game has beside the methods."""
        return ()

    @property
    def columns(self) -> dict[str, tuple[str, str]]:
        """Columns of hits -> (part, scorer): a part by its own scorer, ``part.scorer`` by each of the others."""
        own = {part.name: (part.name, part.scorer) for part in self.counts}
        others = ((part, scorer) for part in self.counts for scorer in SCORERS if scorer != part.scorer)
        return own | {f"{part.name}.{scorer}": (part.name, scorer) for part, scorer in others}

    def part(self, name: str) -> Part:
        """Find one part by name; a part that is not the game's has nothing but its name."""
        return next((part for part in self.counts if part.name == name), Part(name))

    def items(self, documents: Sequence[Document], seed: int) -> tuple[Item, ...]:
        """Make the items of the game, here one of every whole document.

        The order of ``documents`` and the machine have no part in them.
        """
        return tuple(item_of(document) for document in documents)

    def turns(self, documents: Sequence[Document], seed: int) -> Iterable[Item]:
        """Make the same items one by one where that can be, since a corpus need not fit in memory; here all at once."""
        return self.items(documents, seed)

    @abstractmethod
    def rewarded(self, item: Item, predicted: str) -> Rewarded:
        """Find by part the positions that are right, given the predicted class; None: not counted."""

    def slices(self, item: Item) -> Mapping[str, str]:
        """Name what an item can be sliced by beside its facts."""
        return {}

    def fits(self, documents: Sequence[Document]) -> bool:
        """Tell whether the documents were made for this game, so that it is played unless another is named."""
        return False


@dataclass(frozen=True)
class Measurement:
    """A row's values on one item by part (NaN: not counted), and the probabilities of the copies it was judged by."""

    values: Mapping[str, float]
    edited: tuple[float, ...] = ()


class Measured(Game):
    """A game that asks about edited copies. It never sees the model: it asks by ``probability``.

    Beside the methods it has ``rows`` of its own, among them a ``ceiling`` and what chance gets, the ``floor``.
    """

    ceiling: ClassVar[str]
    floor: ClassVar[str]

    @property
    @abstractmethod
    def rows(self) -> tuple[str, ...]:
        """The ceiling, the floor, and the ceiling with more and more noise."""

    @property
    def columns(self) -> dict[str, tuple[str, str]]:
        """It has no right words, so nothing can be scored but what it measures."""
        return {part: (part, MEASURED) for part in self.parts}

    @abstractmethod
    def cost(self, words: int, methods: int) -> int:
        """Count the copies of a document of so many words that it asks about, at most."""

    @abstractmethod
    def measure(
        self,
        item: Item,
        relevances: Mapping[str, NDArray[np.floating[Any]]],
        probability: Callable[[NDArray[np.bool_]], NDArray[np.float64]],
    ) -> Mapping[str, Measurement]:
        """Measure every row. ``relevances`` are those of the words that the model reads.

        ``probability`` takes sets of words [n, T] and gives the explained class's probability without them, [n].
        """


class _Forgotten(Game):
    """A game that is not installed any more: its parts have names, and nothing is known of its rewards."""

    counts = ()

    def rewarded(self, item: Item, predicted: str) -> Rewarded:
        return {}


GAMES: Registry[Game] = Registry("game", "whichword.games")


def item_of(document: Document) -> Item:
    """Make an item of the whole document."""
    return Item(
        document.key,
        document.words,
        document.label,
        facts=document.facts,
        text=document.text,
        excluded=document.excluded,
    )


def cut_item(document: Document, cut: int | None) -> Item:
    """Make an item of the document's first ``cut`` words; the key says if it was cut."""
    words = document.words[:cut]
    whole = len(words) == len(document.words)
    return replace(
        item_of(document),
        key=document.key if whole else content_key(document.key, "cut", str(len(words))),
        words=words,
        text=head(document, cut),
        excluded=tuple(t for t in document.excluded if t < len(words)),
    )


def fitting_game(documents: Sequence[Document]) -> str:
    """Find the first game of the table that the documents were made for, else hybrid."""
    return next((name for name in GAMES if GAMES[name].fits(documents)), DEFAULT)  # in the table's order


def recalled(spelling: str) -> Game:
    """Recall the game that a run was played by, for reports, which outlive games: never an error."""
    try:
        return GAMES[spelling]
    except InputError:
        return _Forgotten()
