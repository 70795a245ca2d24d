"""Which item is a row about? Rows become relevances per method and item, and predictions where there are none."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whichword.errors import UNDEFINED, InputError
from whichword.extras.outside.aligning import bare, on_words
from whichword.extras.outside.rows import OutsideRow
from whichword.extras.outside.sources import OutsideSource, with_classes
from whichword.runs.run import Prediction
from whichword.types import Item

MISSING = f"{UNDEFINED}no relevances were given"


@dataclass(frozen=True)
class Matched:
    """Method -> key -> phi [T], the predictions of all items, and how many rows were about no item."""

    vectors: Mapping[str, Mapping[str, NDArray[np.float64]]]
    predictions: Mapping[str, Prediction]
    unmatched: int


def matched(source: OutsideSource, rows: Iterable[OutsideRow], name: str, partial: bool) -> Matched:
    """Every row on its item; ``name``: the method of rows that name none. An item that is missing is refused.

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
        if row.key is not None and row.key in self._by_key:
            return self._by_key[row.key]
        text = row.text or ("".join(map(bare, row.pieces)) if row.pieces and row.key is None else None)
        if text is None:
            return None
        items = self._by_text.get(_letters(text), [])
        if len(items) > 1:
            raise InputError(f"{row.where}: {len(items)} items have this text: name one by its key")
        return items[0] if items else None


def _letters(text: str) -> str:
    """What is left of a text without white space and case: tokenizers keep neither."""
    return "".join(text.split()).lower()


def _enter(vectors: dict[str, NDArray[np.float64]], item: Item, row: OutsideRow) -> None:
    if item.key in vectors:
        raise InputError(f"{row.where}: relevances for {item.key[:12]} were given before")
    vectors[item.key] = on_words(row, item)


def _check_target(source: OutsideSource, targets: dict[str, str], item: Item, row: OutsideRow) -> None:
    """Relevances explain the predicted class."""
    if source.predictions:
        answer = source.predictions.get(item.key)
        predicted = row.target if answer is None else answer.predicted
        if row.target not in (None, predicted):
            raise InputError(f"{row.where}: explains {row.target!r}, but the model predicted {predicted!r}")
    elif row.target is None:
        raise InputError(f"{row.where}: a corpus has no predictions: the row has to say 'target', the predicted class")
    elif targets.setdefault(item.key, row.target) != row.target:
        raise InputError(f"{row.where}: explains {row.target!r}, a row before {targets[item.key]!r}")


def _check_all_there(
    source: OutsideSource, vectors: Mapping[str, Mapping[str, object]], unmatched: int, partial: bool
) -> None:
    total = len(source.predictions) or len(source.items)
    if not vectors:
        raise InputError(f"none of {unmatched} rows is about an item of {source.title}, by key or by text")
    for method, by_key in vectors.items():
        if method in source.vectors:
            raise InputError(f"{source.title} has a method {method!r}: give the new one a --name of its own")
        if len(by_key) < total and not partial:
            advice = "--partial judges it all the same: items without relevances count as wrong"
            raise InputError(f"{method}: relevances for {len(by_key)} of {total} items; {advice}")


def _predictions(source: OutsideSource, targets: Mapping[str, str]) -> dict[str, Prediction]:
    """1 for the predicted class, as a model that gives nothing but labels; of other items the gold class, unscored."""
    classes = with_classes(source, sorted(set(targets.values()))).subject.classes
    predictions = {}
    for item in source.items:
        predicted = targets.get(item.key, item.gold if item.gold in classes else classes[0]) or classes[0]
        scores = tuple(float(name == predicted) for name in classes)
        predictions[item.key] = Prediction(item.key, predicted, scores, (False,) * len(item.words), len(item.words))
    return predictions
