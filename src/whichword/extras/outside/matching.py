"""Which item is a row about? Rows become relevances per method and item, and predictions where there are none.

Numbers on tokens or characters are laid onto an item's words by where they stand in its text, never by markers. Items
are those of a run's pairing, or of a corpus that a model elsewhere has read.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from whichword.corpora import read_corpus
from whichword.errors import UNDEFINED, InputError
from whichword.extras.outside.rows import OutsideRow
from whichword.games import Measured
from whichword.planning.items import SetBuilder, fitting_game
from whichword.planning.spec import Play
from whichword.runs.records import AboutModel, Asked, ItemSet, Pairing, PlannedModel
from whichword.runs.run import Prediction, Run, open_run
from whichword.runs.store import RUN
from whichword.text.places import spans
from whichword.types import Item

MARKS = re.compile(r"^(##|[\u2581\u0120\u010a ]+)|(</w>|@@)$")  # how tokenizers mark the beginning or inside of a word
SPECIAL = re.compile(r"\[(CLS|SEP|PAD|UNK|MASK)\]|<(s|/s|pad|unk|mask|bos|eos|\|[^|<>]*\|)>")
LOST = 0.25  # of the pieces: more that stand nowhere in the text, and it is another text


def on_words(row: OutsideRow, item: Item) -> NDArray[np.float64]:
    """Lay a row onto the item's words, phi [T]; what is outside of them is left out, pieces of a word are added up."""
    values = np.array([np.nan if value is None else value for value in row.values], dtype=np.float64)  # null
    if row.pieces is None or row.pieces == item.words:
        if len(values) != len(item.words):
            raise InputError(f"{row.where}: {len(values)} relevances for {len(item.words)} words")
        return values
    if len(values) != len(row.pieces):
        raise InputError(f"{row.where}: {len(values)} relevances for {len(row.pieces)} pieces")
    places = piece_places(row.pieces, item.text)
    standing = [number for number, place in enumerate(places) if place is not None]
    if len(row.pieces) - len(standing) > max(2, LOST * len(row.pieces)):  # 2: a short text has [CLS] and [SEP] too
        raise InputError(f"{row.where}: its pieces do not stand in the text of {item.key[:12]}")
    return _summed(values[standing], [places[number] for number in standing], item)  # type: ignore[misc]


def bare(piece: str) -> str:
    """Strip a piece of its tokenizer's marks; leave nothing of a special one, as ``[CLS]`` and ``</s>`` are."""
    return "" if SPECIAL.fullmatch(piece) else MARKS.sub("", piece).strip().lower()


def piece_places(pieces: Sequence[str], text: str) -> list[tuple[int, int] | None]:
    """Find [start, end) of each piece, in order, whatever its case; None for pieces that are no part of the text."""
    lower, end, places = text.lower(), 0, []
    for piece in pieces:
        letters = bare(piece)
        start = lower.find(letters, end) if letters else -1
        near = start >= 0 and not lower[end:start].strip()  # nothing but space may lie between two pieces
        places.append((start, start + len(letters)) if near else None)
        end = start + len(letters) if near else end
    return places


def _summed(values: NDArray[np.float64], places: Sequence[tuple[int, int]], item: Item) -> NDArray[np.float64]:
    """Add each number to the word in which its first character that is no space lies, else to the one before."""
    phi = np.zeros(len(item.words))
    starts = [start for start, _ in spans(item)]
    for value, (start, end) in zip(values, places, strict=True):
        part = item.text[start:end]
        first = start + len(part) - len(part.lstrip())
        word = int(np.searchsorted(starts, first, side="right")) - 1  # the last word that begins by then
        if part.strip():  # white space alone belongs to no word
            phi[max(word, 0)] += value  # before the first word: to it
    return phi


Vectors = Mapping[str, NDArray[np.float64]]  # item's key -> phi [T]


