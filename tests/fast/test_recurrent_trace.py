"""The kernels' trace, and h where no gradient is wanted, are those of the steps."""

import pytest
import torch

from whichword.networks import kernels
from whichword.networks.gated import GRU, LSTM, Gated, Recurrent
from whichword.sequences import Sequences

pytestmark = pytest.mark.skipif(kernels.library() is None, reason="the kernels were not built")
KINDS = pytest.mark.parametrize("kind", [GRU, LSTM])


def case(kind: type[Recurrent]) -> tuple[Recurrent, Sequences]:
    torch.manual_seed(3)
    lengths = torch.tensor([5, 0, 1, 2, 30, 30])
    return kind(6, 11).double().requires_grad_(False), Sequences(torch.randn(6, 30, 6).double(), lengths).filled()


@KINDS
def test_trace(kind: type[Recurrent]) -> None:
    made, x = case(kind)
    found, expected = made.trace(x), Gated.trace(made, x)
    for name in ("memory", "carry"):
        difference = getattr(found, name).filled().data - getattr(expected, name).filled().data
        assert difference.abs().max() < 1e-12, name
    if expected.out is None:
        assert found.out is None
    else:
        assert found.out is not None
        assert (found.out - expected.out).abs().max() < 1e-12


@KINDS
def test_scores_without_a_gradient_are_the_same_bits(kind: type[Recurrent]) -> None:
    made, x = case(kind)
    with_gradient = made(x.with_data(x.data.clone().requires_grad_()))
    assert with_gradient.requires_grad
    with torch.no_grad():
        assert torch.equal(made(x), with_gradient)
