"""The late updates of the embedding's rows against Adam as torch has it."""

import pytest
import torch
from torch import Tensor

from whichword.base import kernels
from whichword.networks import Network
from whichword.networks.network import Config
from whichword.text import Vocabulary
from whichword.training.adam import ROWS, Adam

WORDS = 40


@pytest.fixture(params=["kernels", "plain"])
def backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "kernels" and kernels.library() is None:
        pytest.skip("the kernels were not built")
    if request.param == "plain":
        monkeypatch.setattr(kernels, "library", lambda: None)
    return str(request.param)


def network(dtype: torch.dtype) -> Network:
    torch.manual_seed(1)
    config = Config("lstm", ("a", "b"), embedding=13, hidden=5)
    return Network(config, Vocabulary(tuple(f"w{n}" for n in range(WORDS - 1)))).to(dtype)


def batch(trained: Network, step: int) -> tuple[Tensor, dict[str, Tensor]]:
    """Rows with a gradient, frequent words often and rare ones with gaps of hundreds of steps, and all gradients."""
    random = torch.Generator().manual_seed(step)
    rows = torch.nonzero(torch.rand(WORDS, generator=random) < 0.8 ** torch.arange(WORDS)).flatten()
    scale = 10.0 ** -(step % 7)
    gradients = {n: scale * torch.randn(a.shape, generator=random, dtype=a.dtype) for n, a in trained.arrays().items()}
    return rows, gradients


def take(adam: Adam, rows: Tensor, gradients: dict[str, Tensor]) -> None:
    adam.advance(rows, gradients[ROWS][rows], {name: g for name, g in gradients.items() if name != ROWS})


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-13), (torch.float32, 2e-6)])
def test_late_steps_are_adam(backend: str, dtype: torch.dtype, tolerance: float) -> None:
    ours, theirs = network(dtype), network(dtype)
    adam, dense = Adam(ours, 1e-2), torch.optim.Adam(theirs.parameters(), lr=1e-2)
    for step in range(700):
        adam.learning_rate = dense.param_groups[0]["lr"] = 1e-2 if step < 400 else 5e-3
        if step == 400:
            adam.flush()
        rows, gradients = batch(ours, step)
        take(adam, rows, gradients)
        for name, array in theirs.arrays().items():
            array.grad = gradients[name]
        theirs.embedding.grad = torch.zeros_like(theirs.embedding).index_copy_(0, rows, gradients[ROWS][rows])
        dense.step()
        assert (adam.rows(rows) - theirs.embedding[rows]).abs().max() <= tolerance
    adam.flush()
    for name, array in ours.arrays().items():
        assert (array - theirs.arrays()[name]).abs().max() <= tolerance, name


@pytest.mark.skipif(kernels.library() is None, reason="the kernels were not built")
def test_a_row_that_is_not_wanted_is_not_touched() -> None:
    trained = network(torch.float32)
    adam = Adam(trained, 1e-2)
    take(adam, *batch(trained, 0))
    before = trained.embedding.detach().clone()
    adam.advance(torch.tensor([0]), torch.ones(1, 13), {})
    assert torch.equal(trained.embedding[1:], before[1:])
    adam.flush()
    assert not torch.equal(trained.embedding[1:], before[1:])
