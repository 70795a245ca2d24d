"""Every entry of the table of operations is used, is right, and cannot be switched off unnoticed."""

from typing import Any

import pytest
from changing_cases import RIGHT
from moving_cases import ADDING, MOVING
from one_operation import Case, check
from ruled_cases import ACTIVATIONS, OTHERS, SUMS, chord, with_epsilon
from whole_cases import HARMLESS, REFUSED, TAKEN_APART

import whichword
from whichword.operations import sums, walls
from whichword.operations.calls import Call, Rank, with_rank
from whichword.operations.table import TABLE

ROUNDING = {"float": 1e-6, "half": 1e-2, "bfloat16": 1e-1}  # what these casts lose of a relevance
CASES: dict[str, Case] = {
    **{name: Case(f, f, tolerance=ROUNDING.get(name, 1e-9)) for name, f in (MOVING | ADDING | HARMLESS).items()},
    **{name: Case(f, chord(f)) for name, f in ACTIVATIONS.items()},
    **{name: Case(f, with_epsilon(f)) for name, f in SUMS.items()},
    **{name: Case(f, twin) for name, (f, twin) in OTHERS.items()},
    **{name: Case(f) for name, f in TAKEN_APART.items()},
    **{name: Case(f, refused=True) for name, f in REFUSED.items()},
}
# without attnlrp, to have no rule and to be a weight are the same
CASES["softmax"] = Case(*OTHERS["softmax"], attention="attnlrp")


def test_every_entry_is_used() -> None:
    assert set(CASES) == set(TABLE)


@pytest.mark.parametrize("name", sorted(CASES))
def test_the_operation_is_right(name: str) -> None:
    check(CASES[name])


def noticed(name: str) -> bool:
    try:
        check(CASES[name])
    except (AssertionError, whichword.InputError, pytest.fail.Exception):
        return True
    return False


@pytest.mark.parametrize("name", sorted(CASES))
def test_without_its_rule_it_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(TABLE, name)
    assert noticed(name)


def ordinary_gradient(call: Call) -> Any:
    return with_rank(call.run(), Rank.SUM, call.moving[0])


GRADIENT_IS_RIGHT = {sums.plain, sums.same, sums.packed}
GRADIENT_IS_WRONG = [
    name for name in sorted(CASES) if TABLE[name] not in GRADIENT_IS_RIGHT and name not in {**HARMLESS, **REFUSED}
]


@pytest.mark.parametrize("name", GRADIENT_IS_WRONG)
def test_the_ordinary_gradient_in_its_place_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TABLE, name, ordinary_gradient)
    assert noticed(name)


def test_every_node_that_is_let_through_is_met(monkeypatch: pytest.MonkeyPatch) -> None:
    """What no case leads through is no known node: it would be refused, and looked at then."""
    met: set[str] = set()
    check_node = walls._check_node

    def noting(node: Any, halved: bool) -> None:
        met.add(node.name().rpartition("::")[2].rstrip("0123456789").removesuffix("Backward"))
        check_node(node, halved)

    monkeypatch.setattr(walls, "_check_node", noting)
    for case in [*CASES.values(), *RIGHT.values()]:
        check(case)
    assert met >= walls.LINEAR | walls.PRODUCTS
