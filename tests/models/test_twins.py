"""Modules that are one of our networks take its faster ways: the same numbers; others are left as they are."""

import time
from typing import Any

import numpy as np
import pytest
import torch
from foreign_modules import CLASSES, TEXTS, WORDS, Packed, Recurrent, shaken
from torch import Tensor, nn

import whichword
from whichword.models.gated import MemoryModule, with_memory
from whichword.models.twins import COMPUTED, TwinnedMemory, TwinnedModule
from whichword.models.words import WordModule, by_vocabulary


class Pooled(nn.Module):
    """An embedding, a convolution, its maximum over the words, a linear."""

    def __init__(self, width: int = 5, activation: nn.Module | None = None, tail: nn.Module | None = None) -> None:
        super().__init__()
        self.words, self.convolution = nn.Embedding(20, 6), nn.Conv1d(6, 8, width, padding=width // 2)
        self.activation, self.tail, self.out = activation or nn.ReLU(), tail or nn.Dropout(0.5), nn.Linear(8, 3)

    def forward(self, ids: Tensor) -> Tensor:
        features = self.activation(self.convolution(self.words(ids).transpose(1, 2)))
        return self.out(self.tail(features.max(-1).values))


def packed(module: nn.Module, ids: Tensor, lengths: Tensor) -> Tensor:
    return module(ids, lengths)  # type: ignore[no-any-return]


TWINS: dict[str, tuple[Any, Any]] = {
    "LSTM, last state": (lambda: Recurrent("LSTM"), None),
    "LSTM, h_n, no bias": (lambda: Recurrent("LSTM", read_out="h_n", bias=False), None),
    "LSTM, both directions": (lambda: Recurrent("LSTM", both=True, read_out="h_n"), None),
    "LSTM, packed": (lambda: Packed("LSTM", both=True, read_out="h_n"), packed),
    "convolution": (Pooled, None),
}


def without_query(module: nn.Module) -> nn.Module:
    """`Recurrent` has weights for attention pooling that the other read-outs do not use."""
    if isinstance(module, Recurrent):
        del module.query
    return shaken(module)


def pair(module: nn.Module, call: Any = None) -> tuple[WordModule, WordModule]:
    """As `wrap` has it, and without a twin."""
    rows, is_unknown = by_vocabulary(WORDS, None)
    model = whichword.wrap(module, vocabulary=WORDS, classes=CLASSES, embedding="words", call=call)
    assert isinstance(model, WordModule)
    return model, with_memory(module, rows, CLASSES, "words", call, is_unknown)


@pytest.mark.parametrize("name", TWINS)
def test_every_method_is_the_same(name: str) -> None:
    make, call = TWINS[name]
    model, plain = pair(without_query(make()), call)
    assert isinstance(model, TwinnedModule)
    assert model.about.facts["computed by"] == COMPUTED
    assert isinstance(model, TwinnedMemory) == isinstance(plain, MemoryModule) == ("LSTM" in name)
    ours, theirs = whichword.explain(model, TEXTS), whichword.explain(plain, TEXTS)
    for answer, other in zip(ours, theirs, strict=True):
        assert answer.relevance.keys() == other.relevance.keys()
        assert answer.predicted == other.predicted
        for method, phi in other.relevance.items():
            bound = 1e-6 * np.nanmax(np.abs(phi), initial=1e-3)
            np.testing.assert_allclose(answer.relevance[method], phi, rtol=0, atol=bound, err_msg=method)
    assert np.isnan(ours[3].relevance["omit_1"]).all()  # torch's parts cannot read a text without words


OTHERS: dict[str, Any] = {
    "GRU": lambda: Recurrent("GRU"),
    "two layers": lambda: Recurrent("LSTM", layers=2),
    "mean": lambda: Recurrent("LSTM", read_out="mean"),
    "backward direction at its first step": lambda: Recurrent("LSTM", both=True, read_out="last"),
    "projection": lambda: Recurrent("LSTM", proj_size=3),
    "another width": lambda: Pooled(3),
    "another activation": lambda: Pooled(activation=nn.Tanh()),
    "something behind the maximum": lambda: Pooled(tail=nn.Hardtanh(-0.1, 0.1)),
    "weights that were not counted with": lambda: Pooled(tail=nn.LayerNorm(8)),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_twin_stays_as_it_is(name: str) -> None:
    model, plain = pair(without_query(OTHERS[name]()))
    assert type(model) is type(plain)
    assert "computed by" not in model.about.facts


def test_one_logit_is_no_twin() -> None:
    """Epsilon would stand at s = z/2 instead of z."""
    module = Pooled()
    module.out = nn.Linear(8, 1)
    model = whichword.wrap(shaken(module), vocabulary=WORDS, classes=["no", "yes"])
    assert not isinstance(model, TwinnedModule)


def test_weights_that_change() -> None:
    """Never an old answer: in place, behind torch's back, and beyond what we have."""
    module = without_query(Recurrent("LSTM"))
    model, plain = pair(module)
    assert isinstance(model, TwinnedModule)
    for change in (lambda: module.rnn.weight_hh_l0.mul_(2.0), lambda: module.words.weight.data.add_(1.0)):
        with torch.no_grad():
            change()
        ours, theirs = (whichword.explain(m, TEXTS, ["occ_1"])[0].relevance["occ_1"] for m in (model, plain))
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-9)
    module.read_out = "mean"
    with torch.no_grad():
        module.out.bias.data.add_(1.0)
    assert model.twin is None
    ours, theirs = (whichword.explain(m, TEXTS, ["occ_1"])[0].relevance["occ_1"] for m in (model, plain))
    np.testing.assert_array_equal(ours, theirs)


def test_it_is_faster() -> None:
    module = shaken(Pooled())
    model, plain = pair(module)
    texts, methods = [WORDS * 6] * 4, ["occ_1", "grad_int_s_dot"]
    seconds = []
    for asked in (model, plain):
        start = time.process_time()
        whichword.explain(asked, texts, methods)
        seconds.append(time.process_time() - start)
    assert seconds[0] < 0.5 * seconds[1]


def test_a_module_in_training_mode_is_refused() -> None:
    model, _ = pair(shaken(Pooled()))
    model.module.train()
    with pytest.raises(whichword.InputError, match="training mode"):
        whichword.explain(model, TEXTS, ["occ_1"])
