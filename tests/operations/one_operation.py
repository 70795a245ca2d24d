"""A module of one operation between word vectors and scores, and what has to hold for it."""

from dataclasses import dataclass

import numpy as np
import pytest
import torch
from ruled_cases import EPS, Operation, share
from torch import Tensor, nn

import whichword
from whichword.model import Model

WORDS = ["zero", "one", "two", "three", "four", "five"]
TEXT = ["three", "one", "five", "two"]
CLASSES = ["x", "y"]


@dataclass(frozen=True)
class Case:
    """``twin``: its ordinary gradient is what the rule has to give; None: only the account is looked at."""

    operation: Operation
    twin: Operation | None = None
    refused: bool = False
    attention: str = "weight"
    tolerance: float = 1e-9

    @property
    def method(self) -> str:
        return f"lrp[eps={EPS},attention={self.attention}]"


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


def model_of(operation: Operation) -> Model:
    return whichword.wrap(module_of(operation), vocabulary=WORDS, classes=CLASSES)


def expected(case: Case) -> np.ndarray:
    """phi(t) of class x: the twin's ordinary gradient, epsilon at the read-out."""
    assert case.twin is not None
    ids = torch.tensor([[WORDS.index(word) for word in TEXT]])
    e = module_of(case.operation).words(ids).detach().requires_grad_(True)
    y = case.operation(e * 1.0).reshape(1, -1)
    s = y @ read_out(y.shape[1])
    G = share(s)[0, 0] * read_out(y.shape[1])[:, 0]
    (case.twin(e * 1.0).reshape(-1) * G).sum().backward()
    return (e * e.grad).sum(-1)[0].detach().numpy()


def check(case: Case) -> None:
    """Refused with its place; or the account closes, and relevance is what the twin's gradient says."""
    model = model_of(case.operation)
    if case.refused:
        with pytest.raises(whichword.InputError, match=r"no relevance rule for .*operations/\w+.py:\d+"):
            whichword.explain(model, [TEXT], case.method)
        return
    (answer,) = whichword.explain(model, [TEXT], case.method, target="x")
    account = answer.account(case.method)
    largest = max(map(abs, [account.score, *account.shares.values()]))
    assert abs(account.gap) <= case.tolerance * largest
    if case.twin is not None:
        np.testing.assert_allclose(answer.relevance[case.method], expected(case), rtol=0, atol=case.tolerance)
