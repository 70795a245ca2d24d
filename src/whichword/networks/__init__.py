"""The networks of the paper's appendix, each an encoder [B, T, E] -> [B, H] under one embedding and one read-out."""

from whichword.networks.cnn import CNN
from whichword.networks.encoder import NETWORKS, Dropout, Encoder
from whichword.networks.gated import GRU, LSTM
from whichword.networks.linear import Linear
from whichword.networks.model import Model, supports
from whichword.networks.network import Config, Network
from whichword.networks.quasi import QGRU, QLSTM

# the order of the networks in every list, the paper's
for _encoder in (GRU, QGRU, LSTM, QLSTM, CNN, Linear):
    NETWORKS.register(_encoder.__name__.lower(), _encoder)

__all__ = ["NETWORKS", "Config", "Dropout", "Encoder", "Model", "Network", "supports"]
