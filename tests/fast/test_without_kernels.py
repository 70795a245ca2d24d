"""Without the compiled kernels everything is computed by torch, with the same answers."""

import numpy as np
import pytest
import torch

import whichword
from whichword import kernels
from whichword.networks import Config, Network
from whichword.text import Vocabulary

TEXTS = [[f"w{(7 * i + n) % 20}" for i in range(n)] for n in (0, 1, 2, 5, 13)]


@pytest.mark.parametrize("kind", ["gru", "lstm", "qgru", "qlstm", "cnn", "linear"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_every_method_without_the_kernels(kind: str, dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch) -> None:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        both = whichword.NETWORKS[kind].directional
        network = Network.of(Config(kind, ("x", "y", "z"), 5, 4, both), Vocabulary(tuple(f"w{i}" for i in range(20))))
        network = network.to(dtype).requires_grad_(False)
        for value in network.arrays().values():
            value.data.normal_(0.0, 0.7)
    names = [name for name in whichword.METHODS if name != "decomp" or both] + ["deeplift[readout=rescale]"]
    expected = whichword.explain(network, TEXTS, names)
    monkeypatch.setattr(kernels, "library", lambda: None)
    assert not kernels.usable(network.w)
    for without, with_kernels in zip(whichword.explain(network, TEXTS, names), expected, strict=True):
        for name, values in with_kernels.relevance.items():
            tolerance = 1e-9 if dtype == torch.float64 else 1e-4 if name.startswith(("lrp", "deep")) else 1e-5
            largest = max(np.abs(values).max(initial=0.0), 1e-30)
            assert np.abs(without.relevance[name] - values).max(initial=0.0) <= tolerance * largest, name