@dataclass(frozen=True)
class OutsideSource:
    """Items of a game, a model, its predictions by key, and the methods that are there already with their relevances.

    ``predictions`` is empty where no model was asked: then the rows say what was predicted.
    """

    title: str
    set: ItemSet
    items: tuple[Item, ...]
    subject: PlannedModel
    predictions: Mapping[str, Prediction] = field(default_factory=dict)
    methods: tuple[Asked, ...] = ()
    vectors: Mapping[str, Vectors] = field(default_factory=dict)
    notes: Mapping[tuple[str, str], str] = field(default_factory=dict)  # (method, key) -> remark
    seed: int = 0

    @property
    def by_key(self) -> dict[str, Item]:
        return {item.key: item for item in self.items}


def of_run(folder: Path, model: str | None = None) -> OutsideSource:
    """Open a run's pairing; ``model`` says which, where there are several."""
    run = open_run(folder)
    pairing = _pairing(run, model)
    vectors: dict[str, dict[str, NDArray[np.float64]]] = {label: {} for label in pairing.labels}
    notes = {}
    for row in run.relevances(pairing.id):
        vectors[row.method][row.key] = np.asarray(row.values, dtype=np.float64)
        if row.note:
            notes[row.method, row.key] = row.note
    return OutsideSource(
        run.plan.title(pairing),
        run.plan.set(pairing.set),
        run.items(pairing.set),
        run.plan.model(pairing.model),
        run.predictions(pairing.id),
        pairing.methods,
        vectors,
        notes,
        int(run.plan.settings["seed"]),
    )


def _pairing(run: Run, model: str | None) -> Pairing:
    pairings = [pairing for pairing in run.plan.pairings if model in (None, pairing.model)]
    if len(pairings) != 1:
        titles = "; ".join(run.plan.title(pairing) for pairing in run.plan.pairings)
        raise InputError(f"{run.folder}: name one of its models by --model ({titles})")
    return pairings[0]


def of_corpus(name: str, game: str | None, limit: int | None, data: Path | None, seed: int) -> OutsideSource:
    """Read a corpus as a game, with a model of which nothing is known but what the rows say."""
    corpus = read_corpus(name, data=data, seed=seed)
    play = Play(("outside",), (name,), (), limit=limit)
    built = SetBuilder(seed).build(name, corpus, game or fitting_game(corpus.test), play, None)
    if isinstance(built.game, Measured):
        raise InputError(f"{built.set.game} asks a model about edited copies, and here there is none")
    about = AboutModel("outside", corpus.classes, "float64", facts={"predictions": "as the file of relevances says"})
    subject = PlannedModel("outside", "outside", about)
    return OutsideSource(f"{name} as {built.set.game}", built.set, tuple(built.items), subject, seed=seed)


def open_source(
    spelling: str, model: str | None, game: str | None, limit: int | None, data: Path | None, seed: int
) -> OutsideSource:
    """Open a folder with a run, or a corpus."""
    if (Path(spelling) / RUN).exists():
        if game is not None or limit is not None:
            raise InputError("a run has its items: --game and --limit are for a corpus")
        return of_run(Path(spelling), model)
    return of_corpus(spelling, game, limit, data, seed)


def with_classes(source: OutsideSource, classes: Sequence[str]) -> OutsideSource:
    """Add predicted classes that the corpus does not have."""
    about = source.subject.about
    names = tuple(dict.fromkeys([*about.classes, *classes]))
    return replace(source, subject=structs.replace(source.subject, about=structs.replace(about, classes=names)))


MISSING = f"{UNDEFINED}no relevances were given"


@dataclass(frozen=True)
class Matched:
    """Method -> key -> phi [T], the predictions of all items, and how many rows were about no item."""

    vectors: Mapping[str, Mapping[str, NDArray[np.float64]]]
    predictions: Mapping[str, Prediction]
    unmatched: int


