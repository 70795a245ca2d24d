"""Where does a method answer when a word is changed? At that word, if it is in its place; at a neighbour, if it is not.

Nobody has to be right for this test: a method that points to the wrong words still points to others when they change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whichword.answering import Asking
from whichword.health.displacement import LAGS, Displacements
from whichword.health.shifts import CHANGES, NO_SHIFT, Shift, shift_of
from whichword.methods import plan
from whichword.model import Reading
from whichword.text.keys import content_key
from whichword.text.places import edited, head
from whichword.types import Written

STRETCH = 24  # words of a text, from its beginning: enough neighbours, and cheap
LOOKS = (24, 24, 48, 96)  # changed words per look
WIDE = LAGS[-1]  # words on either side of a changed one

Relevances = Mapping[str, NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class Stretch:
    """The beginning of a text, explained; ``k`` is the class that copies are asked about too."""

    document: Any  # Written, and a dataclass
    reading: Reading
    phi: Relevances
    k: int

    @property
    def key(self) -> str:
        """Of the random numbers: a copy has the same, so that nothing but the word makes a difference."""
        return content_key(*self.reading.words)


@dataclass(frozen=True, eq=False)
class ChangedWord:
    """A copy with another word at ``place``."""

    stretch: Stretch
    place: int
    reading: Reading


def shifts_of(asking: Asking, documents: Sequence[Written], labels: Sequence[str], level: float) -> dict[str, Shift]:
    """Method -> the shift that is proven at this level, each for itself; `NO_SHIFT` for none.

    Words are changed at random places, to words drawn from the texts, so that given the texts every change is an
    independent draw. Four looks share the level; a method that no look finds ahead at a neighbour is done with.
    """
    stretches, shifts = _stretches(asking, documents, labels), dict.fromkeys(labels, NO_SHIFT)
    places, open_labels = Displacements(len(labels)), list(labels)
    chance = np.random.default_rng([asking.seed, len(documents)])
    for count in LOOKS if stretches else ():
        for changed, phi in _answered(asking, _changed(asking, stretches, count, chance), open_labels):
            for label in open_labels:
                places.add(labels.index(label), _response(changed, phi[label], changed.stretch.phi[label]))
        for label in open_labels:
            shifts[label] = shift_of(places, labels.index(label), level / len(LOOKS), CHANGES)
        open_labels = [label for label in open_labels if not shifts[label].by and _suspect(places, labels.index(label))]
        if not open_labels:
            break
    return shifts


def _suspect(places: Displacements, row: int) -> bool:
    return places.leads(row, -1) or places.leads(row, 1)


def _response(changed: ChangedWord, after: NDArray[np.float64], before: NDArray[np.float64]) -> NDArray[np.float64]:
    """|phi' - phi| / (|phi'| + |phi| + mean |phi|) around the changed word, a number per lag.

    Where relevance grows to one end of a text, a change of the same part is larger there; parts are compared instead.
    """
    around = slice(changed.place - WIDE, changed.place + WIDE + 1)
    x, y = after[around], before[around]
    scale = np.abs(x) + np.abs(y) + np.abs(before).mean()
    return np.asarray(np.divide(np.abs(x - y), scale, out=np.zeros(len(x)), where=scale != 0))


def _stretches(asking: Asking, documents: Sequence[Written], labels: Sequence[str]) -> list[Stretch]:
    """Those with a word that has all its neighbours."""
    shortened = [_shortened(document) for document in documents]
    read = [(document, asking.model.read(document)) for document in shortened]
    long = [(document, reading) for document, reading in read if reading.seen > 2 * WIDE]
    stretches = []
    for group, answers in replace(asking, methods=plan(labels, asking.model)).answers([reading for _, reading in long]):
        for row, index in enumerate(group):
            document, reading = long[index]
            phi = {label: answers.of(label, row, len(reading.words)).astype(np.float64) for label in labels}
            stretches.append(Stretch(document, reading, phi, answers.target[row]))
    return stretches


def _shortened(document: Any) -> Any:
    return replace(document, words=document.words[:STRETCH], text=head(document, STRETCH))


def _changed(
    asking: Asking, stretches: Sequence[Stretch], count: int, chance: np.random.Generator
) -> Iterator[ChangedWord]:
    """So many, the texts in turn; other words are ones that the model knows, if there are any."""
    readings = [stretch.reading for stretch in stretches]
    words = sorted({word for reading in readings for word in reading.words})
    familiar = sorted({w for reading in readings for w, u in zip(reading.words, reading.unknown, strict=True) if not u})
    for number in range(count):
        stretch = stretches[number % len(stretches)]
        place = int(chance.integers(WIDE, stretch.reading.seen - WIDE))
        others = [word for word in familiar or words if word != stretch.reading.words[place]]
        if others:
            word = others[chance.integers(len(others))]
            yield ChangedWord(stretch, place, asking.model.read(_with_word(stretch.document, place, word)))


def _with_word(document: Any, place: int, word: str) -> Any:
    nowhere = [False] * len(document.words)
    words, text = edited(document, nowhere, [t == place for t in range(len(nowhere))], word)
    return replace(document, words=words, text=text)


def _answered(
    asking: Asking, changed: Iterator[ChangedWord], labels: Sequence[str]
) -> Iterator[tuple[ChangedWord, Relevances]]:
    copies = [copy for copy in changed if copy.reading.seen > copy.place + WIDE]
    keys, targets = [copy.stretch.key for copy in copies], [copy.stretch.k for copy in copies]
    asking = replace(asking, methods=plan(labels, asking.model))
    for group, answers in asking.answers([copy.reading for copy in copies], keys, targets):
        for row, index in enumerate(group):
            count = len(copies[index].reading.words)
            yield (
                copies[index],
                {label: answers.of(label, row, count).astype(np.float64) for label in labels},
            )
