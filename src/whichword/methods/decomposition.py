"""Cell decomposition for gated networks (section 3.4)."""

from dataclasses import dataclass
from typing import ClassVar

from whichword.base.lazy import Tensor, torch
from whichword.methods.method import METHODS, Answer, Questions
from whichword.model import Traced, by_word
from whichword.passes import TRACE, Trace


@METHODS.register("decomp")
@dataclass(frozen=True)
class Decomposition:
    """phi(t) = nl(t) - nl(t-1), nl(0) = 0: what word t adds to the net load that survives to the end.

    LSTM, QLSTM: nl(t) = w_k . (o_T * tanh((prod_(j>t) f_j) * c_t)).
    GRU, QGRU: nl(t) = w_k . ((prod_(j>t) z_j) * h_t).
    Each direction is decomposed in its own reading order, and the two are added: the sum over t is s(k, X) - b_k.
    """

    needs: ClassVar[type] = Traced
    expects: ClassVar[str] = TRACE

    def explain(self, model: Traced, questions: Questions) -> Answer:
        with torch.no_grad():
            traces = model.trace(questions.batch, questions.targets)
            gains = [trace.memory.with_data(_gains(trace)) for trace in traces]
            turned = [gain.reversed() if trace.backward else gain for gain, trace in zip(gains, traces, strict=True)]
            words, outside = by_word(torch.stack([gain.data for gain in turned]).sum(0), questions.batch)
            return Answer(words, rest=outside)


def _gains(trace: Trace) -> Tensor:
    """nl(t) - nl(t-1), [B, T]."""
    surviving = trace.carry.following_product() * trace.memory.filled().data
    read = surviving if trace.out is None else trace.out[:, None] * torch.tanh(surviving)
    load = (read * trace.w[:, None]).sum(-1)
    return torch.diff(load, dim=1, prepend=torch.zeros_like(load[:, :1]))