def matched(source: OutsideSource, rows: Iterable[OutsideRow], name: str, partial: bool) -> Matched:
    """Put every row on its item; ``name``: the method of rows that name none. An item that is missing is refused.

    ``partial``: items without relevances count as wrong.
    """
    finder, unmatched = _Finder(source.items), 0
    vectors: dict[str, dict[str, NDArray[np.float64]]] = {}
    targets: dict[str, str] = {}
    for row in rows:
        item = finder.item(row)
        if item is None:
            unmatched += 1
            continue
        _check_target(source, targets, item, row)
        _enter(vectors.setdefault(row.method or name, {}), item, row)
    _check_all_there(source, vectors, unmatched, partial)
    return Matched(vectors, source.predictions or _predictions(source, targets), unmatched)


class _Finder:
    """Items by key and by text, whatever the white space and the case."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._by_key: dict[str, Item] = {}
        self._by_text: dict[str, list[Item]] = {}
        for item in items:
            self._by_key[item.key] = item
            self._by_text.setdefault(_letters(item.text), []).append(item)

    def item(self, row: OutsideRow) -> Item | None:
        if row.key is not None and row.key in self._by_key:  # else its text may be known
            return self._by_key[row.key]
        text = row.text or ("".join(map(bare, row.pieces)) if row.pieces and row.key is None else None)
        if text is None:
            return None
        items = self._by_text.get(_letters(text), [])
        if len(items) > 1:  # a text cannot say which
            raise InputError(f"{row.where}: {len(items)} items have this text: name one by its key")
        return items[0] if items else None


def _letters(text: str) -> str:
    """Strip a text of white space and case: tokenizers keep neither."""
    return "".join(text.split()).lower()


def _enter(vectors: dict[str, NDArray[np.float64]], item: Item, row: OutsideRow) -> None:
    if item.key in vectors:
        raise InputError(f"{row.where}: relevances for {item.key[:12]} were given before")
    vectors[item.key] = on_words(row, item)


def _check_target(source: OutsideSource, targets: dict[str, str], item: Item, row: OutsideRow) -> None:
    """Refuse a row that explains another than the predicted class."""
    if source.predictions:
        answer = source.predictions.get(item.key)
        predicted = row.target if answer is None else answer.predicted
        if row.target not in (None, predicted):
            raise InputError(f"{row.where}: explains {row.target!r}, but the model predicted {predicted!r}")
    elif row.target is None:
        raise InputError(f"{row.where}: a corpus has no predictions: the row has to say 'target', the predicted class")
    elif targets.setdefault(item.key, row.target) != row.target:  # one prediction for all methods
        raise InputError(f"{row.where}: explains {row.target!r}, a row before {targets[item.key]!r}")


def _check_all_there(
    source: OutsideSource, vectors: Mapping[str, Mapping[str, object]], unmatched: int, partial: bool
) -> None:
    total = len(source.predictions) or len(source.items)  # items that failed have nothing to explain
    if not vectors:
        raise InputError(f"none of {unmatched} rows is about an item of {source.title}, by key or by text")
    for method, by_key in vectors.items():
        if method in source.vectors:
            raise InputError(f"{source.title} has a method {method!r}: give the new one a --name of its own")
        if len(by_key) < total and not partial:
            advice = "--partial judges it all the same: items without relevances count as wrong"
            raise InputError(f"{method}: relevances for {len(by_key)} of {total} items; {advice}")


def _predictions(source: OutsideSource, targets: Mapping[str, str]) -> dict[str, Prediction]:
    """Give 1 to the predicted class, as a model of labels alone does; items without rows get their gold class."""
    classes = with_classes(source, sorted(set(targets.values()))).subject.classes
    predictions = {}
    for item in source.items:
        predicted = targets.get(item.key, item.gold if item.gold in classes else classes[0]) or classes[0]
        scores = tuple(float(name == predicted) for name in classes)
        predictions[item.key] = Prediction(item.key, predicted, scores, (False,) * len(item.words), len(item.words))
    return predictions
