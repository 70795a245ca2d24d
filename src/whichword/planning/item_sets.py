"""Corpora as games: the sets of items of a run, each made once, and never held in memory where a corpus is not."""

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from whichword import games
from whichword.errors import InputError
from whichword.games import GAMES, Game
from whichword.model import Model
from whichword.planning.item_measures import ItemMeasures, measure
from whichword.planning.item_sources import ItemSource, source_name, stored_measures
from whichword.planning.spec import Play
from whichword.runs.canonical import record_hash
from whichword.runs.plan import ItemSet
from whichword.runs.remarks import left_out
from whichword.runs.store import Store
from whichword.text.keys import content_key
from whichword.types import Corpus, Document, Item

Keyed = TypeVar("Keyed", Item, Document)


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
    spooled: Path | None = None  # where its file is already, under another name


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
    begun: Store | None = None  # a run of the same things, whose files may save going through a corpus
    spool: Path | None = None  # the folder of a new run, whose files are written while they are measured
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
        taken = askable.items if play.limit is None else sample(askable.items, play.limit, self.seed)
        number = f"s{len(self.built):02d}"
        title = self._title(name, label, number)
        source = self._source(name, corpus, label, game, play, askable)
        measured = self._stored(number, title, source, taken) or measure(askable.items, taken, self.spool)
        if not measured.available:
            why = f"; {left_out(askable.counts)}" if askable.counts else ""
            raise InputError(f"corpus {name}: its test part gives the game {label} no item{why}")
        item_set = ItemSet(
            id=number,
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
        parts = _identity(title, item_set, corpus, measured.identity, play) | _source_part(title, source)
        return BuiltSet(item_set, title, taken, measured.lengths, game, play.limit, parts, measured.spooled)

    def _source(
        self, name: str, corpus: Corpus, label: str, game: Game, play: Play, askable: AskableItems
    ) -> str | None:
        """Of all items of a corpus that is not held in memory; a sample, or what a model left out, is gone through."""
        if play.limit is not None or not isinstance(askable.items, Turns):
            return None
        return ItemSource(name, label, self.seed, play.classes).hash(corpus.test, game)

    def _stored(self, number: str, title: str, source: str | None, items: Iterable[Item]) -> ItemMeasures | None:
        if self.begun is None or source is None:
            return None
        return stored_measures(self.begun, number, title, source, items)

    def _items(self, game: Game, documents: Sequence[Document]) -> Iterable[Item]:
        in_memory = isinstance(documents, tuple)
        return game.items(documents, self.seed) if in_memory else Turns(game, documents, self.seed)

    def _title(self, name: str, label: str, number: str) -> str:
        """``reviews as hybrid``; with its number where a set with another mapping has that title."""
        title = f"{name} as {label}"
        return f"{title} ({number})" if title in {built.title for built in self.built.values()} else title


def _source_part(title: str, source: str | None) -> dict[str, str]:
    return {} if source is None else {source_name(title): source}


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
