"""Make the sets of items of a run, corpora as games: each once, and never in memory where its corpus is not.

A corpus of a hundred million documents takes hours to go through, so a resumed start goes by fingerprints. A part of a
corpus may have a ``fingerprint``: a text that differs whenever the settings or the data differ that its documents are a
function of. The code is hashed here. Where everything is as it was and the items' file is whole, the file is believed,
after its first items were made again and compared.
"""

import hashlib
import heapq
import os
import secrets
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TypeVar

import pyarrow

from whichword import games
from whichword.base.files import naming
from whichword.errors import SettingError
from whichword.games import GAMES, Game
from whichword.model import Model
from whichword.models.loaders import foreign_code
from whichword.planning.spec import Play
from whichword.runs.items import ItemFile, Row, items_of, items_sha256
from whichword.runs.records import ItemSet
from whichword.runs.run import items_trouble, left_out
from whichword.runs.sealed import PARTS, canonical, item_bytes, record_hash, sha256
from whichword.runs.sources import SOURCE, items_code
from whichword.runs.store import Store
from whichword.text.places import content_key
from whichword.types import Corpus, Document, Item

WINDOW = 32_768  # items that are put in the order of their lengths at once


@dataclass(frozen=True)
class ItemMeasures:
    """What one pass found: ``identity`` hashes all ``available`` items; ``lengths`` are words, in the file's order.

    ``spooled``: where the file is already, under another name.
    """

    available: int
    identity: str
    sha256: str
    lengths: Sequence[int]
    spooled: Path | None = None


def measure(items: Iterable[Item], taken: Iterable[Item], folder: Path | None = None) -> ItemMeasures:
    """Go through the items once; those that are ``taken`` are spooled into this folder's parts, if there is one."""
    tap, lengths = _Tap(), array("q")  # 8 bytes a length: there may be a hundred million
    if taken is not items:  # a sample: identity is over all items, so they are gone through beforehand
        for _ in tap.through(items):
            pass
    rows = _noting(by_length(tap.through(items) if taken is items else taken), lengths)
    if folder is None:
        return ItemMeasures(sha256=items_sha256(rows), available=tap.count, identity=tap.value, lengths=lengths)
    path = folder / PARTS / f"items.{os.getpid()}.{secrets.token_hex(4)}"
    path.parent.mkdir(parents=True, exist_ok=True)
    with naming(path), path.open("xb") as file:
        checksum = items_sha256(rows, file)
    return ItemMeasures(tap.count, tap.value, checksum, lengths, path)


class _Tap:
    """Count and hash the items that go through."""

    def __init__(self) -> None:
        self.count, self.digest = 0, hashlib.sha256()

    @property
    def value(self) -> str:
        return self.digest.hexdigest()

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
    """Order items for the set's file: by length, window by window, so that memory bounds no set."""
    numbered = enumerate(items)
    while window := list(islice(numbered, WINDOW)):
        yield from sorted(window, key=lambda row: len(row[1].words))


CHECKED = 1000  # items that are made again and compared, in case a fingerprint promises too much


@dataclass(frozen=True)
class ItemSource:
    """A game on a part of a corpus, as it was spelled."""

    corpus: str
    game: str
    seed: int
    mapping: Mapping[str, str]

    def hash(self, documents: Iterable[Document], game: Game) -> str | None:
        """Hash all that the items are a function of; None where the documents do not say what they depend on."""
        fingerprint = getattr(documents, "fingerprint", None)
        if fingerprint is None:
            return None
        spelled = [self.corpus, self.game, self.seed, dict(self.mapping), str(fingerprint)]
        code = [items_code(), foreign_code(documents), foreign_code(game), pyarrow.__version__]
        return sha256(canonical([spelled, code]))


def source_name(title: str) -> str:
    """Name the hash of a set's source in a run's identity."""
    return f"{SOURCE}{title}"


def stored_measures(store: Store, set_id: str, title: str, source: str, items: Iterable[Item]) -> ItemMeasures | None:
    """Recall what was measured when the run was begun; None where anything is not as it was then."""
    planned = store.plan.identity
    item_set = next((entry for entry in store.plan.sets if entry.id == set_id), None)
    hashed = planned.get(f"corpus {title}")
    if item_set is None or hashed is None or planned.get(source_name(title)) != source:
        return None
    if items_trouble(store, set_id):
        return None
    file = ItemFile(store.folder / item_set.file)
    lengths = array("q", file.lengths.tobytes())
    if len(lengths) != item_set.items or not _begins_alike(file, item_set.items, items):
        return None
    return ItemMeasures(item_set.available, hashed, item_set.sha256, lengths)


