"""Gradients and relevances without autograd are those of the plain way."""

from itertools import product

import pytest
import torch
from fast_cases import both_precisions, documents, every_network, exact, make, names, plainly, share, shortcuts, targets

from whichword.base import kernels
from whichword.methods import Questions
from whichword.methods.gradient import integrate
from whichword.methods.propagation import LRP, DeepLIFT
from whichword.model import GradientKind
from whichword.networks.fast.network import way_through

TOLERANCE = {torch.float64: 1e-10, torch.float32: 1e-6}
ALL_EIGHT = [GradientKind(*kind) for kind in product((True, False), ("s", "p"), ("l2", "dot"))]


@every_network
@both_precisions
@pytest.mark.parametrize("steps", [1, 7])
def test_gradients(kind: str, both: bool, dtype: torch.dtype, steps: int) -> None:
    """A dot product may cancel: in float32 it is as exact as its factors, |gradient| and |e|, allow."""
    network, batch = make(kind, both, dtype), documents()
    k, plain = targets(batch), plainly(exact(network))
    integrals = shortcuts(network).integrate(batch, k, steps, ALL_EIGHT)
    expected = integrate(plain, batch, k, steps, ALL_EIGHT)
    sizes = plain.embed(batch).norm(dim=-1)
    for name in ALL_EIGHT:
        assert integrals[name].dtype == dtype
        scale = expected[name._replace(reduction="l2")].values * (sizes if name.reduction == "dot" else 1.0)
        assert share(integrals[name], expected[name], batch.words, scale) <= TOLERANCE[dtype], name


@every_network
@pytest.mark.parametrize("kinds", [ALL_EIGHT[:2], ALL_EIGHT[1:2], ALL_EIGHT[4:], [ALL_EIGHT[7]], ALL_EIGHT[3:6]])
def test_what_is_asked_alone_is_what_is_asked_together(kind: str, both: bool, kinds: list[GradientKind]) -> None:
    network, batch = make(kind, both), documents()
    together = shortcuts(network).integrate(batch, targets(batch), 3, ALL_EIGHT)
    alone = shortcuts(network).integrate(batch, targets(batch), 3, kinds)
    assert set(alone) == set(kinds)
    for name in kinds:
        assert share(alone[name], together[name], batch.words) <= 1e-12, name


@every_network
def test_few_words_and_points_at_a_time(kind: str, both: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    network, k = make(kind, both), targets(documents())
    together = shortcuts(network).integrate(documents(), k, 7, ALL_EIGHT)
    monkeypatch.setattr(type(way_through(network.directions[0], None)), "capacity", 24)
    apart = shortcuts(network).integrate(documents(), k, 7, ALL_EIGHT)
    for name in ALL_EIGHT:
        assert share(apart[name], together[name], documents().words) <= 1e-12, name


METHODS = [LRP(), LRP(eps=0.1), DeepLIFT(), DeepLIFT(readout="rescale"), DeepLIFT(eps=0.1)]


@every_network
@both_precisions
@pytest.mark.parametrize("method", METHODS, ids=str)
def test_relevances(kind: str, both: bool, dtype: torch.dtype, method: LRP | DeepLIFT) -> None:
    """In float32 a sum near 0 amplifies rounding, so the plain way is given the same precision to be fair."""
    network, batch = make(kind, both, dtype), documents()
    questions = Questions(batch, targets(batch), names(batch))
    assert shortcuts(network).relevance is not None
    expected = method.explain(plainly(network), questions)
    difference = share(method.explain(network, questions), expected, batch.words)
    assert difference <= {torch.float64: 1e-10, torch.float32: 1e-4}[dtype]


@every_network
def test_no_words_at_all(kind: str, both: bool) -> None:
    network, batch = make(kind, both), documents((0, 0))
    assert shortcuts(network).integrate(batch, targets(batch), 3, ALL_EIGHT)[ALL_EIGHT[0]].shape == (2, 0)
    questions = Questions(batch, targets(batch), ("a", "b"))
    assert LRP().explain(network, questions).shape == (2, 0)


@every_network
def test_gradients_without_compiled_kernels(kind: str, both: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    network, k = make(kind, both), targets(documents())
    compiled = shortcuts(network).integrate(documents(), k, 7, ALL_EIGHT)
    monkeypatch.setattr(kernels, "usable", lambda like: False)
    stepped = shortcuts(network).integrate(documents(), k, 7, ALL_EIGHT)
    for name in ALL_EIGHT:
        assert share(stepped[name], compiled[name], documents().words) <= 1e-10, name
