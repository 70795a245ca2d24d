"""The gated cells over a whole sequence in torch operations, with the gradient written out.

The steps of `encoders` define what is computed. Going back, everything that does not depend on the gradient is taken
for all t in a few long operations before the loop. In GRU and LSTM the time comes first in all arrays; tanh(x) is
2 sigmoid(2x) - 1, which is faster on CPUs.

The gates of Quasi-networks do not depend on h, so only the scan itself, m_t = carry_t m_(t-1) + gain_t and its way
back, goes step by step; everything else is done for all t at once.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from whichword.base import kernels

States = tuple[Tensor, ...]


class Inputs(NamedTuple):
    """bias [G], U [G, H] or None, mask [B, H] or None, ends [B]: each row's own length.

    ``place`` [B, T]: the words' side is [N, G], and each word is one of its rows; None: it is [B, T, G].
    """

    bias: Tensor
    U: Tensor | None
    mask: Tensor | None
    ends: Tensor
    place: Tensor | None = None


class Seeds:
    """The gradient of the last states, [B, H], handed out at the step each row ends with."""

    def __init__(self, gradient: Tensor, ends: Tensor) -> None:
        self.gradient = gradient
        self.rows: dict[int, list[int]] = {}
        for row, end in enumerate(ends.tolist()):
            self.rows.setdefault(end, []).append(row)

    def add_to(self, dh: Tensor, end: int) -> None:
        """Add to dh the gradient of the rows that have ``end`` words."""
        if rows := self.rows.get(end):
            index = torch.tensor(rows, device=dh.device)
            dh.index_add_(0, index, self.gradient[index])


def _tanh_(z: Tensor) -> Tensor:
    return z.mul_(2.0).sigmoid_().mul_(2.0).sub_(1.0)


def _finish(hidden: Tensor, ends: Tensor, gates: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return h after each row's own length; h_(t-1) and the gates with the rows first, 0 where a row has ended."""
    rows = torch.arange(hidden.shape[1], device=hidden.device)
    over = (torch.arange(len(gates), device=ends.device)[:, None] >= ends)[..., None]
    gates.masked_fill_(over, 0.0)  # gates of 0 have slopes of 0: nothing goes back
    return hidden[ends, rows], hidden[:-1].masked_fill(over, 0.0).transpose(0, 1), gates.transpose(0, 1)


def _lstm_forward(words: Tensor, U: Tensor, mask: Tensor | None, ends: Tensor) -> tuple[Tensor, States]:
    """Compute h [B, H]; states: gates i, f, o, g [B, T, 4H], h_(t-1), c_t, tanh(c_t) [B, T, H]."""
    words = words.transpose(0, 1)
    T, B, G = words.shape
    H = G // 4
    gates, squashed = words.new_empty(T, B, G), words.new_empty(T, B, H)  # time first: a step is one piece of memory
    memory, hidden = words.new_zeros(T + 1, B, H), words.new_zeros(T + 1, B, H)
    Ut, source = U.T.contiguous(), words.new_empty(B, H)  # turned once, not at every step
    for t in range(T):
        z, c, h = gates[t], memory[t + 1], hidden[t]
        torch.addmm(words[t], h if mask is None else torch.mul(h, mask, out=source), Ut, out=z)
        i, f, o, g = z.chunk(4, 1)
        z[:, : 3 * H].sigmoid_()  # i, f and o at once
        _tanh_(g)
        torch.mul(f, memory[t], out=c).addcmul_(i, g)
        torch.mul(o, _tanh_(squashed[t].copy_(c)), out=hidden[t + 1])
    last, before, gates = _finish(hidden, ends, gates)
    return last, (gates, before, memory[1:].transpose(0, 1), squashed.transpose(0, 1))


