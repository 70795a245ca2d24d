"""Is what came back for a shard what was asked for? Its numbers are believed, its form is not."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from whichword.games import Game
from whichword.games.noise import LEVELS
from whichword.scoring.judging_page import names_of
from whichword.scoring.judging_rows import ScoredRows


@dataclass(frozen=True)
class Expected:
    """The game, the number of methods, whom noise is mixed into; keys by place in the set, how many were answered."""

    game: Game
    methods: int
    best: Mapping[str, int]
    keys: Mapping[int, str]
    answered: int


def _rows_trouble(rows: Any, expected: Expected) -> str | None:
    """What is wrong with scored rows; None: nothing."""
    if not isinstance(rows, ScoredRows):
        return f"it is a {type(rows).__name__}"
    keys = [expected.keys.get(place) for place in rows.places.tolist()]
    if len(keys) != expected.answered or len(set(keys)) != len(keys) or keys != rows.keys.tolist():
        return "its items are not those of the plan"
    if list(rows.hits) != list(names_of(expected.game)) or rows.hits.keys() != rows.shares.keys():
        return "its columns are not those of the game"
    shape = (len(keys), expected.methods)
    per_method = (rows.rmax, rows.ties, rows.nonfinite, *rows.hits.values())
    fits = all(array.shape == shape for array in per_method)
    return None if fits else "it has not a row for every item, and a column for every method"


def _lost_trouble(lost: Any, expected: Expected) -> str | None:
    fits = isinstance(lost, dict) and lost.keys() == set(expected.game.parts)
    return None if fits else "it does not say what is lost by part"


def _mixed_trouble(mixed: Any, expected: Expected) -> str | None:
    if not isinstance(mixed, dict) or mixed.keys() != expected.best.keys():
        return "it does not say what noise does by part"
    fits = all(
        scores.shape == (len(counts), len(LEVELS)) and counts.sum() <= expected.answered
        for scores, counts in mixed.values()
    )
    return None if fits else "it has not a score for every level"


SENT_TROUBLES: Mapping[str, Callable[[Any, Expected], str | None]] = {
    "score": _rows_trouble,
    "lose": _lost_trouble,
    "mix": _mixed_trouble,
}
