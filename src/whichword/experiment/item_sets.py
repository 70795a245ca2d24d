"""Corpora as games: the sets of items of a run, each made once, and never held in memory where a corpus is not."""

import hashlib
import heapq
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

from whichword import games
from whichword.errors import InputError
from whichword.experiment.canonical import item_bytes, record_hash
from whichword.experiment.item_files import Row, items_sha256
from whichword.experiment.plan import ItemSet
from whichword.experiment.remarks import left_out
from whichword.experiment.spec import Play
from whichword.games import GAMES, Game
from whichword.model import Model
from whichword.text.keys import content_key
from whichword.types import Corpus, Document, Item

Keyed = TypeVar("Keyed", Item, Document)

WINDOW = 32_768  # items that are put in the order of their lengths at once


@dataclass(frozen=True)
class Turns:
    """The items of a corpus that is not held in memory, made anew whenever they are gone through."""

    game: Game
    documents: Sequence[Document]
    seed: int

    def __iter__(self) -> Iterator[Item]:
        return iter(self.game.turns(self.documents, self.seed))


@dataclass(frozen=True)
class BuiltSet:
    """A set with its items and its parts of the run's identity; ``title`` is its own within the run.

    ``items`` are in the set's own order and may be gone through any number of times; ``lengths`` are their words, in
    the order of the set's file.
    """

    set: ItemSet
    title: str
    items: Iterable[Item]
    lengths: Sequence[int]
    game: Game
    limit: int | None
    identity: dict[str, str]


@dataclass(frozen=True)
class AskableItems:
    """The items that a model can be asked about, which ones it cannot, and how many of these for which reason."""

    items: Iterable[Item]
    refused: tuple[int, ...]
    counts: dict[str, int]

    @staticmethod
    def of(model: Model | None, items: Iterable[Item]) -> "AskableItems":
        """All of them, where no model is at hand."""
        if model is None or type(model).refusal is Model.refusal:
            return AskableItems(items, (), {})
        refusals = {number: reason for number, item in enumerate(items) if (reason := model.refusal(item))}
        askable = tuple(item for number, item in enumerate(items) if number not in refusals)
        return AskableItems(askable, tuple(refusals), dict(sorted(Counter(refusals.values()).items())))


@dataclass(frozen=True)
class SetBuilder:
    """Makes a set for a corpus, a game, a class mapping and what a model leaves out, or gives the one that is there."""

    seed: int
    built: dict[object, BuiltSet] = field(default_factory=dict)
    turns: dict[object, Iterable[Item]] = field(default_factory=dict)

    def build(self, name: str, corpus: Corpus, spelling: str, play: Play, model: Model | None) -> BuiltSet:
        """``corpus``, which was called by this name, is relabelled already, by the play's mapping."""
        label, game = GAMES.resolve(spelling)
        everything = (name, label, tuple(sorted(play.classes.items())))
        if everything not in self.turns:
            self.turns[everything] = self._items(game, corpus.test)
        askable = AskableItems.of(model, self.turns[everything])
        key = (*everything, askable.refused)
        if key not in self.built:
            self.built[key] = self._make(name, corpus, label, game, play, askable)
        if self.built[key].limit != play.limit:
            raise InputError(f"{name} as {label} is played with two limits: give them runs of their own")
        return self.built[key]

    def _make(self, name: str, corpus: Corpus, label: str, game: Game, play: Play, askable: AskableItems) -> BuiltSet:
        items = askable.items
        taken = items if play.limit is None else sample(items, play.limit, self.seed)
        measured = _measured(items, taken)
        if not measured.available:
            why = f"; {left_out(askable.counts)}" if askable.counts else ""
            raise InputError(f"corpus {name}: its test part gives the game {label} no item{why}")
        item_set = ItemSet(
            id=f"s{len(self.built):02d}",
            corpus=name,
            game=label,
            parts=game.parts,
            items=len(measured.lengths),
            available=measured.available,
            classes=corpus.classes,
            record=dict(corpus.record),
            sha256=measured.sha256,
            mapping=dict(sorted(play.classes.items())),
            words=sum(measured.lengths),
            left_out=askable.counts,
        )
        title = self._title(item_set)
        parts = _identity(title, item_set, corpus, measured.identity, play)
        return BuiltSet(item_set, title, taken, measured.lengths, game, play.limit, parts)

    def _items(self, game: Game, documents: Sequence[Document]) -> Iterable[Item]:
        in_memory = isinstance(documents, tuple)
        return game.items(documents, self.seed) if in_memory else Turns(game, documents, self.seed)

    def _title(self, item_set: ItemSet) -> str:
        """``reviews as hybrid``; with its number where a set with another mapping has that title."""
        titles = {built.title for built in self.built.values()}
        return f"{item_set.title} ({item_set.id})" if item_set.title in titles else item_set.title


@dataclass(frozen=True)
class _Measured:
    """What is known of a set after its items were gone through once; ``identity`` is over all that were available."""

    available: int
    identity: str
    sha256: str
    lengths: Sequence[int]


def _measured(items: Iterable[Item], taken: Iterable[Item]) -> _Measured:
    tap, lengths = _Tap(), array("q")
    if taken is not items:
        for _ in tap.through(items):
            pass
    rows = by_length(tap.through(items) if taken is items else taken)
    sha256 = items_sha256(_noting(rows, lengths))
    return _Measured(tap.count, tap.digest.hexdigest(), sha256, lengths)


class _Tap:
    """Counts and hashes the items that go through."""

    def __init__(self) -> None:
        self.count, self.digest = 0, hashlib.sha256()

    def through(self, items: Iterable[Item]) -> Iterator[Item]:
        for item in items:
            self.count += 1
            self.digest.update(item_bytes(item))
            yield item


def _noting(rows: Iterable[Row], lengths: "array[int]") -> Iterator[Row]:
    for row in rows:
        lengths.append(len(row[1].words))
        yield row


def by_length(items: Iterable[Item]) -> Iterator[Row]:
    """The order of the set's file: neighbours in length together, window by window, so that any number will do."""
    numbered = enumerate(items)
    while window := list(islice(numbered, WINDOW)):
        yield from sorted(window, key=lambda row: len(row[1].words))


def _identity(title: str, item_set: ItemSet, corpus: Corpus, items: str, play: Play) -> dict[str, str]:
    """All items, also those that the limit leaves out."""
    pairs = ", ".join(f"{label} = {target}" for label, target in item_set.mapping.items())
    return {
        f"corpus {title}": items,
        f"record of corpus {item_set.corpus}": record_hash(corpus),
        f"limit of {title}": str(play.limit),
        **({f"classes of {title}": pairs} if pairs else {}),
    }


def fitting_game(documents: Sequence[Document]) -> str:
    """The game that the documents were made for, by what the games say."""
    return games.fitting_game(documents)


def sample(items: Iterable[Keyed], limit: int, seed: int) -> tuple[Keyed, ...]:
    """At most ``limit`` items, drawn by a hash of (seed, key), in their order: a smaller sample is part of a larger."""
    ranks = ((content_key("sample", str(seed), item.key), place) for place, item in enumerate(items))
    chosen = {place for _, place in heapq.nsmallest(limit, ranks)}
    return tuple(item for place, item in enumerate(items) if place in chosen)
