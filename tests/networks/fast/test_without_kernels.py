"""Without the compiled kernels everything is computed by torch, with the same answers; with any of them, to the bit."""

import numpy as np
import pytest
import torch

import whichword
from whichword.base import kernels
from whichword.networks import Config, Network
from whichword.text import Vocabulary

TEXTS = [[f"w{(7 * i + n) % 20}" for i in range(n)] for n in (0, 1, 2, 5, 13)]


KINDS = ["gru", "lstm", "qgru", "qlstm", "cnn", "linear"]
TYPES = [torch.float32, torch.float64]


def random_network(kind: str, dtype: torch.dtype, embedding: int = 5, hidden: int = 4) -> Network:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        config = Config(kind, ("x", "y", "z"), embedding, hidden, whichword.NETWORKS[kind].directional)
        network = Network.of(config, Vocabulary(tuple(f"w{i}" for i in range(20)))).to(dtype).requires_grad_(False)
        for value in network.arrays().values():
            value.data.normal_(0.0, 0.7)
    return network


def methods_for(network: Network) -> list[str]:
    names = [name for name in whichword.METHODS if name != "decomp" or network.config.bidirectional]
    return [*names, "deeplift[readout=rescale]"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", TYPES)
def test_every_method_without_the_kernels(kind: str, dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch) -> None:
    network = random_network(kind, dtype)
    names = methods_for(network)
    expected = whichword.explain(network, TEXTS, names)
    monkeypatch.setattr(kernels, "library", lambda: None)
    assert not kernels.usable(network.w)
    for without, with_kernels in zip(whichword.explain(network, TEXTS, names), expected, strict=True):
        for name, values in with_kernels.relevance.items():
            tolerance = 1e-9 if dtype == torch.float64 else 1e-4 if name.startswith(("lrp", "deep")) else 1e-5
            largest = max(np.abs(values).max(initial=0.0), 1e-30)
            assert np.abs(without.relevance[name] - values).max(initial=0.0) <= tolerance * largest, name


@pytest.mark.parametrize("kind", ["gru", "lstm", "qgru", "qlstm"])
@pytest.mark.parametrize("dtype", TYPES)
def test_wide_registers_give_the_same_bits(kind: str, dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sizes that fill no register, and more rows than go together."""
    network, texts = random_network(kind, dtype, 37, 23), [*TEXTS, *([[f"w{n}", "w0", "w5"] for n in range(20)])]
    answers = []
    for path in kernels.LIBRARIES:
        monkeypatch.setattr(kernels, "LIBRARIES", [path])
        kernels.library.cache_clear(), kernels._function.cache_clear()
        if kernels.usable(network.w):
            answers.append(whichword.explain(network, texts, methods_for(network)))
    monkeypatch.undo()
    kernels.library.cache_clear(), kernels._function.cache_clear()
    if len(answers) < 2:
        pytest.skip("this processor has no wide registers, or the kernels were not built")
    for wide, narrow in zip(*answers, strict=True):
        assert wide.scores == narrow.scores
        for name, values in narrow.relevance.items():
            np.testing.assert_array_equal(wide.relevance[name], values, err_msg=name)
