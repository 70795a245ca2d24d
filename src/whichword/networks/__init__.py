"""The networks of the paper's appendix, each an encoder [B, T, E] -> [B, H] under one embedding and one read-out.

    takes      arrays, a folder that was saved, or a Config
    gives      a Network: s(k, X), its gradients, its relevance rules, its memory
    begin at   network.py (embedding, encoder, read-out), encoders.py (the definitions, in the appendix's words)

The exact faster ways are in `fast`, each tested equal to the definition that it shortens.
"""

from whichword.networks.encoders import GRU, LSTM, NETWORKS, QGRU, QLSTM, Dropout, Encoder
from whichword.networks.fast import attach
from whichword.networks.network import Config, Network
from whichword.networks.plain import CNN, Linear

# the order of the networks in every list, the paper's
for _encoder in (GRU, QGRU, LSTM, QLSTM, CNN, Linear):
    NETWORKS.register(_encoder.__name__.lower(), _encoder)
attach()

__all__ = ["NETWORKS", "Config", "Dropout", "Encoder", "Network"]
