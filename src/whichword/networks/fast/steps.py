"""GRU and LSTM over a whole sequence in torch operations, with the gradient written out.

The steps of `gated` define what is computed. Going back, everything that does not depend on the gradient is taken for
all t in a few long operations before the loop. The time comes first in all arrays; tanh(x) is 2 sigmoid(2x) - 1, which
is faster on CPUs.
"""

import torch
from torch import Tensor

from whichword.networks.fast.inputs import Inputs, States


class Seeds:
    """The gradient of the last states, [B, H], handed out at the step each row ends with."""

    def __init__(self, gradient: Tensor, ends: Tensor) -> None:
        self.gradient = gradient
        self.rows: dict[int, list[int]] = {}
        for row, end in enumerate(ends.tolist()):
            self.rows.setdefault(end, []).append(row)

    def add_to(self, dh: Tensor, end: int) -> None:
        """dh += the gradient of the rows that have ``end`` words."""
        if rows := self.rows.get(end):
            index = torch.tensor(rows, device=dh.device)
            dh.index_add_(0, index, self.gradient[index])


def _tanh_(z: Tensor) -> Tensor:
    return z.mul_(2.0).sigmoid_().mul_(2.0).sub_(1.0)


def _finish(hidden: Tensor, ends: Tensor, gates: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """h after each row's own length; h_(t-1) and the gates with the rows first, 0 where a row has ended."""
    rows = torch.arange(hidden.shape[1], device=hidden.device)
    over = (torch.arange(len(gates), device=ends.device)[:, None] >= ends)[..., None]
    gates.masked_fill_(over, 0.0)
    return hidden[ends, rows], hidden[:-1].masked_fill(over, 0.0).transpose(0, 1), gates.transpose(0, 1)


def _lstm_forward(words: Tensor, U: Tensor, mask: Tensor | None, ends: Tensor) -> tuple[Tensor, States]:
    """h [B, H]; states: gates i, f, o, g [B, T, 4H], h_(t-1), c_t, tanh(c_t) [B, T, H]."""
    words = words.transpose(0, 1)
    T, B, G = words.shape
    H = G // 4
    gates, squashed = words.new_empty(T, B, G), words.new_empty(T, B, H)
    memory, hidden = words.new_zeros(T + 1, B, H), words.new_zeros(T + 1, B, H)
    Ut, source = U.T.contiguous(), words.new_empty(B, H)
    for t in range(T):
        z, c, h = gates[t], memory[t + 1], hidden[t]
        torch.addmm(words[t], h if mask is None else torch.mul(h, mask, out=source), Ut, out=z)
        i, f, o, g = z.chunk(4, 1)
        z[:, : 3 * H].sigmoid_()
        _tanh_(g)
        torch.mul(f, memory[t], out=c).addcmul_(i, g)
        torch.mul(o, _tanh_(squashed[t].copy_(c)), out=hidden[t + 1])
    last, before, gates = _finish(hidden, ends, gates)
    return last, (gates, before, memory[1:].transpose(0, 1), squashed.transpose(0, 1))


def _lstm_backward(U: Tensor, mask: Tensor | None, ends: Tensor, states: States, gradient: Tensor) -> Tensor:
    """The gradient of the pre-activations, [B, T, 4H]."""
    gates, _, memory, squashed = (array.transpose(0, 1) for array in states)
    H = U.shape[1]
    through_h, local = _lstm_slopes(gates, torch.cat([torch.zeros_like(memory[:1]), memory[:-1]]), squashed)
    dz, dh, dc = torch.empty_like(local).flatten(2), torch.zeros_like(memory[0]), torch.zeros_like(memory[0])
    seeds = Seeds(gradient, ends)
    for t in range(len(gates) - 1, -1, -1):
        seeds.add_to(dh, t + 1)
        dc.addcmul_(dh, through_h[t])
        d, k = dz[t].view(-1, 4, H), local[t]
        torch.mul(k[:, :2], dc[:, None], out=d[:, :2])
        torch.mul(k[:, 2], dh, out=d[:, 2])
        torch.mul(k[:, 3], dc, out=d[:, 3])
        dc.mul_(gates[t, :, H : 2 * H])
        torch.mm(dz[t], U, out=dh)
        if mask is not None:
            dh.mul_(mask)
    return dz.transpose(0, 1)


def _lstm_slopes(gates: Tensor, before: Tensor, squashed: Tensor) -> tuple[Tensor, Tensor]:
    """dc/dh = o (1 - tanh(c)^2) [T, B, H]; the slope of c (of h for o) in each pre-activation, [T, B, 4, H]."""
    i, f, o, g = gates.chunk(4, 2)
    slopes = [g * i * (1.0 - i), before * f * (1.0 - f), squashed * o * (1.0 - o), i * (1.0 - g.square())]
    return o * (1.0 - squashed.square()), torch.stack(slopes, 2)


def _gru_forward(words: Tensor, U: Tensor, mask: Tensor | None, ends: Tensor) -> tuple[Tensor, States]:
    """h [B, H]; states: gates z, r, g [B, T, 3H], h_(t-1) [B, T, H]."""
    words = words.transpose(0, 1)
    T, B, G = words.shape
    H = G // 3
    gates, hidden = words.new_empty(T, B, G), words.new_zeros(T + 1, B, H)
    U_gates, U_g = U[: 2 * H].T.contiguous(), U[2 * H :].T.contiguous()
    for t in range(T):
        h = hidden[t]
        seen = h if mask is None else h * mask
        zr = torch.addmm(words[t, :, : 2 * H], seen, U_gates).sigmoid_()
        g = _tanh_(torch.addmm(words[t, :, 2 * H :], zr[:, H:] * seen, U_g))
        torch.lerp(g, h, zr[:, :H], out=hidden[t + 1])
        torch.cat([zr, g], 1, out=gates[t])
    last, before, gates = _finish(hidden, ends, gates)
    return last, (gates, before)


def _gru_backward(U: Tensor, mask: Tensor | None, ends: Tensor, states: States, gradient: Tensor) -> Tensor:
    """The gradient of the pre-activations, [B, T, 3H]."""
    gates, before = (array.transpose(0, 1) for array in states)
    H = U.shape[1]
    z, r, _ = gates.chunk(3, 2)
    slope_z, slope_r, slope_g = _gru_slopes(gates, before, before if mask is None else before * mask)
    dz, dh = torch.empty_like(gates), torch.zeros_like(before[0])
    seeds = Seeds(gradient, ends)
    for t in range(len(gates) - 1, -1, -1):
        seeds.add_to(dh, t + 1)
        d = dz[t]
        torch.mul(dh, slope_z[t], out=d[:, :H])
        d_reset = torch.mm(torch.mul(dh, slope_g[t], out=d[:, 2 * H :]), U[2 * H :])
        torch.mul(d_reset, slope_r[t], out=d[:, H : 2 * H])
        d_source = torch.mm(d[:, : 2 * H], U[: 2 * H]).addcmul_(d_reset, r[t])
        if mask is not None:
            d_source.mul_(mask)
        dh = d_source.addcmul_(dh, z[t])
    return dz.transpose(0, 1)


def _gru_slopes(gates: Tensor, before: Tensor, source: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The slope of h_t in the pre-activations of z and g, and of r * source in that of r; [T, B, H] each."""
    z, r, g = gates.chunk(3, 2)
    return (before - g) * z * (1.0 - z), source * r * (1.0 - r), (1.0 - z) * (1.0 - g.square())


class LSTMSteps:
    """The LSTM."""

    def forward(self, words: Tensor, inputs: Inputs) -> tuple[Tensor, States]:
        assert inputs.U is not None
        return _lstm_forward(words + inputs.bias, inputs.U, inputs.mask, inputs.ends)

    def backward(self, inputs: Inputs, states: States, gradient: Tensor) -> Tensor:
        assert inputs.U is not None
        return _lstm_backward(inputs.U, inputs.mask, inputs.ends, states, gradient)


class GRUSteps:
    """The paper's GRU."""

    def forward(self, words: Tensor, inputs: Inputs) -> tuple[Tensor, States]:
        assert inputs.U is not None
        return _gru_forward(words + inputs.bias, inputs.U, inputs.mask, inputs.ends)

    def backward(self, inputs: Inputs, states: States, gradient: Tensor) -> Tensor:
        assert inputs.U is not None
        return _gru_backward(inputs.U, inputs.mask, inputs.ends, states, gradient)
