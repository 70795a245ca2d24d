"""Random networks and ragged documents on which every fast path is compared with the plain one."""

import copy

import pytest
import torch
from torch import Tensor

from whichword.methods import Answer
from whichword.model import Batch
from whichword.networks import Network
from whichword.networks.network import Config, GatedNetwork, Shortcuts
from whichword.sequences import Sequences
from whichword.text import Vocabulary

CLASSES = ("a", "b", "c")
WORDS = 60
LENGTHS = (0, 1, 2, 5, 23, 3, 12, 4, 8, 40)
DTYPES = (torch.float64, torch.float32)
MANY = 10**9  # words to be read: more than any table has rows
NETWORKS = [(kind, both) for kind in ("gru", "qgru", "lstm", "qlstm") for both in (False, True)] + [("cnn", False)]
every_network = pytest.mark.parametrize(("kind", "both"), NETWORKS)
both_precisions = pytest.mark.parametrize("dtype", DTYPES, ids=["float64", "float32"])


def _none(network: Network) -> None:
    return None


class PlainNetwork(Network):
    """A network by the definitions alone."""

    shortcuts = staticmethod(_none)


class PlainGatedNetwork(GatedNetwork):
    """The same, with a memory."""

    shortcuts = staticmethod(_none)


def plainly(network: Network) -> Network:
    """The same parameters with the shortcuts switched off: the plain way, which defines everything."""
    twin = copy.copy(network)
    twin.__class__ = PlainGatedNetwork if isinstance(network, GatedNetwork) else PlainNetwork
    assert twin.fast is None
    return twin


def make(kind: str, both: bool = False, dtype: torch.dtype = torch.float64, seed: int = 0) -> Network:
    """A network whose weights and biases are large enough for gates, features and differences of every size."""
    config = Config(kind, CLASSES, embedding=7, hidden=6, bidirectional=both)
    torch.manual_seed(seed)
    network = Network.of(config, Vocabulary(tuple(f"word{n}" for n in range(WORDS - 1)))).to(torch.float64)
    generator = torch.Generator().manual_seed(seed)
    for parameter in network.parameters():
        noise = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
        parameter.data.copy_(0.5 * noise)
    return network.to(dtype).requires_grad_(False)


def shortcuts(network: Network) -> Shortcuts:
    """The network's faster ways, which it must have."""
    assert network.fast is not None
    assert network.fast.integrate is not None
    return network.fast


def exact(network: Network) -> Network:
    """The same numbers in float64."""
    return copy.deepcopy(network).to(torch.float64)


def batch_of(ids: Sequences) -> Batch:
    """A piece per word."""
    return Batch(ids, ids.lengths)


def documents(lengths: tuple[int, ...] = LENGTHS, seed: int = 0) -> Batch:
    """Rows of random words; what stands in the padding is a word that no row has, and must not matter."""
    generator = torch.Generator().manual_seed(seed)
    rows = [torch.randint(WORDS - 1, (length,), generator=generator).tolist() for length in lengths]
    ids = Sequences.of(rows)
    return batch_of(ids.with_data(torch.where(ids.mask, ids.data, WORDS - 1)))


def targets(batch: Batch, seed: int = 0) -> Tensor:
    return torch.randint(len(CLASSES), (len(batch),), generator=torch.Generator().manual_seed(seed))


def names(batch: Batch) -> tuple[str, ...]:
    """A key per document."""
    return tuple(map(str, range(len(batch))))


def share(answer: Answer | Tensor, expected: Answer | Tensor, lengths: Tensor, scale: Tensor | None = None) -> float:
    """The largest difference at a word, as a share of the row's largest value (of ``scale``, where there is one)."""
    truth, values = _values(expected), _values(answer)
    inside = torch.arange(truth.shape[1]) < lengths[:, None]
    difference = torch.where(inside, (values - truth).abs(), 0.0).amax(1)
    largest = torch.where(inside, (truth if scale is None else scale.double()).abs(), 0.0).amax(1)
    return float((difference / largest.clamp(min=1e-30)).max())


def _values(answer: Answer | Tensor) -> Tensor:
    return (answer.values if isinstance(answer, Answer) else answer).double()
