"""A new network: words meet in pairs. It trains, saves and is explained. Run me: python examples/add_a_network.py"""

import torch
from torch import Tensor, nn

import whichword
from whichword.networks import NETWORKS, Config, Dropout, Encoder, Network
from whichword.rules import PLAIN, Rules
from whichword.sequences import Sequences
from whichword.text import Vocabulary


@NETWORKS.register("pairs")
class Pairs(Encoder):
    """h = sum_t tanh(A e_t + B e_(t-1) + b), e_0 = 0."""

    def __init__(self, embedding: int, hidden: int) -> None:
        super().__init__(embedding, hidden)
        self.A, self.B = (nn.Parameter(torch.randn(hidden, embedding) / embedding**0.5) for _ in "AB")
        self.b = nn.Parameter(torch.zeros(hidden))

    def forward(self, x: Sequences, rules: Rules = PLAIN, dropout: Dropout | None = None) -> Tensor:
        before = nn.functional.pad(x.data, (0, 0, 1, 0))[:, :-1]
        g = rules.act(torch.tanh, rules.node(x.data @ self.A.T + before @ self.B.T + self.b))
        return rules.node(x.with_data(g).filled().data.sum(1))


network = Network.of(Config("pairs", ("no", "yes"), 8, 8), Vocabulary(("a", "good", "film"))).requires_grad_(False)
print({k: v.round(3).tolist() for k, v in whichword.explain(network, ["a good film"])[0].relevance.items()})