def _begins_alike(file: ItemFile, size: int, items: Iterable[Item]) -> bool:
    """Compare the first items of the set's own order, all of which are in the first window of the file."""
    stop = min(WINDOW, size)
    count = min(CHECKED, stop)
    rows = file.rows[:stop]
    first = file.table(0, stop).filter(pyarrow.array(rows < count))
    stored = dict(zip(rows[rows < count].tolist(), items_of(first), strict=True))
    again = list(islice(items, count))
    return len(again) == len(stored) == count and all(
        item_bytes(stored[row]) == item_bytes(item) for row, item in enumerate(again)
    )


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
        """Ask the model which items it refuses; without a model it is none."""
        if model is None or type(model).refusal is Model.refusal:  # the default refuses nothing: spare the pass
            return AskableItems(items, (), {})
        refusals = {number: reason for number, item in enumerate(items) if (reason := model.refusal(item))}
        askable = tuple(item for number, item in enumerate(items) if number not in refusals)
        return AskableItems(askable, tuple(refusals), dict(sorted(Counter(refusals.values()).items())))


@dataclass(frozen=True)
class SetBuilder:
    """Build one set for each corpus, game, class mapping and choice of items that a model leaves out."""

    seed: int
    begun: Store | None = None  # a run of the same things, whose files may save going through a corpus
    spool: Path | None = None  # the folder of a new run, whose files are written while they are measured
    built: dict[object, BuiltSet] = field(default_factory=dict)
    turns: dict[object, Iterable[Item]] = field(default_factory=dict)

    def build(self, name: str, corpus: Corpus, spelling: str, play: Play, model: Model | None) -> BuiltSet:
        """Build or find a set; ``corpus``, spelled ``name``, is relabelled already, by the play's mapping."""
        label, game = GAMES.resolve(spelling)  # the label: two spellings of one game are one set
        everything = (name, label, tuple(sorted(play.classes.items())))
        if everything not in self.turns:
            self.turns[everything] = self._items(game, corpus.test)
        askable = AskableItems.of(model, self.turns[everything])
        key = (*everything, askable.refused)  # models that refuse the same items share a set
        if key not in self.built:
            self.built[key] = self._make(name, corpus, label, game, play, askable)
        if self.built[key].limit != play.limit:
            raise SettingError(f"{name} as {label} is played with two limits: give them runs of their own")
        return self.built[key]

    def _make(self, name: str, corpus: Corpus, label: str, game: Game, play: Play, askable: AskableItems) -> BuiltSet:
        taken = askable.items if play.limit is None else sample(askable.items, play.limit, self.seed)
        number = f"s{len(self.built):02d}"
        title = self._title(name, label, number)
        source = self._source(name, corpus, label, game, play, askable)
        measured = self._stored(number, title, source, taken) or measure(askable.items, taken, self.spool)
        if not measured.available:
            why = f"; {left_out(askable.counts)}" if askable.counts else ""
            raise SettingError(f"corpus {name}: its test part gives the game {label} no item{why}")
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
        """Hash the source of all items of a corpus that is not in memory; samples and refusals need a pass anyway."""
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
        """Name a set ``reviews as hybrid``; with its number where a set with another mapping has that title."""
        title = f"{name} as {label}"
        return f"{title} ({number})" if title in {built.title for built in self.built.values()} else title


def _source_part(title: str, source: str | None) -> dict[str, str]:
    return {} if source is None else {source_name(title): source}


def _identity(title: str, item_set: ItemSet, corpus: Corpus, items: str, play: Play) -> dict[str, str]:
    """Identify a set; ``items`` hashes all of them, also those that the limit leaves out."""
    pairs = ", ".join(f"{label} = {target}" for label, target in item_set.mapping.items())
    return {
        f"corpus {title}": items,
        f"record of corpus {item_set.corpus}": record_hash(corpus),
        f"limit of {title}": str(play.limit),
        **({f"classes of {title}": pairs} if pairs else {}),
    }


def fitting_game(documents: Sequence[Document]) -> str:
    """Find the game that the documents were made for, by what the games say."""
    return games.fitting_game(documents)


def sample(items: Iterable[Keyed], limit: int, seed: int) -> tuple[Keyed, ...]:
    """Draw at most ``limit`` items by a hash of (seed, key), in their order: a smaller sample is part of a larger."""
    ranks = ((content_key("sample", str(seed), item.key), place) for place, item in enumerate(items))
    chosen = {place for _, place in heapq.nsmallest(limit, ranks)}  # holds the sample, not the corpus
    return tuple(item for place, item in enumerate(items) if place in chosen)
