"""The CNN with global max pooling (appendix, "CNN"), and the linear network.

The linear one is the smallest encoder, and an oracle, since seven methods must agree on it.
"""

import torch
from torch import Tensor, nn

from whichword.networks.encoders import WIDTH, Dropout, Encoder, convolve, glorot
from whichword.rules import PLAIN, Rules
from whichword.sequences import Sequences

AHEAD = (WIDTH - 1) // 2  # windows are centred


def pool(g: Sequences) -> Tensor:
    """Compute h_d = max_t g_(t,d) over the document's own positions, first maximum on ties; [B, T, H] -> [B, H].

    The gradient goes to that one position. An empty document gives zeros.
    """
    if g.width == 0:
        return g.data.new_zeros(len(g), g.data.shape[2])
    chosen = g.data.gather(1, g.with_data(g.data.detach()).argmax()[:, None])[:, 0]  # the choice has no gradient
    return torch.where((g.lengths == 0)[:, None], 0.0, chosen)


class CNN(Encoder):
    """G' = V * [0 .. e_1 .. e_T .. 0] + b, G = relu(G'), h_d = max_t g_(t,d)."""

    def __init__(self, embedding: int, hidden: int) -> None:
        super().__init__(embedding, hidden)
        self.V = glorot(WIDTH, embedding, hidden, fan_in=WIDTH * embedding, fan_out=WIDTH * hidden)
        self.b = nn.Parameter(torch.zeros(hidden))

    def forward(self, x: Sequences, rules: Rules = PLAIN, dropout: Dropout | None = None) -> Tensor:
        preactivation = convolve(x.data, self.V, AHEAD) + self.b
        return pool(x.with_data(rules.act(torch.relu, rules.node(preactivation))))


class Linear(Encoder):
    """h = sum_t e_t; it has no arrays of its own, and H = E."""

    def __init__(self, embedding: int, hidden: int) -> None:
        super().__init__(embedding, embedding)  # h is a sum of embeddings

    def forward(self, x: Sequences, rules: Rules = PLAIN, dropout: Dropout | None = None) -> Tensor:
        return rules.node(x.data.sum(1))
