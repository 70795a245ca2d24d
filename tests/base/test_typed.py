"""The edge where what a file says becomes a record: whatever does not fit is one line that says where."""

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np
import pytest
from msgspec import Meta

from whichword.base.typed import Record, plain, typed
from whichword.errors import DamagedError, InputError, SettingError


class Leaf(Record, frozen=True):
    size: Annotated[int, Meta(ge=1)]
    name: Annotated[str, Meta(pattern=r"^[a-z]+\Z")] = "a"
    share: float | None = None

    def __post_init__(self) -> None:
        if self.size == 7:
            raise SettingError("seven is unlucky")
        if self.size == 8:
            [][self.size]
        if self.size == 9:
            raise RecursionError


class Tree(Record, frozen=True):
    leaves: tuple[Leaf, ...]
    counts: Mapping[str, int] = {}


REFUSED: Mapping[str, tuple[Any, str]] = {
    "no table": ([], "it must be a table, not a list"),
    "a missing field": ({}, "leaves is missing"),
    "a missing field inside": ({"leaves": [{}]}, "leaves[0].size is missing"),
    "an unknown field": ({"leaves": [], "leafs": 1}, "nothing is called 'leafs'"),
    "an unknown field inside": ({"leaves": [{"size": 1}, {"size": 1, "x": 1}]}, "leaves[1]: nothing is called 'x'"),
    "a truth value": ({"leaves": [{"size": True}]}, "leaves[0].size must be a whole number, not true or false"),
    "a fraction": ({"leaves": [{"size": 1.0}]}, "leaves[0].size must be a whole number, not a number"),
    "too small": ({"leaves": [{"size": 0}]}, "leaves[0].size must be a whole number >= 1"),
    "text": ({"leaves": [{"size": 1, "share": "x"}]}, "leaves[0].share must be a number or nothing, not text"),
    "a line end": ({"leaves": [{"size": 1, "name": "a\n"}]}, "leaves[0].name must be text of the form [a-z]+"),
    "in a mapping": ({"leaves": [], "counts": {"x": "1"}}, "counts[...] must be a whole number, not text"),
    "a name that is none": ({"leaves": [], "counts": {1: 1}}, "a name in counts must be text, not a whole number"),
    "its own check": ({"leaves": [{"size": 7}]}, "leaves[0]: seven is unlucky"),
    "an index inside": ({"leaves": [{"size": 8}]}, "list index out of range"),
    "too deep": ({"leaves": [{"size": 9}]}, "RecursionError"),
    "a lone surrogate": ({"leaves": [], "\ud800": 1}, "surrogates not allowed"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_whatever_does_not_fit_is_one_line_that_says_where(name: str) -> None:
    value, said = REFUSED[name]
    with pytest.raises(DamagedError) as refused:
        typed(Tree, value, "tree.json", DamagedError)
    line = str(refused.value)
    assert line.startswith("tree.json: ")
    assert line.endswith(said)
    assert "\n" not in line
    with pytest.raises(InputError, match=r"^[^:]"):
        typed(Tree, value)


def test_what_fits_comes_back_as_it_went() -> None:
    body = {"leaves": [{"size": 2**60, "name": "b", "share": 0.5}], "counts": {"\ud800": 3}}
    assert plain(typed(Tree, body)) == {**body, "leaves": tuple(body["leaves"])}  # type: ignore[arg-type]


def test_floats_of_numpy_are_stored_and_nothing_else_of_its_is() -> None:
    assert plain(Leaf(1, share=np.float64(0.1))) == {"size": 1, "name": "a", "share": 0.1}
    assert type(plain(Leaf(1, share=np.float64(0.1)))["share"]) is float
    with pytest.raises(TypeError, match="JSON holds nothing like a int64"):
        plain(Leaf(np.int64(3)))  # type: ignore[arg-type]