def _lstm_backward(U: Tensor, mask: Tensor | None, ends: Tensor, states: States, gradient: Tensor) -> Tensor:
    """Compute the gradient of the pre-activations, [B, T, 4H]."""
    gates, _, memory, squashed = (array.transpose(0, 1) for array in states)
    H = U.shape[1]
    through_h, local = _lstm_slopes(gates, torch.cat([torch.zeros_like(memory[:1]), memory[:-1]]), squashed)  # c_0 = 0
    dz, dh, dc = torch.empty_like(local).flatten(2), torch.zeros_like(memory[0]), torch.zeros_like(memory[0])
    seeds = Seeds(gradient, ends)
    for t in range(len(gates) - 1, -1, -1):
        seeds.add_to(dh, t + 1)
        dc.addcmul_(dh, through_h[t])
        d, k = dz[t].view(-1, 4, H), local[t]
        torch.mul(k[:, :2], dc[:, None], out=d[:, :2])  # i and f
        torch.mul(k[:, 2], dh, out=d[:, 2])  # o, which only h_t is made of
        torch.mul(k[:, 3], dc, out=d[:, 3])  # g
        dc.mul_(gates[t, :, H : 2 * H])  # times f
        torch.mm(dz[t], U, out=dh)
        if mask is not None:
            dh.mul_(mask)
    return dz.transpose(0, 1)


def _lstm_slopes(gates: Tensor, before: Tensor, squashed: Tensor) -> tuple[Tensor, Tensor]:
    """Return dc/dh = o (1 - tanh(c)^2) [T, B, H]; the slope of c (of h for o) in the pre-activations, [T, B, 4, H]."""
    i, f, o, g = gates.chunk(4, 2)
    slopes = [g * i * (1.0 - i), before * f * (1.0 - f), squashed * o * (1.0 - o), i * (1.0 - g.square())]
    return o * (1.0 - squashed.square()), torch.stack(slopes, 2)


def _gru_forward(words: Tensor, U: Tensor, mask: Tensor | None, ends: Tensor) -> tuple[Tensor, States]:
    """Compute h [B, H]; states: gates z, r, g [B, T, 3H], h_(t-1) [B, T, H]."""
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
        torch.lerp(g, h, zr[:, :H], out=hidden[t + 1])  # g + z (h - g)
        torch.cat([zr, g], 1, out=gates[t])
    last, before, gates = _finish(hidden, ends, gates)
    return last, (gates, before)


def _gru_backward(U: Tensor, mask: Tensor | None, ends: Tensor, states: States, gradient: Tensor) -> Tensor:
    """Compute the gradient of the pre-activations, [B, T, 3H]."""
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
        d_reset = torch.mm(torch.mul(dh, slope_g[t], out=d[:, 2 * H :]), U[2 * H :])  # the gradient of r * h
        torch.mul(d_reset, slope_r[t], out=d[:, H : 2 * H])
        d_source = torch.mm(d[:, : 2 * H], U[: 2 * H]).addcmul_(d_reset, r[t])
        if mask is not None:
            d_source.mul_(mask)
        dh = d_source.addcmul_(dh, z[t])  # what h_t keeps of h_(t-1)
    return dz.transpose(0, 1)


