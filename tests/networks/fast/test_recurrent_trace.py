"""The trace of the faster ways, and h where no gradient is wanted, are those of the steps."""

import pytest
import torch

from whichword.networks.encoders import GRU, LSTM, QGRU, QLSTM, Gated
from whichword.networks.fast.network import way_through
from whichword.networks.fast.quasi import QuasiWay
from whichword.networks.fast.recurrent import RecurrentWay
from whichword.networks.fast.way import Embedded
from whichword.sequences import Sequences

WORDS = 20
KINDS = pytest.mark.parametrize("kind", [GRU, LSTM, QGRU, QLSTM])


def case(kind: type[Gated]) -> tuple[Gated, RecurrentWay | QuasiWay, Embedded]:
    """Ragged documents; what stands in the padding must not matter."""
    torch.manual_seed(3)
    encoder = kind(6, 11).double().requires_grad_(False)
    ids = Sequences(torch.randint(WORDS, (6, 30)), torch.tensor([5, 0, 1, 2, 30, 30]))
    x = Embedded.look_up(ids, torch.randn(WORDS, 6).double(), torch.float64)
    way = way_through(encoder, None)
    assert isinstance(way, RecurrentWay | QuasiWay)
    return encoder, way, x


@KINDS
def test_trace(backend: str, kind: type[Gated]) -> None:
    encoder, way, x = case(kind)
    traced, expected = way.remember(x), encoder.remember(x)
    for name in ("memory", "carry"):
        difference = getattr(traced, name).filled().data - getattr(expected, name).filled().data
        assert difference.abs().max() < 1e-12, name
    if expected.out is None:
        assert traced.out is None
    else:
        assert traced.out is not None
        assert (traced.out - expected.out).abs().max() < 1e-12


@KINDS
def test_scores_without_a_gradient_are_the_same_bits(backend: str, kind: type[Gated]) -> None:
    """In training; the prediction makes its products V e_t elsewhere and may differ in the last bits."""
    _, way, x = case(kind)
    with_gradient = way.encode(Sequences(x.data.clone().requires_grad_(), x.lengths), None)
    assert with_gradient.requires_grad
    with torch.no_grad():
        assert torch.equal(way.encode(Sequences(x.data, x.lengths), None), with_gradient)
    torch.testing.assert_close(way.hidden(x), with_gradient.detach(), rtol=0, atol=1e-13)
