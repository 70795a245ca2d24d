"""Which words of a text people marked, in the forms in which files say it.

    positions   [3, 4]                                 words, from 0 (HateXplain as positions)
    flags       [0, 0, 0, 1, 1], or a list per person  a mark per word; of several people, at least half (HateXplain)
    spans       [[3, 5]]                               words from the first up to, not including, the second
    characters  [[10, 22]]                             the same in characters of the text
    quotes      ["not funny"]                          passages as they stand in the text (Movie Rationales)
    eraser      [[{"start_token": 3, "end_token": 5}]] spans as objects, in lists of lists (ERASER)

An object whose names are classes holds one of these for each class. What does not fit its text is rejected, and so are
words for a class that no record has.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from whichword.corpora.building import Rejected
from whichword.text.places import spans
from whichword.types import Document

Marked = set[int]


def truth_of(value: Any, form: str, document: Document) -> dict[str, tuple[int, ...]]:
    """Map class -> positions, in order; what is not by class is for the document's own."""
    by_class = value if isinstance(value, dict) else {document.label: value}
    positions = FORMS[form]
    return {name: tuple(sorted(positions(marks, document))) for name, marks in by_class.items()}


def check_classes(classes: Collection[str], documents: Iterable[Document]) -> None:
    """Refuse (`Rejected`) words that are marked for another class, which is never asked for."""
    unknown = {name for document in documents for name in document.truth} - set(classes)
    if unknown:
        known = ", ".join(map(_short, sorted(classes)))
        raise Rejected(f"a rationale for the class {_short(min(unknown))}, which no record has; classes: {known}")


def _list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise Rejected(f"a rationale must be a list of {what}, not {_short(value)}")
    return value


def _whole(value: Any, low: int, high: int, what: str) -> int:
    """Check a whole number from ``low`` up to and including ``high``."""
    if type(value) is not int or not low <= value <= high:  # a truth value is no place
        raise Rejected(f"{what} {_short(value)} is not a whole number from {low} to {high}")
    return value


def _positions(value: Any, document: Document) -> Marked:
    last = len(document.words) - 1
    places = [_whole(place, 0, last, "the position") for place in _list(value, "positions")]
    if len(set(places)) < len(places):
        raise Rejected("a position is listed twice")
    return set(places)


def _flags(value: Any, document: Document) -> Marked:
    rows = _list(value, "marks")
    people = rows if rows and all(isinstance(row, list) for row in rows) else [rows]  # a row per person, or one
    for row in people:
        if len(row) != len(document.words):
            raise Rejected(f"{len(row)} marks for {len(document.words)} words")
        if not all(mark in (0, 1) for mark in row):  # truth values, too
            raise Rejected("a mark is neither 0 nor 1")
    votes = [sum(marks) for marks in zip(*people, strict=True)]
    return {place for place, count in enumerate(votes) if 2 * count >= len(people)}


def _pairs(value: Any, size: int, what: str) -> Iterator[tuple[int, int]]:
    for pair in _list(value, "[start, stop]"):
        if not isinstance(pair, list) or len(pair) != 2:
            raise Rejected(f"{_short(pair)} is not [start, stop]")
        start = _whole(pair[0], 0, size - 1, f"the first {what}")
        yield start, _whole(pair[1], start + 1, size, f"the {what} after the last")


def _word_spans(value: Any, document: Document) -> Marked:
    pairs = _pairs(value, len(document.words), "word")
    return {place for start, stop in pairs for place in range(start, stop)}


def _characters(value: Any, document: Document) -> Marked:
    return _inside(_pairs(value, len(document.text), "character"), document)


def _quotes(value: Any, document: Document) -> Marked:
    passages = _list(value, "passages")
    return _inside([place for passage in passages for place in _occurrences(passage, document.text)], document)


def _eraser(value: Any, document: Document) -> Marked:
    rows = [entry for row in _list(value, "evidence") for entry in (row if isinstance(row, list) else [row])]
    if not all(isinstance(row, dict) and {"start_token", "end_token"} <= row.keys() for row in rows):
        raise Rejected("evidence without start_token and end_token")
    return _word_spans([[row["start_token"], row["end_token"]] for row in rows], document)


def _occurrences(passage: Any, text: str) -> list[tuple[int, int]]:
    """Find every place where the passage stands."""
    if not isinstance(passage, str) or not passage.strip():
        raise Rejected(f"{_short(passage)} is no passage")
    starts = [place for place in range(len(text)) if text.startswith(passage, place)]  # may overlap
    if not starts:
        raise Rejected(f"the passage {_short(passage)} does not stand in the text")
    return [(start, start + len(passage)) for start in starts]


def _inside(pairs: Iterator[tuple[int, int]] | Sequence[tuple[int, int]], document: Document) -> Marked:
    """Return the words that share a character with a span; every span must have one."""
    words, marked = spans(document), set()
    for start, stop in pairs:
        touched = {place for place, (first, end) in enumerate(words) if first < stop and start < end}
        if not touched:
            raise Rejected(f"from character {start} to {stop} there is no word")
        marked |= touched
    return marked


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


FORMS: Mapping[str, Callable[[Any, Document], Marked]] = {
    "positions": _positions,
    "flags": _flags,
    "spans": _word_spans,
    "characters": _characters,
    "quotes": _quotes,
    "eraser": _eraser,
}
OF_TEXT = ("characters", "quotes")  # forms that count in the text; all others count its words
