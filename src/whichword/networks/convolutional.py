"""Convolutions over words, and the CNN with global max pooling (appendix, "CNN")."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from whichword.networks.encoder import NETWORKS, Dropout, Encoder, glorot
from whichword.rules import PLAIN, Rules
from whichword.sequences import Sequences

WIDTH = 5  # F, the kernel width of the paper


def convolve(x: Tensor, kernel: Tensor, ahead: int) -> Tensor:
    """V * e: out_t = sum_j kernel_j e_(t + ahead - j), zero vectors around the ends.

    x [B, T, E], kernel [F, E, H] -> [B, T, H]. ``ahead`` = 0 is causal, (F - 1) / 2 centred ("same").
    """
    width = kernel.shape[0]
    if x.shape[1] == 0:
        return x.new_zeros(x.shape[0], 0, kernel.shape[2])
    padded = functional.pad(x, (0, 0, width - 1 - ahead, ahead))
    # conv1d correlates, so the kernel is turned round
    return functional.conv1d(padded.transpose(1, 2), kernel.flip(0).permute(2, 1, 0)).transpose(1, 2)


def pool(g: Sequences) -> Tensor:
    """h_d = max_t g_(t,d) over the document's own positions, first maximum on ties; [B, T, H] -> [B, H].

    The gradient goes to that one position. An empty document gives zeros.
    """
    if g.width == 0:
        return g.data.new_zeros(len(g), g.data.shape[2])
    chosen = g.data.gather(1, g.with_data(g.data.detach()).argmax()[:, None])[:, 0]
    return torch.where((g.lengths == 0)[:, None], 0.0, chosen)


@NETWORKS.register("cnn")
class CNN(Encoder):
    """G' = V * [0 .. e_1 .. e_T .. 0] + b, G = relu(G'), h_d = max_t g_(t,d)."""

    def __init__(self, embedding: int, hidden: int) -> None:
        super().__init__(embedding, hidden)
        self.V = glorot(WIDTH, embedding, hidden, fan_in=WIDTH * embedding, fan_out=WIDTH * hidden)
        self.b = nn.Parameter(torch.zeros(hidden))

    def forward(self, x: Sequences, rules: Rules = PLAIN, dropout: Dropout | None = None) -> Tensor:
        preactivation = convolve(x.data, self.V, ahead=(WIDTH - 1) // 2) + self.b
        return pool(x.with_data(rules.act(torch.relu, rules.node(preactivation))))
