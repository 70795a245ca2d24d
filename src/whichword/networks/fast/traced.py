"""The memory of a GRU or LSTM, which cell decomposition reads, from the kernels' forward pass."""

import torch
from torch import Tensor

from whichword.networks.encoders import Memory
from whichword.networks.fast.cells import BEFORE, GATES, MEMORY, Cell
from whichword.networks.fast.folding import Embedded
from whichword.networks.fast.inputs import Inputs
from whichword.sequences import Sequences


def traced(cell: Cell, x: Embedded, words: Tensor, inputs: Inputs) -> tuple[Tensor, Memory]:
    """h [B, H]; m_t, carry_t and o_T."""
    state = MEMORY if cell.out is not None else BEFORE
    last, (gates, states) = cell.forward(words, x.data.new_ones(1), inputs, (GATES, state))
    blocks = gates[0].chunk(cell.blocks, -1)
    if cell.out is None:
        memory, out = x.with_data(_shifted(x, states[0], last[0])), None
    else:
        memory, out = x.with_data(states[0]), x.with_data(blocks[cell.out]).last()
    return last[0], Memory(memory, x.with_data(blocks[cell.carry]), out)


def _shifted(x: Sequences, before: Tensor, last: Tensor) -> Tensor:
    """h_t, which the next step finds before it, and at the end the last state; [B, T, H]."""
    following = torch.cat([before[:, 1:], last[:, None]], 1)
    ending = (x.positions == x.lengths[:, None] - 1)[..., None]
    return torch.where(ending, last[:, None], following)
