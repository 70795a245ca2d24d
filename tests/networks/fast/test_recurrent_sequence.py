"""All steps at once (compiled, and in torch operations) against the steps that define the networks."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from whichword.networks import Dropout
from whichword.networks.encoders import GRU, LSTM, QGRU, QLSTM, Gated
from whichword.networks.fast.network import way_through
from whichword.sequences import Sequences

TOLERANCE = {torch.float64: 1e-10, torch.float32: 1e-5}  # of gradients over 60 steps; h itself is ten times nearer
KINDS = [GRU, LSTM, QGRU, QLSTM]


def make(kind: type[Gated], E: int, H: int, dtype: torch.dtype, seed: int) -> Gated:
    torch.manual_seed(seed)
    encoder = kind(E, H).to(dtype)
    for name, parameter in encoder.named_parameters():
        if name.startswith("b"):
            parameter.data.normal_(0.0, 0.5)
    return encoder


def at_once(encoder: Gated, x: Sequences, noise: Dropout | None = None) -> Tensor:
    """h by the faster way."""
    way = way_through(encoder, None)
    assert way is not None
    return way.encode(x, noise)


def results(encoder: Gated, x: Sequences, rate: float, *, plainly: bool) -> list[Tensor]:
    """h, and a gradient of everything."""
    leaf = x.data.clone().requires_grad_()
    noise = Dropout(rate, torch.Generator().manual_seed(5)) if rate else None
    filled = x.with_data(leaf).filled()
    h = encoder(filled, dropout=noise) if plainly else at_once(encoder, filled, noise)
    seed = torch.randn(h.shape, generator=torch.Generator().manual_seed(6), dtype=torch.float64).to(h.dtype)
    return [h.detach(), *torch.autograd.grad(h, [leaf, *encoder.parameters()], seed)]


def documents(lengths: list[int], E: int, dtype: torch.dtype) -> Sequences:
    shape = (len(lengths), max(lengths), E)
    data = torch.randn(shape, generator=torch.Generator().manual_seed(3), dtype=torch.float64).to(dtype)
    return Sequences(data, torch.tensor(lengths))


def worst(values: list[Tensor], expected: list[Tensor]) -> float:
    return max(
        float((a - b).abs().max() / b.abs().max().clamp(min=1e-30)) for a, b in zip(values, expected, strict=True)
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("rate", [0.0, 0.5])
@pytest.mark.parametrize(
    ("lengths", "E", "H"),
    [([5, 0, 1, 2, 5], 4, 3), ([1], 3, 1), ([40, 3, 17] * 20, 6, 17), ([2] * 7, 50, 50), ([60, 59], 100, 75)],
)
def test_all_steps_at_once_are_the_steps(
    backend: str, kind: type[Gated], dtype: torch.dtype, rate: float, lengths: list[int], E: int, H: int
) -> None:
    encoder = make(kind, E, H, dtype, seed=2)
    x = documents(lengths, E, dtype)
    together, expected = (results(encoder, x, rate, plainly=plainly) for plainly in (False, True))
    assert worst(together[:1], expected[:1]) < TOLERANCE[dtype] / 10
    assert worst(together, expected) < TOLERANCE[dtype]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=30), st.integers(1, 20), st.integers(0, 1000))
def test_any_ragged_batch(lengths: list[int], H: int, seed: int) -> None:
    for kind in KINDS:
        encoder = make(kind, 5, H, torch.float64, seed)
        x = documents([*lengths, 1], 5, torch.float64)
        assert worst(results(encoder, x, 0.5, plainly=False), results(encoder, x, 0.5, plainly=True)) < 1e-10


@pytest.mark.parametrize("kind", KINDS)
def test_equal_inputs_give_equal_bits(backend: str, kind: type[Gated]) -> None:
    encoder = make(kind, 10, 20, torch.float32, seed=1)
    x = documents([12, 3, 12], 10, torch.float32)
    first, second = (results(encoder, x, 0.5, plainly=False) for _ in range(2))
    assert all(torch.equal(a, b) for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_no_words_at_all(backend: str, kind: type[Gated]) -> None:
    encoder = make(kind, 4, 3, torch.float64, seed=1)
    none = torch.zeros(2, dtype=torch.long)
    assert torch.equal(at_once(encoder, Sequences(torch.zeros(2, 0, 4).double(), none)), torch.zeros(2, 3).double())
    assert torch.equal(at_once(encoder, Sequences(torch.zeros(2, 3, 4).double(), none)), torch.zeros(2, 3).double())


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_finite_stays_so(backend: str, kind: type[Gated]) -> None:
    encoder = make(kind, 4, 3, torch.float32, seed=1)
    x = documents([5, 4], 4, torch.float32)
    x.data[0, 2, 1] = torch.nan
    h = at_once(encoder, x)
    assert h[0].isnan().all()
    assert h[1].isfinite().all()


def test_large_numbers_do_not_overflow(backend: str) -> None:
    encoder = make(LSTM, 4, 9, torch.float32, seed=1)
    x = documents([5, 4], 4, torch.float32)
    big = x.with_data(x.data * 1e6)
    assert worst([at_once(encoder, big).detach()], [encoder(big).detach()]) < 1e-6


@pytest.mark.parametrize("kind", KINDS)
def test_lengths_of_any_whole_number_type(backend: str, kind: type[Gated]) -> None:
    encoder = make(kind, 4, 3, torch.float64, seed=1)
    x = documents([5, 4, 1], 4, torch.float64)
    assert torch.equal(at_once(encoder, Sequences(x.data, x.lengths.int())), at_once(encoder, x))
