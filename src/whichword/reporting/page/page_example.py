"""What was tested, on the first screen of a report: the game in two sentences, and one turn of it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whichword.games import recalled
from whichword.method_names import BASELINES
from whichword.render import escape
from whichword.reporting.page.gather import Gathered
from whichword.reporting.table import Column
from whichword.text.places import gaps

LONGEST = 60  # words that are shown; of a longer document those around what is pointed at
SHORTEST = 6
_SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z])")


@dataclass(frozen=True)
class Pointing:
    """A method, the word that it points at, and whether that is right."""

    method: str
    word: str
    hit: bool


@dataclass(frozen=True)
class WorkedExample:
    """One turn of a game. ``text`` is HTML: the right words underlined, those that are pointed at bold."""

    game: str
    rules: str
    model: str
    predicted: str
    truth: str
    text: str
    pointings: tuple[Pointing, ...]


@dataclass(frozen=True)
class _Turn:
    entry: Gathered
    column: Column
    row: int
    methods: tuple[str, ...]  # one that hits; where there is one, one that misses

    @property
    def words(self) -> tuple[str, ...]:
        return self.entry.items[self.row].words

    @property
    def reach(self) -> int:
        """How many words lie between those that are pointed at."""
        places = [self.place(method) for method in self.methods]
        return max(places) - min(places)

    def place(self, method: str) -> int:
        judged = self.entry.judged
        return int(judged.rmax[self.row, judged.methods.index(method)])


def worked_examples(gathered: Sequence[Gathered], columns: Mapping[str, Sequence[Column]]) -> list[WorkedExample]:
    """One for each game that was played, of its first column with a document in which a method hits."""
    examples: dict[str, WorkedExample] = {}
    for entry in gathered:
        for column in columns[entry.name]:
            if column.game not in examples and (turn := _turn(entry, column)):
                examples[column.game] = _example(turn)
    return list(examples.values())


def _turn(entry: Gathered, column: Column) -> _Turn | None:
    """The shortest document in which the best method hits, if there is one where another method misses."""
    methods = _ranked(column)
    if not methods:
        return None
    hits = dict(entry.judged.vectors(column.part))
    rows = [int(row) for row in np.flatnonzero(hits[methods[0]] == 1)]
    long_enough = [row for row in rows if len(entry.items[row].words) >= SHORTEST] or rows
    pairs = [(row, _missing(methods[1:], hits, row)) for row in long_enough]
    pairs = [pair for pair in pairs if pair[1]] or pairs
    if not pairs:
        return None
    turns = [_Turn(entry, column, row, (methods[0], *missing[:1])) for row, missing in pairs]
    return min(turns, key=lambda turn: (turn.reach >= LONGEST // 2, len(turn.words), turn.row))


def _ranked(column: Column) -> list[str]:
    played = {name: cell.accuracy for name, cell in column.cells.items() if name not in BASELINES}
    return sorted(played, key=lambda name: -(played[name] or 0.0))


def _missing(methods: Sequence[str], hits: Mapping[str, NDArray[np.float64]], row: int) -> list[str]:
    return [name for name in methods if hits[name][row] == 0]


def _example(turn: _Turn) -> WorkedExample:
    entry, game = turn.entry, recalled(turn.column.game)
    prediction, item = entry.predictions[turn.row], entry.items[turn.row]
    predicted, part = prediction.predicted, game.part(turn.column.part)
    read_words = frozenset(range(len(item.words))[: prediction.seen])
    right_words = read_words & (game.rewarded(item, predicted).get(part.name) or frozenset())
    pointings = tuple(
        Pointing(name, turn.words[turn.place(name)], turn.place(name) in right_words) for name in turn.methods
    )
    rules = " ".join(_SENTENCE.split(game.rules)[:2]) or f"A method is right if it points at {part.truth}."
    text = "".join(_text(turn, right_words))
    return WorkedExample(turn.column.game, rules, entry.pairing.model, predicted, part.truth, text, pointings)


def _text(turn: _Turn, right_words: frozenset[int]) -> Iterator[str]:
    """The words with what stands between them, cut where the document is long."""
    between, places = gaps(turn.entry.items[turn.row]), [turn.place(name) for name in turn.methods]
    start = max(0, min(places) - LONGEST // 2) if len(turn.words) > LONGEST else 0
    stop = min(len(turn.words), start + LONGEST)
    yield "… " if start else ""
    for t in range(start, stop):
        marks = " ".join(name for name, holds in (("right", t in right_words), ("rmax", t in places)) if holds)
        styled = f' class="{marks}"' if marks else ""
        yield f"{escape.html(between[t])}<span{styled}>{escape.html(turn.words[t])}</span>"
    yield " …" if stop < len(turn.words) else ""
