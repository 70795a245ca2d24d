"""Parts of a run that are looked at apart: by class, length, attractors, right or wrong."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from whichword.types import NUMBERS, Item

EDGES = (5, 10, 20, 50, 100, 200, 500)  # the last length of each bucket


def slice_facts(item: Item, predicted: str) -> dict[str, str]:
    """What an item can be sliced by: its own facts, the predicted class, its length, and right or wrong if known.

    The forms of its verb are as many as there are verbs, and no slices.
    """
    outcome = {} if item.gold is None else {"prediction": "correct" if predicted == item.gold else "wrong"}
    facts = {name: value for name, value in item.facts.items() if name not in NUMBERS}
    return {**facts, "class": predicted, "length": length_bucket(len(item.words)), **outcome}


def length_bucket(words: int, edges: Sequence[int] = EDGES) -> str:
    """The bucket of a length, as text: 0-5, 6-10, ..., 501+."""
    place = bisect_left(edges, words)
    first = edges[place - 1] + 1 if place else 0
    return f"{first}-{edges[place]}" if place < len(edges) else f"{first}+"


def slices(facts: Sequence[Mapping[str, str]], by: str) -> dict[str, NDArray[np.int64]]:
    """The rows of each value of the fact ``by``, values in natural order; rows without it are in no slice."""
    rows: dict[str, list[int]] = {}
    for row, fact in enumerate(facts):
        if by in fact:
            rows.setdefault(fact[by], []).append(row)
    return {value: np.array(rows[value], dtype=np.int64) for value in sorted(rows, key=_natural)}


def _natural(value: str) -> tuple[bool, int, str]:
    """2 before 10, and 6-10 before 11-20; what starts with no number comes last."""
    number = value.split("-")[0].rstrip("+")
    return (False, int(number), value) if number.isdecimal() else (True, 0, value)
