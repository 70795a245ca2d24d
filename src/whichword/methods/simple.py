"""What a method has to beat: a random word, and the last one.

Cell decomposition for gated networks (section 3.4).
"""

from dataclasses import dataclass
from typing import ClassVar

from whichword.base.lazy import Tensor, torch
from whichword.methods.method import METHODS, Answer, Questions
from whichword.model import TRACE, Model, Trace, Traced, by_word


@METHODS.register("random")
@dataclass(frozen=True)
class Random:
    """One seeded draw per document, for heat maps; games count the exact expectation instead (``uniform``)."""

    uniform: ClassVar[bool] = True
    labels_do: ClassVar[bool] = True

    def explain(self, model: Model, questions: Questions) -> Tensor:
        values = questions.zeros()
        for row, length in enumerate(questions.batch.words.tolist()):
            values[row, :length] = torch.from_numpy(questions.randomness(row, "random").random(length))
        return values


@METHODS.register("last")
@dataclass(frozen=True)
class Last:
    """1 on the last word, 0 elsewhere."""

    labels_do: ClassVar[bool] = True

    def explain(self, model: Model, questions: Questions) -> Tensor:
        words = questions.batch.words
        return (torch.arange(questions.batch.width, device=words.device) == words[:, None] - 1).double()


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
