"""The networks of the paper's appendix, each an encoder [B, T, E] -> [B, H] under one embedding and one read-out."""

from whichword.networks import convolutional, gated, linear
from whichword.networks.encoder import NETWORKS, Dropout, Encoder
from whichword.networks.model import Model, supports
from whichword.networks.network import Network

__all__ = ["NETWORKS", "Dropout", "Encoder", "Model", "Network", "convolutional", "gated", "linear", "supports"]
