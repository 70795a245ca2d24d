"""Every entry of the table of operations is used, is right, and cannot be switched off unnoticed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch
from moving_cases import ADDING, MOVING
from ruled_cases import ACTIVATIONS, EPS, OTHERS, SUMS, Operation, chord, share, with_epsilon
from torch import Tensor, nn
from whole_cases import HARMLESS, REFUSED, TAKEN_APART

import whichword
from whichword.operations import sums
from whichword.operations.calls import Call
from whichword.operations.roles import Rank, with_rank
from whichword.operations.table import TABLE

WORDS = ["zero", "one", "two", "three", "four", "five"]
TEXT = ["three", "one", "five", "two"]
CLASSES = ["x", "y"]
ROUNDING = {"float": 1e-6, "half": 1e-2, "bfloat16": 1e-1}  # what these casts lose of a relevance


@dataclass(frozen=True)
class Case:
    """``twin``: its ordinary gradient is what the rule has to give; None: only the account is looked at."""

    operation: Operation
    twin: Operation | None = None
    refused: bool = False


CASES: dict[str, Case] = {
    **{name: Case(f, f) for name, f in (MOVING | ADDING | HARMLESS).items()},
    **{name: Case(f, chord(f)) for name, f in ACTIVATIONS.items()},
    **{name: Case(f, with_epsilon(f)) for name, f in SUMS.items()},
    **{name: Case(f, twin) for name, (f, twin) in OTHERS.items()},
    **{name: Case(f) for name, f in TAKEN_APART.items()},
    **{name: Case(f, refused=True) for name, f in REFUSED.items()},
}


class OneOperation(nn.Module):
    """s = R . operation(word vectors)."""

    def __init__(self, operation: Operation) -> None:
        super().__init__()
        self.words = nn.Embedding(6, 6)
        self.operation = operation

    def forward(self, ids: Tensor) -> Tensor:
        y = self.operation(self.words(ids)).reshape(1, -1)
        return y @ read_out(y.shape[1])


def read_out(size: int) -> Tensor:
    return torch.linspace(1.0, 9.0, 2 * size, dtype=torch.float64).sin().view(size, 2)


def module_of(operation: Operation) -> OneOperation:
    module = OneOperation(operation).double().eval()
    with torch.no_grad():
        module.words.weight.copy_(torch.linspace(-3.0, 4.0, 36, dtype=torch.float64).view(6, 6).sin() * 0.9)
    return module


def model_of(operation: Operation) -> whichword.model.Model:
    return whichword.wrap(module_of(operation), vocabulary=WORDS, classes=CLASSES)


def expected(case: Case) -> np.ndarray:
    """phi(t) of class x: the twin's ordinary gradient, epsilon at the read-out."""
    assert case.twin is not None
    ids = torch.tensor([[WORDS.index(word) for word in TEXT]])
    with torch.random.fork_rng(devices=[]):
        e = module_of(case.operation).words(ids).detach().requires_grad_(True)
        y = case.operation(e).reshape(1, -1)
        s = y @ read_out(y.shape[1])
        G = share(s)[0, 0] * read_out(y.shape[1])[:, 0]
        (case.twin(e).reshape(-1) * G).sum().backward()
    return (e * e.grad).sum(-1)[0].detach().numpy()


def check(name: str) -> None:
    """Everything that has to hold for the operation."""
    case = CASES[name]
    if case.refused:
        with pytest.raises(whichword.InputError, match=r"no relevance rule for .*_cases.py:\d+"):
            whichword.explain(model_of(case.operation), [TEXT], "lrp")
        return
    model = model_of(case.operation)
    spelling = f"lrp[eps={EPS},attention=attnlrp]" if name == "softmax" else f"lrp[eps={EPS}]"
    (answer,) = whichword.explain(model, [TEXT], spelling, target="x")
    account = answer.account(spelling)
    largest = max(map(abs, [account.score, *account.shares.values()]))
    assert abs(account.gap) <= ROUNDING.get(name, 1e-9) * largest
    if case.twin is not None:
        twin = expected(case)
        np.testing.assert_allclose(answer.relevance[spelling], twin, rtol=0, atol=ROUNDING.get(name, 1e-9))


def test_every_entry_is_used() -> None:
    assert set(CASES) == set(TABLE)


@pytest.mark.parametrize("name", sorted(CASES))
def test_the_operation_is_right(name: str) -> None:
    check(name)


@pytest.fixture
def changed_table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, Any], None]]:
    def change(name: str, rule: Any) -> None:
        if rule is None:
            monkeypatch.delitem(TABLE, name)
        else:
            monkeypatch.setitem(TABLE, name, rule)

    return change


def ordinary_gradient(call: Call) -> Any:
    return with_rank(call.run(), Rank.SUM, call.moving[0])


def noticed(name: str) -> bool:
    try:
        check(name)
    except (AssertionError, whichword.InputError, pytest.fail.Exception):
        return True
    return False


@pytest.mark.parametrize("name", sorted(CASES))
def test_without_its_rule_it_is_noticed(name: str, changed_table: Callable[[str, Any], None]) -> None:
    changed_table(name, None)
    assert noticed(name)


PLAIN = {sums.plain, sums.same}
GRADIENT = [name for name in sorted(CASES) if TABLE[name] not in PLAIN and name not in {**HARMLESS, **REFUSED}]


@pytest.mark.parametrize("name", GRADIENT)
def test_the_ordinary_gradient_in_its_place_is_noticed(name: str, changed_table: Callable[[str, Any], None]) -> None:
    changed_table(name, ordinary_gradient)
    assert noticed(name)
