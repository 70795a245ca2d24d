"""The kernels' passes at many points and back, under every rule, against the steps under autograd."""

from statistics import median

import pytest
import torch
from torch import Tensor

from whichword.base import kernels
from whichword.networks.encoders import GRU, LSTM, Recurrent
from whichword.networks.fast.cells import CompiledPasses
from whichword.networks.fast.network import way_through
from whichword.networks.fast.pullback import lengths_and_dots
from whichword.networks.fast.recurrent import RecurrentWay, RecurrentWords, WalkedPasses
from whichword.networks.fast.way import Embedded
from whichword.rules import PLAIN, Relevance, Rules
from whichword.sequences import Sequences

TOLERANCE = 1e-10
RULES = [PLAIN, Relevance(), Relevance(0.1), Relevance(paired=True), Relevance(paired=True, readout="rescale")]
LENGTHS = [[5, 0, 1, 2, 3], [1], [9] * 30, [30, 28]]
SCALES = [[1.0], [0.2, 0.4, 0.6, 0.8, 1.0], [(m + 1) / 50 for m in range(50)]]

pytestmark = pytest.mark.skipif(kernels.library() is None, reason="the kernels were not built")


def words(
    kind: type[Recurrent], lengths: list[int], H: int, dtype: torch.dtype = torch.float64, seed: int = 0
) -> RecurrentWords:
    torch.manual_seed(seed)
    encoder = kind(6, H).requires_grad_(False)
    for name, parameter in encoder.named_parameters():
        if name.startswith("b"):
            parameter.normal_(0.0, 0.5)
    embedding = torch.randn(len(lengths) * max(lengths), 6)  # no word occurs twice
    ids = Sequences(torch.arange(len(embedding)).view(len(lengths), -1), torch.tensor(lengths))
    way = way_through(encoder.to(dtype), None)
    assert isinstance(way, RecurrentWay)
    return way.project(Embedded.look_up(ids, embedding, dtype))


def worst(values: Tensor, expected: Tensor) -> float:
    return float((values - expected).abs().max() / expected.abs().max().clamp(min=1e-30))


@pytest.mark.parametrize("kind", [GRU, LSTM])
@pytest.mark.parametrize("lengths", LENGTHS, ids=str)
@pytest.mark.parametrize("scales", SCALES, ids=len)
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_passes_and_back(kind: type[Recurrent], lengths: list[int], scales: list[float], rules: Rules) -> None:
    projected = words(kind, lengths, 11)
    points = torch.tensor(scales, dtype=torch.float64)
    opened, expected = projected.open(points, rules), projected.open_plainly(points, rules)
    assert not isinstance(opened, WalkedPasses)
    assert worst(opened.hidden, expected.hidden) < TOLERANCE
    assert (expected.reference is None) == (opened.reference is None) == (not getattr(rules, "paired", False))
    if expected.reference is not None:
        assert worst(opened.reference, expected.reference) < TOLERANCE
    seeds = torch.randn(len(scales), 2, len(lengths), 11, dtype=torch.float64)
    pulled, truth = opened.pull(seeds), expected.pull(seeds)
    assert worst(pulled, truth[..., -pulled.shape[-1] :]) < TOLERANCE
    assert worst(projected.lift(pulled), projected.lift(truth)) < TOLERANCE
    assert worst(projected.dot(pulled), projected.dot(truth)) < TOLERANCE


@pytest.mark.parametrize("kind", [GRU, LSTM])
@pytest.mark.parametrize("lengths", LENGTHS, ids=str)
@pytest.mark.parametrize("scales", SCALES[:2], ids=len)
def test_lifted_on_the_way_back(kind: type[Recurrent], lengths: list[int], scales: list[float]) -> None:
    """The last point's gradients in e, without those in the pre-activations; zero where a document has ended."""
    projected = words(kind, lengths, 11)
    opened = projected.open(torch.tensor(scales, dtype=torch.float64), PLAIN)
    assert isinstance(opened, CompiledPasses)
    seeds = torch.randn(len(scales), 2, len(lengths), 11, dtype=torch.float64)
    lifted = opened.cell.lifted(opened.inputs, opened.states, seeds, projected.V)
    assert worst(lifted, projected.lift(opened.pull(seeds)[1:])) < TOLERANCE
    assert not lifted.movedim((2, 3), (0, 1))[~projected.x.mask].any()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("size", [1, 3, 8, 16, 50])
def test_lengths_and_dots(dtype: torch.dtype, size: int) -> None:
    x = Sequences(torch.randn(3, 4, size, dtype=dtype), torch.tensor([4, 2, 0]))
    gradients = torch.randn(1, 2, 3, 4, size, dtype=dtype)
    reduced = lengths_and_dots(gradients, x)
    near = {"rtol": 0.0, "atol": 100 * torch.finfo(dtype).eps}
    torch.testing.assert_close(reduced["l2"], gradients.norm(dim=-1), **near)
    torch.testing.assert_close(reduced["dot"], (gradients * x.data).sum(-1), **near)


@pytest.mark.parametrize("kind", [GRU, LSTM])
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_single_precision(kind: type[Recurrent], rules: Rules) -> None:
    """As near to double precision as the steps are; where a sum is near 0, a' / (a' + esign(a')) is steep for both."""
    kernel, steps = zip(*(single_precision_errors(kind, rules, seed) for seed in range(25)), strict=True)
    assert median(kernel) < 2 * median(steps)


def single_precision_errors(kind: type[Recurrent], rules: Rules, seed: int) -> list[float]:
    lengths = [5, 3, 12, 0, 30]
    projected = words(kind, lengths, 11, torch.float32, seed)
    points, seeds = torch.tensor([0.5, 1.0]), torch.randn(2, 2, len(lengths), 11)
    true = words(kind, lengths, 11, torch.float64, seed)
    expected = true.dot(true.open_plainly(points.double(), rules).pull(seeds.double()))
    passes = (projected.open(points, rules), projected.open_plainly(points, rules))
    return [worst(projected.dot(opened.pull(seeds)), expected) for opened in passes]


@pytest.mark.parametrize("kind", [GRU, LSTM])
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_one_seed_or_three(kind: type[Recurrent], rules: Rules) -> None:
    projected = words(kind, [4, 7, 1], 9)
    opened = projected.open(torch.ones(1, dtype=torch.float64), rules)
    seeds = torch.randn(1, 3, 3, 9, dtype=torch.float64)
    apart = torch.cat([opened.pull(seeds[:, s : s + 1]) for s in range(3)], 1)
    assert torch.equal(opened.pull(seeds), apart)


class Halved:
    """Rules that no kernel knows."""

    def gate(self, f, z: Tensor) -> Tensor:  # type: ignore[no-untyped-def]
        return f(z) * 0.5

    def act(self, f, z: Tensor, *, written_out: bool = False) -> Tensor:  # type: ignore[no-untyped-def]
        return f(z)

    def node(self, z: Tensor) -> Tensor:
        return z


@pytest.mark.parametrize("kind", [GRU, LSTM])
def test_rules_of_ones_own_go_step_by_step(kind: type[Recurrent]) -> None:
    projected = words(kind, [4, 2], 5)
    opened = projected.open(torch.ones(1, dtype=torch.float64), Halved())
    assert isinstance(opened, WalkedPasses)
    assert not torch.equal(opened.hidden, projected.open(torch.ones(1, dtype=torch.float64), PLAIN).hidden)
