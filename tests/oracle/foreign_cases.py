"""torch modules with random numbers, and the oracles that hold the same numbers."""

import numpy as np
import torch
from oracle_recurrent import RecurrentOracle
from torch import Tensor, nn

WORDS = [f"w{i}" for i in range(12)]
CLASSES = ["x", "y", "z"]
TEXTS = [["w3", "w1", "w7", "w1", "w9"], ["w2", "w11"], ["w5"], ["w4", "w4", "w8", "w10", "w6", "w2", "w3", "w7"]]


def shaken(module: nn.Module, seed: int) -> nn.Module:
    chance = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, value in module.named_parameters():
            centre = 1.0 if "norm" in name and name.endswith("weight") else 0.0
            value.copy_(centre + 0.6 * torch.randn(value.shape, generator=chance))
    return module.double().eval()


class Recurrent(nn.Module):
    """An embedding, a stack, a read-out."""

    def __init__(self, kind: str, layers: int, both: bool, read_out: str, projection: int = 0) -> None:
        super().__init__()
        self.words = nn.Embedding(12, 4)
        more = {"proj_size": projection} if projection else {}
        self.rnn = getattr(nn, kind.upper())(4, 3, layers, bidirectional=both, batch_first=True, **more)
        size = (projection or 3) * (1 + both)
        self.read_out, self.query, self.out = read_out, nn.Linear(size, 1), nn.Linear(size, 3)

    def forward(self, ids: Tensor) -> Tensor:
        states, last = self.rnn(self.words(ids))
        h_n = last[0] if isinstance(last, tuple) else last
        if self.read_out == "attention":
            return self.out((torch.softmax(self.query(torch.tanh(states)), 1) * states).sum(1))
        h = {
            "last": lambda: states[:, -1],
            "h_n": lambda: torch.cat(list(h_n[-(1 + self.rnn.bidirectional) :]), -1),
            "mean": lambda: states.mean(1),
            "max": lambda: states.max(1).values,
        }[self.read_out]()
        return self.out(h)

    def oracle(self) -> RecurrentOracle:
        kind = {nn.LSTM: "lstm", nn.GRU: "gru", nn.RNN: "rnn"}[type(self.rnn)]
        suffixes = ["", "_reverse"][: 1 + self.rnn.bidirectional]
        layers = [[self._arrays(f"_l{n}{suffix}") for suffix in suffixes] for n in range(self.rnn.num_layers)]
        out = {"w": self.out.weight, "b": self.out.bias, "a": self.query.weight, "a_b": self.query.bias}
        return RecurrentOracle(kind, layers, self.read_out, {name: array(value) for name, value in out.items()})

    def _arrays(self, suffix: str) -> dict[str, np.ndarray]:
        names = {"W": "weight_ih", "U": "weight_hh", "b_ih": "bias_ih", "b_hh": "bias_hh", "W_hr": "weight_hr"}
        numbers = dict(self.rnn.named_parameters())
        return {short: array(numbers[n + suffix]) for short, n in names.items() if n + suffix in numbers}


def array(value: Tensor) -> np.ndarray:
    return value.detach().numpy().copy()
