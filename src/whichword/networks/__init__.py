"""The networks of the paper's appendix, each an encoder [B, T, E] -> [B, H] under one embedding and one read-out."""

# ruff: noqa: I001  (the order of these imports is the order of the networks in every list, the paper's)
from whichword.networks import gated, cnn, linear
from whichword.networks.encoder import NETWORKS, Dropout, Encoder
from whichword.networks.model import Model, supports
from whichword.networks.network import Network

__all__ = ["NETWORKS", "Dropout", "Encoder", "Model", "Network", "cnn", "gated", "linear", "supports"]
