"""Small random networks of every kind, uni- and bidirectional, and texts for them."""

import itertools

import numpy as np
import torch

import whichword
from whichword.networks.network import Config, Network
from whichword.text import Vocabulary

WORDS = tuple(f"w{i}" for i in range(40))
# lengths 0, 1, 2, 5, shorter and longer than every window, words that repeat, words that nobody knows
TEXTS = [
    [],
    ["w3"],
    ["w4", "w9"],
    ["w1", "w8", "w2", "w5", "w7"],
    ["never", "seen", "before"],
    [WORDS[(7 * i + 3) % 40] for i in range(23)],
    [WORDS[(11 * i + 5) % 40] for i in range(38)],
]
SHORT_TEXTS = [[], ["w3"], ["never", "seen", "before"], ["w1", "w8", "w2", "w5"], TEXTS[5][:8]]
LOOSER = {"lrp", "deeplift"}  # they divide by sums that may be near zero, and so amplify rounding


def close(name: str, values: np.ndarray, expected: np.ndarray) -> bool:
    """Equal but for rounding, as a share of the document's largest relevance."""
    tolerance = 1e-4 if name in LOOSER else 1e-5
    largest = max(np.abs(expected).max(initial=0.0), 1e-30)
    return bool(np.abs(values - expected).max(initial=0.0) <= tolerance * largest)


def make_network(kind: str, bidirectional: bool, seed: int = 3) -> Network:
    """A small random network whose scores are not tiny."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = Network.of(Config(kind, ("x", "y", "z"), 6, 5, bidirectional), Vocabulary(WORDS))
        for name, value in network.arrays().items():
            value.data.normal_(0.0, 1.0 if name in ("embedding", "w") else 0.5)
    return network.requires_grad_(False)


def kinds() -> list[tuple[str, bool]]:
    pairs = itertools.product(whichword.NETWORKS, (False, True))
    return [(kind, both) for kind, both in pairs if not both or whichword.NETWORKS[kind].directional]
