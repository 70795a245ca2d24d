"""Random networks and ragged documents on which every fast path is compared with the plain one."""

import copy
from dataclasses import dataclass

import pytest
import torch
from torch import Tensor

from whichword.networks import Network
from whichword.networks.network import Config
from whichword.rules import PLAIN, Rules
from whichword.sequences import Sequences
from whichword.text import Vocabulary

CLASSES = ("a", "b", "c")
WORDS = 60
LENGTHS = (0, 1, 2, 5, 23, 3, 12, 4, 8, 40)
DTYPES = (torch.float64, torch.float32)
EVERY = [(kind, both) for kind in ("gru", "qgru", "lstm", "qlstm") for both in (False, True)] + [("cnn", False)]
every_network = pytest.mark.parametrize(("kind", "both"), EVERY)
both_precisions = pytest.mark.parametrize("dtype", DTYPES, ids=["float64", "float32"])


@dataclass(frozen=True)
class Definition:
    """A model that can do nothing but score: explainers go the plain way, which defines the methods."""

    network: Network

    @property
    def classes(self) -> tuple[str, ...]:
        return self.network.classes

    def embed(self, ids: Sequences) -> Sequences:
        return self.network.embed(ids)

    def score(self, x: Sequences, rules: Rules = PLAIN) -> Tensor:
        return self.network.score(x, rules)


def make(kind: str, both: bool = False, dtype: torch.dtype = torch.float64, seed: int = 0) -> Network:
    """A network whose weights and biases are large enough for gates, features and differences of every size."""
    config = Config(kind, CLASSES, embedding=7, hidden=6, bidirectional=both)
    torch.manual_seed(seed)
    network = Network(config, Vocabulary(tuple(f"word{n}" for n in range(WORDS - 1)))).to(torch.float64)
    generator = torch.Generator().manual_seed(seed)
    for parameter in network.parameters():
        noise = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
        parameter.data.copy_(0.5 * noise)
    return network.to(dtype).requires_grad_(False)


def exact(network: Network) -> Network:
    """The same numbers in float64."""
    return copy.deepcopy(network).to(torch.float64)


def documents(lengths: tuple[int, ...] = LENGTHS, seed: int = 0) -> Sequences:
    """Rows of random words; what stands in the padding is a word that no row has, and must not matter."""
    generator = torch.Generator().manual_seed(seed)
    rows = [torch.randint(WORDS - 1, (length,), generator=generator).tolist() for length in lengths]
    ids = Sequences.of(rows)
    return ids.with_data(torch.where(ids.mask, ids.data, WORDS - 1))


def targets(ids: Sequences, seed: int = 0) -> Tensor:
    return torch.randint(len(CLASSES), (len(ids),), generator=torch.Generator().manual_seed(seed))


def share(found: Tensor, expected: Tensor, lengths: Tensor, scale: Tensor | None = None) -> float:
    """The largest difference at a word, as a share of the row's largest value (of ``scale``, where it is given)."""
    own = torch.arange(expected.shape[1]) < lengths[:, None]
    difference = torch.where(own, (found.double() - expected.double()).abs(), 0.0).amax(1)
    largest = torch.where(own, (expected if scale is None else scale).double().abs(), 0.0).amax(1)
    return float((difference / largest.clamp(min=1e-30)).max())