def _gru_slopes(gates: Tensor, before: Tensor, source: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return the slope of h_t in z's and g's pre-activations, and of r * source in r's; [T, B, H] each."""
    z, r, g = gates.chunk(3, 2)
    return (before - g) * z * (1.0 - z), source * r * (1.0 - r), (1.0 - z) * (1.0 - g.square())


class LSTMSteps:
    """The LSTM's steps."""

    def forward(self, words: Tensor, inputs: Inputs) -> tuple[Tensor, States]:
        assert inputs.U is not None
        return _lstm_forward(words + inputs.bias, inputs.U, inputs.mask, inputs.ends)

    def backward(self, inputs: Inputs, states: States, gradient: Tensor) -> Tensor:
        assert inputs.U is not None
        return _lstm_backward(inputs.U, inputs.mask, inputs.ends, states, gradient)


class GRUSteps:
    """The steps of the paper's GRU."""

    def forward(self, words: Tensor, inputs: Inputs) -> tuple[Tensor, States]:
        assert inputs.U is not None
        return _gru_forward(words + inputs.bias, inputs.U, inputs.mask, inputs.ends)

    def backward(self, inputs: Inputs, states: States, gradient: Tensor) -> Tensor:
        assert inputs.U is not None
        return _gru_backward(inputs.U, inputs.mask, inputs.ends, states, gradient)


def scan(carry: Tensor, gain: Tensor) -> Tensor:
    """Compute m_t = carry_t m_(t-1) + gain_t from m_0 = 0; [B, T, H]."""
    if not kernels.usable(gain):
        return scan_steps(carry, gain)
    memory = torch.empty(gain.shape, dtype=gain.dtype)  # empty_like would keep gain's strides
    kernels.call("scan", gain, *gain.shape, carry.contiguous(), gain.contiguous(), memory)
    return memory


def scan_steps(carry: Tensor, gain: Tensor) -> Tensor:
    """Do what `scan` does in torch operations."""
    memory, before = torch.empty_like(gain), torch.zeros_like(gain[:, 0])
    for a, b, m in zip(carry.unbind(1), gain.unbind(1), memory.unbind(1), strict=True):
        before = torch.addcmul(b, a, before, out=m)
    return memory


def scan_back(carry: Tensor, gradient: Tensor) -> Tensor:
    """Compute the gradient of every gain_t, d_t = gradient_t + carry_(t+1) d_(t+1)."""
    following = torch.cat([carry[:, 1:], torch.zeros_like(carry[:, :1])], 1)
    return scan(following.flip(1), gradient.flip(1)).flip(1)


def _at_ends(gradient: Tensor, like: Tensor, ends: Tensor) -> Tensor:
    """Put [B, H] at each row's last word, zero elsewhere, [B, T, H]."""
    last = torch.arange(like.shape[1], device=ends.device) == (ends - 1)[:, None]
    return last[..., None] * gradient[:, None]


def _last(states: Tensor, ends: Tensor) -> Tensor:
    rows = torch.arange(len(ends), device=ends.device)
    return torch.where(ends[:, None] > 0, states[rows, (ends - 1).clamp(min=0)], 0.0)


def _shifted(states: Tensor) -> Tensor:
    """Shift to m_(t-1)."""
    return torch.cat([torch.zeros_like(states[:, :1]), states[:, :-1]], 1)


def _tanh(z: Tensor) -> Tensor:
    return 2.0 * torch.sigmoid(2.0 * z) - 1.0  # faster than torch.tanh on CPUs


class LSTMScan:
    """c_t = f_t c_(t-1) + i_t g_t, h_T = o_T tanh(c_T)."""

    def forward(self, words: Tensor, inputs: Inputs) -> tuple[Tensor, States]:
        *gates, candidate = (words + inputs.bias).chunk(4, -1)
        i, f, o = (torch.sigmoid(z) for z in gates)
        g = _tanh(candidate)
        memory = scan(f, i * g)
        squashed = _tanh(_last(memory, inputs.ends))  # only h_T is wanted
        return _last(o, inputs.ends) * squashed, (torch.cat([i, f, o, g], -1), memory, squashed)

    def backward(self, inputs: Inputs, states: States, gradient: Tensor) -> Tensor:
        gates, memory, squashed = states
        i, f, o, g = gates.chunk(4, -1)
        d_tanh = gradient * _last(o, inputs.ends) * (1.0 - squashed.square())
        d = scan_back(f, _at_ends(d_tanh, memory, inputs.ends))
        d_o = _at_ends(gradient * squashed, memory, inputs.ends) * o * (1.0 - o)  # only o_T counts
        d_f = d * _shifted(memory) * f * (1.0 - f)
        return torch.cat([d * g * i * (1.0 - i), d_f, d_o, d * i * (1.0 - g.square())], -1)


class GRUScan:
    """h_t = z_t h_(t-1) + (1 - z_t) g_t."""

    def forward(self, words: Tensor, inputs: Inputs) -> tuple[Tensor, States]:
        gate, candidate = (words + inputs.bias).chunk(2, -1)
        z, g = torch.sigmoid(gate), _tanh(candidate)
        hidden = scan(z, (1.0 - z) * g)
        return _last(hidden, inputs.ends), (torch.cat([z, g], -1), hidden)

    def backward(self, inputs: Inputs, states: States, gradient: Tensor) -> Tensor:
        gates, hidden = states
        z, g = gates.chunk(2, -1)
        d = scan_back(z, _at_ends(gradient, hidden, inputs.ends))
        return torch.cat([d * (_shifted(hidden) - g) * z * (1.0 - z), d * (1.0 - z) * (1.0 - g.square())], -1)
