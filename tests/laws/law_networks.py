"""Random networks in double precision for the laws."""

import itertools

import torch

from whichword.model import Batch
from whichword.networks import NETWORKS, Network
from whichword.networks.network import Config
from whichword.sequences import Sequences
from whichword.text import Vocabulary

LENGTHS = (1, 2, 5, 17, 40, 0)


def make(kind: str, bidirectional: bool = False, bias: bool = True, seed: int = 0) -> Network:
    """E = 6, H = 5, K = 3; weights large enough that nothing is near zero by accident."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        vocabulary = Vocabulary(tuple(f"w{i}" for i in range(60)))
        network = Network.of(Config(kind, ("x", "y", "z"), 6, 5, bidirectional), vocabulary).double()
        for name, value in network.arrays().items():
            value.data.normal_(0.0, 1.0 if name in ("embedding", "w") else 0.4)
            if not bias and name.rpartition(".")[2].startswith(("b", "readout_b")):
                value.data.zero_()
    return network.requires_grad_(False)


def pairs_of(kinds: list[str] | None = None) -> list[tuple[str, bool]]:
    """Every network, in one direction and in both."""
    pairs = itertools.product(kinds or list(NETWORKS), (False, True))
    return [(kind, both) for kind, both in pairs if not both or NETWORKS[kind].directional]


def documents(seed: int = 1) -> Batch:
    """Ragged rows of word ids without repetition (repeated windows tie in the CNN)."""
    generator = torch.Generator().manual_seed(seed)
    ids = Sequences.of([torch.randperm(60, generator=generator)[:length].tolist() for length in LENGTHS])
    return Batch(ids, ids.lengths)


def words(network: Network, batch: Batch) -> list[list[str]]:
    return [[network.vocabulary.words[i] for i in row.tolist()] for row in batch.ids.split()]
