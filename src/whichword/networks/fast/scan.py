"""The Quasi-networks' recurrence, with the gradient written out.

Their gates do not depend on h, so only the scan itself, m_t = carry_t m_(t-1) + gain_t and its way back, goes step by
step; everything else is done for all t at once.
"""

import torch
from torch import Tensor

from whichword.base import kernels
from whichword.networks.fast.inputs import Inputs, States


def scan(carry: Tensor, gain: Tensor) -> Tensor:
    """m_t = carry_t m_(t-1) + gain_t from m_0 = 0; [B, T, H]."""
    if not kernels.usable(gain):
        return scan_steps(carry, gain)
    memory = torch.empty(gain.shape, dtype=gain.dtype)
    kernels.call("scan", gain, *gain.shape, carry.contiguous(), gain.contiguous(), memory)
    return memory


def scan_steps(carry: Tensor, gain: Tensor) -> Tensor:
    """As `scan`, in torch operations."""
    memory, before = torch.empty_like(gain), torch.zeros_like(gain[:, 0])
    for a, b, m in zip(carry.unbind(1), gain.unbind(1), memory.unbind(1), strict=True):
        before = torch.addcmul(b, a, before, out=m)
    return memory


def scan_back(carry: Tensor, gradient: Tensor) -> Tensor:
    """The gradient of every gain_t, d_t = gradient_t + carry_(t+1) d_(t+1)."""
    following = torch.cat([carry[:, 1:], torch.zeros_like(carry[:, :1])], 1)
    return scan(following.flip(1), gradient.flip(1)).flip(1)


def _at_ends(gradient: Tensor, like: Tensor, ends: Tensor) -> Tensor:
    """[B, H] put at each row's last word, zero elsewhere, [B, T, H]."""
    last = torch.arange(like.shape[1], device=ends.device) == (ends - 1)[:, None]
    return last[..., None] * gradient[:, None]


def _last(states: Tensor, ends: Tensor) -> Tensor:
    rows = torch.arange(len(ends), device=ends.device)
    return torch.where(ends[:, None] > 0, states[rows, (ends - 1).clamp(min=0)], 0.0)


def _shifted(states: Tensor) -> Tensor:
    """m_(t-1)."""
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
        squashed = _tanh(_last(memory, inputs.ends))
        return _last(o, inputs.ends) * squashed, (torch.cat([i, f, o, g], -1), memory, squashed)

    def backward(self, inputs: Inputs, states: States, gradient: Tensor) -> Tensor:
        gates, memory, squashed = states
        i, f, o, g = gates.chunk(4, -1)
        d_tanh = gradient * _last(o, inputs.ends) * (1.0 - squashed.square())
        d = scan_back(f, _at_ends(d_tanh, memory, inputs.ends))
        d_o = _at_ends(gradient * squashed, memory, inputs.ends) * o * (1.0 - o)
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
