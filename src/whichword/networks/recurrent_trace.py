"""Memory, carry and last out of GRU and LSTM by the kernels: what cell decomposition reads."""

import torch
from torch import Tensor

from whichword.networks.recurrent_kernels import BEFORE, GATES, KERNELS, MEMORY
from whichword.networks.recurrent_words import RecurrentWords
from whichword.sequences import Sequences

Traced = tuple[Sequences, Sequences, Tensor | None]  # m_t [B, T, H], carry_t [B, T, H], o_T [B, H] or None


def trace(words: RecurrentWords) -> Traced:
    """What the steps give, from one forward pass."""
    return {"lstm": _lstm, "gru": _gru}[words.cell](words)


def _lstm(words: RecurrentWords) -> Traced:
    x = words.words
    _, (gates, memory) = KERNELS["lstm"].forward(x.data, x.data.new_ones(1), words.given, (GATES, MEMORY))
    _, forget, out, _ = gates[0].chunk(4, -1)
    return x.with_data(memory[0]), x.with_data(forget), x.with_data(out).last()


def _gru(words: RecurrentWords) -> Traced:
    """h_t is what the next step finds before it, and at the end the last state."""
    x = words.words
    last, (gates, before) = KERNELS["gru"].forward(x.data, x.data.new_ones(1), words.given, (GATES, BEFORE))
    following = torch.cat([before[0, :, 1:], last[0][:, None]], 1)
    ending = (x.positions == x.lengths[:, None] - 1)[..., None]
    return x.with_data(torch.where(ending, last[0][:, None], following)), x.with_data(gates[0].chunk(3, -1)[0]), None
