"""Gradients and relevances without autograd are those of the plain way."""

from itertools import product

import pytest
import torch
from fast_cases import Definition, both_precisions, documents, every_network, exact, make, share, targets

from whichword.methods.gradient import integrate
from whichword.methods.method import Questions
from whichword.methods.propagation import LRP, DeepLIFT
from whichword.networks import kernels
from whichword.networks.pullback import Wanted

TOLERANCE = {torch.float64: 1e-10, torch.float32: 1e-6}
ALL_EIGHT = [Wanted(*each) for each in product((True, False), ("s", "p"), ("l2", "dot"))]


@every_network
@both_precisions
@pytest.mark.parametrize("steps", [1, 7])
def test_gradients(kind: str, both: bool, dtype: torch.dtype, steps: int) -> None:
    """A dot product may cancel: in float32 it is as exact as its factors, |gradient| and |e|, allow."""
    network, ids = make(kind, both, dtype), documents()
    x, k = network.embed(ids), targets(ids)
    assert network.integrate is not None
    found = network.integrate(x, k, steps, ALL_EIGHT)
    expected = integrate(Definition(exact(network)), exact(network).embed(ids), k, steps, ALL_EIGHT)
    for each in ALL_EIGHT:
        assert found[each].dtype == dtype
        scale = expected[each._replace(reduction="l2")] * (x.data.norm(dim=-1) if each.reduction == "dot" else 1.0)
        assert share(found[each], expected[each], ids.lengths, scale) <= TOLERANCE[dtype], each


@every_network
@pytest.mark.parametrize("wanted", [ALL_EIGHT[:2], ALL_EIGHT[1:2], ALL_EIGHT[4:], [ALL_EIGHT[7]], ALL_EIGHT[3:6]])
def test_what_is_asked_alone_is_what_is_asked_together(kind: str, both: bool, wanted: list[Wanted]) -> None:
    network, ids = make(kind, both), documents()
    assert network.integrate is not None
    together = network.integrate(network.embed(ids), targets(ids), 3, ALL_EIGHT)
    alone = network.integrate(network.embed(ids), targets(ids), 3, wanted)
    assert set(alone) == set(wanted)
    for each in wanted:
        assert share(alone[each], together[each], ids.lengths) <= 1e-12, each


@every_network
def test_few_words_and_points_at_a_time(kind: str, both: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    network, ids = make(kind, both), documents()
    x, k = network.embed(ids), targets(ids)
    assert network.integrate is not None
    together = network.integrate(x, k, 7, ALL_EIGHT)
    monkeypatch.setattr(type(network.encoders[0]), "capacity", 24)
    apart = network.integrate(x, k, 7, ALL_EIGHT)
    for each in ALL_EIGHT:
        assert share(apart[each], together[each], ids.lengths) <= 1e-12, each


METHODS = [LRP(), LRP(eps=0.1), DeepLIFT(), DeepLIFT(readout="rescale"), DeepLIFT(eps=0.1)]


@every_network
@both_precisions
@pytest.mark.parametrize("method", METHODS, ids=str)
def test_relevances(kind: str, both: bool, dtype: torch.dtype, method: LRP | DeepLIFT) -> None:
    """In float32 a sum near 0 amplifies rounding, so the plain way is given the same precision to be fair."""
    ids = documents()
    questions = Questions(ids, targets(ids), tuple(map(str, range(len(ids)))))
    network = make(kind, both, dtype)
    assert network.relevance is not None
    found = method.explain(network, questions)
    expected = method.explain(Definition(network), questions)
    assert share(found, expected, ids.lengths) <= {torch.float64: 1e-10, torch.float32: 1e-4}[dtype]


@every_network
def test_no_words_at_all(kind: str, both: bool) -> None:
    network, ids = make(kind, both), documents((0, 0))
    assert network.integrate is not None
    assert network.integrate(network.embed(ids), targets(ids), 3, ALL_EIGHT)[ALL_EIGHT[0]].shape == (2, 0)
    questions = Questions(ids, targets(ids), ("a", "b"))
    assert LRP().explain(network, questions).shape == (2, 0)


@every_network
def test_gradients_without_compiled_kernels(kind: str, both: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    network, ids = make(kind, both), documents()
    x, k = network.embed(ids), targets(ids)
    assert network.integrate is not None
    compiled = network.integrate(x, k, 7, ALL_EIGHT)
    monkeypatch.setattr(kernels, "usable", lambda like: False)
    found = network.integrate(x, k, 7, ALL_EIGHT)
    for each in ALL_EIGHT:
        assert share(found[each], compiled[each], ids.lengths) <= 1e-10, each
