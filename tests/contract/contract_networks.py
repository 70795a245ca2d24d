"""Small random networks of every kind, uni- and bidirectional."""

import itertools

import torch

import whichword
from whichword.networks.network import Config, Network
from whichword.text import Vocabulary

WORDS = tuple(f"w{i}" for i in range(40))


def make_network(kind: str, bidirectional: bool, dtype: torch.dtype = torch.float32, seed: int = 3) -> Network:
    """A small random network whose scores are not tiny."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = Network(Config(kind, ("x", "y", "z"), 6, 5, bidirectional), Vocabulary(WORDS)).to(dtype)
        for name, value in network.arrays().items():
            value.data.normal_(0.0, 1.0 if name in ("embedding", "w") else 0.5)
    return network.requires_grad_(False)


def kinds() -> list[tuple[str, bool]]:
    every = itertools.product(whichword.NETWORKS, (False, True))
    return [(kind, both) for kind, both in every if not both or whichword.NETWORKS[kind].directional]
