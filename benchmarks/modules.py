"""The same networks as ordinary torch modules, with the same weights: what the peers are given.

Embedded words of equal length go in, [B, T, E], scores come out, [B, K].
"""

import torch
from torch import Tensor, nn

from whichword.networks import Network


class LSTMModule(nn.Module):
    """torch's own LSTM; its gates stand in the order i, f, g, o."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        config, arrays = network.config, network.arrays()
        self.lstm = nn.LSTM(config.embedding, config.hidden, batch_first=True, bidirectional=config.bidirectional)
        for direction, suffix in (("forward", "l0"), ("backward", "l0_reverse"))[: 1 + config.bidirectional]:
            stacked = {
                letter: torch.cat([arrays[f"{direction}.{letter}{gate}"] for gate in ("_i", "_f", "", "_o")])
                for letter in "VUb"
            }
            getattr(self.lstm, f"weight_ih_{suffix}").data.copy_(stacked["V"])
            getattr(self.lstm, f"weight_hh_{suffix}").data.copy_(stacked["U"])
            getattr(self.lstm, f"bias_ih_{suffix}").data.copy_(stacked["b"])
            getattr(self.lstm, f"bias_hh_{suffix}").data.zero_()
        self.readout = _readout(network)

    def forward(self, x: Tensor) -> Tensor:
        _, (last, _) = self.lstm(x)
        scores: Tensor = self.readout(last.transpose(0, 1).flatten(1))
        return scores


class CNNModule(nn.Module):
    """Convolution, relu and pooling as modules, because Captum's LRP puts a rule on each."""

    def __init__(self, network: Network, length: int) -> None:
        super().__init__()
        config, arrays = network.config, network.arrays()
        self.convolution = nn.Conv1d(config.embedding, config.hidden, 5, padding=2)
        self.convolution.weight.data.copy_(arrays["forward.V"].flip(0).permute(2, 1, 0))
        self.convolution.bias.data.copy_(arrays["forward.b"])  # type: ignore[union-attr]
        self.relu, self.pool, self.readout = nn.ReLU(), nn.MaxPool1d(length), _readout(network)

    def forward(self, x: Tensor) -> Tensor:
        g = self.relu(self.convolution(x.transpose(1, 2)))
        scores: Tensor = self.readout(self.pool(g)[..., 0])
        return scores


class QLSTMModule(nn.Module):
    """One convolution for all gates, then the steps of the scan; gates i, f, o and the candidate."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        config, arrays = network.config, network.arrays()
        self.convolutions = nn.ModuleList()
        for direction in ("forward", "backward")[: 1 + config.bidirectional]:
            convolution = nn.Conv1d(config.embedding, 4 * config.hidden, 5)
            names = [f"{direction}.{{}}{gate}" for gate in ("_i", "_f", "_o", "")]
            kernel = torch.cat([arrays[name.format("V")] for name in names], 2)
            convolution.weight.data.copy_(kernel.flip(0).permute(2, 1, 0))
            convolution.bias.data.copy_(torch.cat([arrays[name.format("b")] for name in names]))  # type: ignore[union-attr]
            self.convolutions.append(convolution)
        self.readout = _readout(network)

    def forward(self, x: Tensor) -> Tensor:
        readings = (x, x.flip(1))
        pairs = zip(self.convolutions, readings, strict=False)
        scores: Tensor = self.readout(torch.cat([_scan(convolution, reading) for convolution, reading in pairs], -1))
        return scores


def _scan(convolution: nn.Module, x: Tensor) -> Tensor:
    z = convolution(nn.functional.pad(x.transpose(1, 2), (4, 0))).permute(2, 0, 1)
    *gates, candidate = z.chunk(4, -1)
    i, f, o = (torch.sigmoid(gate) for gate in gates)
    gain = i * torch.tanh(candidate)
    memory = gain[0]
    for t in range(1, len(z)):
        memory = torch.addcmul(gain[t], f[t], memory)
    return o[-1] * torch.tanh(memory)


def _readout(network: Network) -> nn.Linear:
    readout = nn.Linear(network.w.shape[1], network.w.shape[0])
    readout.weight.data.copy_(network.w)
    readout.bias.data.copy_(network.readout_b)
    return readout


def module(network: Network, length: int) -> nn.Module:
    """The peer's network, frozen, for documents of this length (only the CNN's pooling has to know it)."""
    make = {"lstm": LSTMModule, "qlstm": QLSTMModule, "cnn": lambda weights: CNNModule(weights, length)}
    peer: nn.Module = make[network.config.kind](network)
    return peer.eval().requires_grad_(False)
