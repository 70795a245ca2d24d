"""Cell decomposition for gated networks (section 3.4)."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from whichword.methods.method import METHODS, Questions
from whichword.networks import Model
from whichword.networks.gated import Trace


@METHODS.register("decomp")
@dataclass(frozen=True)
class Decomposition:
    """phi(t) = nl(t) - nl(t-1), nl(0) = 0: what word t adds to the net load that survives to the end.

    LSTM, QLSTM: nl(t) = w_k . (o_T * tanh((prod_(j>t) f_j) * c_t)).
    GRU, QGRU: nl(t) = w_k . ((prod_(j>t) z_j) * h_t).
    Each direction is decomposed in its own reading order, and the two are added: the sum over t is s(k, X) - b_k.
    """

    needs: ClassVar[str] = "trace"

    def explain(self, model: Model, questions: Questions) -> Tensor:
        x = model.embed(questions.ids)
        total = x.data.new_zeros(x.data.shape[:2])
        if x.width == 0:
            return total
        with torch.no_grad():
            traces: list[Trace] = model.trace(x)  # type: ignore[attr-defined]
            weights = model.w[questions.targets].chunk(len(traces), -1)  # type: ignore[attr-defined]
            for direction, (trace, w_k) in enumerate(zip(traces, weights, strict=True)):
                gains = x.with_data(_gains(trace, w_k))
                total = total + (gains.reversed() if direction else gains).data
        return total


def _gains(trace: Trace, w_k: Tensor) -> Tensor:
    """nl(t) - nl(t-1), [B, T]."""
    surviving = trace.carry.following_product() * trace.memory.filled().data
    read = surviving if trace.out is None else trace.out[:, None] * torch.tanh(surviving)
    load = (read * w_k[:, None]).sum(-1)
    return torch.diff(load, dim=1, prepend=torch.zeros_like(load[:, :1]))
