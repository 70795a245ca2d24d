"""Epsilon LRP (section 3.2) and DeepLIFT (section 3.3): one backward pass under other rules.

Parts of LRP are covered by patents; leave ``lrp`` out of a run where that matters.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from whichword.errors import InputError
from whichword.methods.method import METHODS, Questions
from whichword.networks import Model
from whichword.rules import Relevance, Rules
from whichword.sequences import Sequences

READOUTS = ("literal", "rescale")


def _check_epsilon(eps: float) -> None:
    if not 0.0 < eps < float("inf"):
        raise InputError(f"eps must be a positive number, not {eps}")


@METHODS.register("lrp")
@dataclass(frozen=True)
class LRP:
    """R(i) = sum_j R(j) a_i w_ij / (a'_j + esign(a'_j)), from R = s(k, X); phi(t) = sum_d R(e_(t,d))."""

    eps: float = 1e-3

    def __post_init__(self) -> None:
        _check_epsilon(self.eps)

    def explain(self, model: Model, questions: Questions) -> Tensor:
        return _answered(model, questions, Relevance(self.eps))


@METHODS.register("deeplift")
@dataclass(frozen=True)
class DeepLIFT:
    """LRP on the differences to the pass over zero embeddings, from R = s(k, X) - s(k, X_ref).

    ``readout`` settles tanh(c) in the LSTM: "literal" takes tanh(c - c_ref), as the appendix says, "rescale" takes
    tanh(c) - tanh(c_ref).
    """

    eps: float = 1e-3
    readout: str = "literal"

    def __post_init__(self) -> None:
        _check_epsilon(self.eps)
        if self.readout not in READOUTS:
            raise InputError(f"readout must be one of {', '.join(READOUTS)}, not {self.readout!r}")

    def explain(self, model: Model, questions: Questions) -> Tensor:
        return _answered(model, questions, Relevance(self.eps, paired=True, readout=self.readout))


def _answered(model: Model, questions: Questions, rules: Relevance) -> Tensor:
    """phi(t, k, X), [B, T]; by the model's own faster way where it has one."""
    e, k = model.embed(questions.ids), questions.targets
    own = getattr(model, "relevance", None)
    if own is not None:
        answer: Tensor = own(e, k, rules)
        return answer
    doubled = Sequences(torch.cat([e.data, torch.zeros_like(e.data)]), e.lengths.repeat(2))
    return relevance(model, doubled if rules.paired else e, k, rules)[: len(questions)]


def relevance(model: Model, e: Sequences, k: Tensor, rules: Rules) -> Tensor:
    """The plain way: input x gradient of s_k of the first len(k) rows under ``rules``, [rows, T]."""
    with torch.enable_grad():
        leaf = e.data.detach().clone().requires_grad_(True)
        s = model.score(e.with_data(leaf), rules)
        chosen = s[torch.arange(len(k), device=k.device), k].sum()
    (gradient,) = torch.autograd.grad(chosen, leaf, materialize_grads=True)
    return (gradient * leaf.detach()).sum(-1)
