"""The prediction of a wrapped module and its one method under rules share a pass."""

import numpy as np
import pytest
import torch
from foreign_modules import TEXTS, Recurrent, shaken, wrapped
from torch import Tensor, nn

import whichword
from whichword.answering import Asking
from whichword.methods import plan
from whichword.model import Batch
from whichword.types import Text


class Counting(Recurrent):
    """Counts its calls."""

    calls = 0

    def forward(self, ids: Tensor) -> Tensor:
        self.calls += 1
        return super().forward(ids)


@pytest.mark.parametrize(("methods", "calls"), [(["lrp"], 1), (["deeplift"], 2), (["lrp", "deeplift"], 4)])
def test_one_pass_less(methods: list[str], calls: int) -> None:
    """A text of one length; lrp goes forward once, deeplift twice; among several the prediction has its own pass."""
    module = shaken(Counting("GRU", read_out="mean"))
    model = wrapped(module)
    whichword.explain(model, TEXTS[:1], methods)  # the first time, values are compared once
    module.calls = 0
    (together,) = whichword.explain(model, TEXTS[:1], methods)
    assert module.calls == calls
    (everything,) = whichword.explain(model, TEXTS[:1], ["grad_1_s_l2", *methods])
    assert together.predicted == everything.predicted
    np.testing.assert_allclose(list(together.scores.values()), list(everything.scores.values()), rtol=0, atol=1e-12)
    for method in methods:
        np.testing.assert_array_equal(together.relevance[method], everything.relevance[method])


def test_a_pass_is_gone_back_through_once() -> None:
    model = wrapped(shaken(Recurrent("GRU", read_out="mean")))
    chosen = plan(["lrp"], model)
    readings = [model.read(Text(tuple(words), " ".join(words))) for words in TEXTS]
    first, again = (Asking(model, chosen).answer(readings) for _ in range(2))
    np.testing.assert_array_equal(first.relevance["lrp"], again.relevance["lrp"])
    batch = Batch.of(readings, expected=chosen.expected)
    scores = model.score(batch)
    assert not scores.requires_grad
    assert torch.equal(model.score(batch), scores)


class Silent(nn.Module):
    """Cannot read a text without words."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.out = nn.Embedding(20, 6), nn.Linear(6, 3)

    def forward(self, ids: Tensor) -> Tensor:
        return self.out(self.words(ids).max(1).values)


def test_an_empty_text_is_refused_as_ever() -> None:
    with pytest.raises(whichword.InputError, match="without words"):
        whichword.explain(wrapped(shaken(Silent())), [[]], ["lrp"])
