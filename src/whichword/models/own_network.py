"""Our networks as models: what they are, and how they read a document."""

from pathlib import Path

from whichword.model import Model, Reading
from whichword.networks import Network
from whichword.networks.checkpoint import load as load_network
from whichword.types import About, Written


class OwnNetwork(Network):
    """A network that says what it is. (What `Network` itself is going to be.)"""

    @property
    def about(self) -> About:
        return about_of(self)

    def read(self, document: Written) -> Reading:
        """A piece per word; what is not in the vocabulary has its last row."""
        words, ids = tuple(document.words), self.vocabulary.ids(document.words)
        unknown = [row == len(self.vocabulary) - 1 for row in ids]
        return Reading(words, document.text, ids, range(len(words)), unknown, len(words))


def about_of(network: Network) -> About:
    """What a network is, for people and for plans."""
    config = network.config
    facts = {
        "embedding": str(config.embedding),
        "hidden": str(config.hidden),
        "vocabulary": f"{len(network.vocabulary.words):,} words",
    }
    name = f"bi{config.kind}" if config.bidirectional else config.kind
    dtype = str(network.w.dtype).removeprefix("torch.")
    return About(name, config.classes, dtype, str(network.w.device), facts)


def load(folder: Path) -> Model:
    network = load_network(folder)
    network.__class__ = OwnNetwork
    return network  # type: ignore[return-value]
