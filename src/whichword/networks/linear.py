"""The linear network: the smallest encoder, and an oracle, since seven methods must agree on it."""

from torch import Tensor

from whichword.networks.encoders import Dropout, Encoder
from whichword.rules import PLAIN, Rules
from whichword.sequences import Sequences


class Linear(Encoder):
    """h = sum_t e_t; it has no arrays of its own, and H = E."""

    def __init__(self, embedding: int, hidden: int) -> None:
        super().__init__(embedding, embedding)

    def forward(self, x: Sequences, rules: Rules = PLAIN, dropout: Dropout | None = None) -> Tensor:
        return rules.node(x.data.sum(1))
