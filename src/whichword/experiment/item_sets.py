"""Corpora as games: the sets of items of a run, each made once."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from whichword import games
from whichword.errors import InputError
from whichword.experiment import formats, identity
from whichword.experiment.plan import ItemSet
from whichword.experiment.remarks import left_out
from whichword.experiment.seal import sha256
from whichword.experiment.spec import Play
from whichword.games import GAMES, Game
from whichword.model import Model
from whichword.text.keys import content_key
from whichword.types import Corpus, Document, Item

Keyed = TypeVar("Keyed", Item, Document)


@dataclass(frozen=True)
class BuiltSet:
    """A set with its items and its parts of the run's identity; ``title`` is its own within the run."""

    set: ItemSet
    title: str
    items: tuple[Item, ...]
    game: Game
    limit: int | None
    identity: dict[str, str]


@dataclass(frozen=True)
class AskableItems:
    """The items that a model can be asked about, which ones it cannot, and how many of these for which reason."""

    items: tuple[Item, ...]
    refused: tuple[int, ...]
    counts: dict[str, int]

    @staticmethod
    def of(model: Model, items: tuple[Item, ...]) -> "AskableItems":
        if type(model).refusal is Model.refusal:
            return AskableItems(items, (), {})
        refusals = {number: reason for number, item in enumerate(items) if (reason := model.refusal(item))}
        asked = tuple(item for number, item in enumerate(items) if number not in refusals)
        return AskableItems(asked, tuple(refusals), dict(sorted(Counter(refusals.values()).items())))


@dataclass(frozen=True)
class SetBuilder:
    """Makes a set for a corpus, a game, a class mapping and what a model leaves out, or gives the one that is there."""

    seed: int
    built: dict[object, BuiltSet] = field(default_factory=dict)
    turns: dict[object, tuple[Item, ...]] = field(default_factory=dict)

    def build(self, name: str, corpus: Corpus, spelling: str, play: Play, model: Model) -> BuiltSet:
        """``corpus``, which was called by this name, is relabelled already, by the play's mapping."""
        label, game = GAMES.resolve(spelling)
        everything = (name, label, tuple(sorted(play.classes.items())))
        if everything not in self.turns:
            self.turns[everything] = game.items(corpus.test, self.seed)
        asked = AskableItems.of(model, self.turns[everything])
        key = (*everything, asked.refused)
        if key not in self.built:
            self.built[key] = self._make(name, corpus, label, game, play, asked)
        if self.built[key].limit != play.limit:
            raise InputError(f"{name} as {label} is played with two limits: give them runs of their own")
        return self.built[key]

    def _make(self, name: str, corpus: Corpus, label: str, game: Game, play: Play, asked: AskableItems) -> BuiltSet:
        items = asked.items
        if not items:
            why = f"; {left_out(asked.counts)}" if asked.counts else ""
            raise InputError(f"corpus {name}: its test part gives the game {label} no item{why}")
        taken = sample(items, play.limit, self.seed)
        item_set = ItemSet(
            id=f"s{len(self.built):02d}",
            corpus=name,
            game=label,
            parts=game.parts,
            items=len(taken),
            available=len(items),
            classes=corpus.classes,
            record=dict(corpus.record),
            sha256=sha256(formats.items_bytes(taken)),
            mapping=dict(sorted(play.classes.items())),
            words=sum(len(item.words) for item in taken),
            left_out=asked.counts,
        )
        title = self._title(item_set)
        return BuiltSet(item_set, title, taken, game, play.limit, _identity(title, item_set, corpus, items, play))

    def _title(self, item_set: ItemSet) -> str:
        """``reviews as hybrid``; with its number where a set with another mapping has that title."""
        titles = {built.title for built in self.built.values()}
        return f"{item_set.title} ({item_set.id})" if item_set.title in titles else item_set.title


def _identity(title: str, item_set: ItemSet, corpus: Corpus, items: Sequence[Item], play: Play) -> dict[str, str]:
    """All items, also those that the limit leaves out."""
    pairs = ", ".join(f"{label} = {target}" for label, target in item_set.mapping.items())
    return {
        f"corpus {title}": identity.items_hash(items),
        f"record of corpus {item_set.corpus}": identity.record_hash(corpus),
        f"limit of {title}": str(play.limit),
        **({f"classes of {title}": pairs} if pairs else {}),
    }


def fitting_game(documents: Sequence[Document]) -> str:
    """The game that the documents were made for, by what the games say."""
    return games.fitting_game(documents)


def sample(items: Sequence[Keyed], limit: int | None, seed: int) -> tuple[Keyed, ...]:
    """At most ``limit`` items, drawn by a hash of (seed, key), in their order: a smaller sample is part of a larger."""
    if limit is None or limit >= len(items):
        return tuple(items)
    ranked = sorted(range(len(items)), key=lambda i: content_key("sample", str(seed), items[i].key))
    return tuple(items[i] for i in sorted(ranked[:limit]))
