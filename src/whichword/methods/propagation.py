"""Epsilon LRP (section 3.2) and DeepLIFT (section 3.3): one backward pass under other rules.

Parts of LRP are covered by patents; leave ``lrp`` out of a run where that matters.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from whichword.errors import InputError
from whichword.lazy import Tensor, torch
from whichword.methods.method import METHODS, Answer, Questions
from whichword.model import Batch, Ruled, by_word

if TYPE_CHECKING:
    from whichword.rules import Relevance

READOUTS = ("literal", "rescale")
ATTENTION = ("weight", "attnlrp")


def _check_epsilon(eps: float) -> None:
    if not 0.0 < eps < float("inf"):
        raise InputError(f"eps must be a positive number, not {eps}")


@METHODS.register("lrp")
@dataclass(frozen=True)
class LRP:
    """R(i) = sum_j R(j) a_i w_ij / (a'_j + esign(a'_j)), from R = s(k, X); phi(t) = sum_d R(e_(t,d)).

    ``attention`` settles what attention weights are: "weight", they get no relevance; "attnlrp" (Achtibat et al. 2024),
    softmax takes its ordinary gradient, and a product of two neurons gives half to each.
    """

    needs: ClassVar[type] = Ruled

    eps: float = 1e-3
    attention: str = "weight"

    def __post_init__(self) -> None:
        _check_epsilon(self.eps)
        if self.attention not in ATTENTION:
            raise InputError(f"attention must be one of {', '.join(ATTENTION)}, not {self.attention!r}")

    def refuses(self, model: Ruled) -> str | None:
        if self.attention != "weight" and not model.has_attention:
            return "it has no attention"
        return model.without_rule(self.attention)

    @property
    def expects(self) -> Relevance:
        from whichword.rules import Relevance

        return Relevance(self.eps, attention=self.attention)

    def explain(self, model: Ruled, questions: Questions) -> Answer | Tensor:
        return _answered(model, questions, self.expects)


@METHODS.register("deeplift")
@dataclass(frozen=True)
class DeepLIFT:
    """LRP on the differences to the pass over zero embeddings, from R = s(k, X) - s(k, X_ref).

    ``readout`` settles tanh(c) in the LSTM: "literal" takes tanh(c - c_ref), as the appendix says, "rescale" takes
    tanh(c) - tanh(c_ref).
    """

    needs: ClassVar[type] = Ruled

    eps: float = 1e-3
    readout: str = "literal"

    def __post_init__(self) -> None:
        _check_epsilon(self.eps)
        if self.readout not in READOUTS:
            raise InputError(f"readout must be one of {', '.join(READOUTS)}, not {self.readout!r}")

    def refuses(self, model: Ruled) -> str | None:
        return model.without_rule()

    @property
    def expects(self) -> Relevance:
        from whichword.rules import Relevance

        return Relevance(self.eps, paired=True, readout=self.readout)

    def explain(self, model: Ruled, questions: Questions) -> Answer | Tensor:
        return _answered(model, questions, self.expects)


def _answered(model: Ruled, questions: Questions, rules: Relevance) -> Answer | Tensor:
    """phi(t, k, X), [B, T]; by the model's own faster way where it has one."""
    fast = model.fast
    if fast is not None and fast.relevance is not None:
        return fast.relevance(questions.batch, questions.targets, rules)
    return relevance(model, questions.batch, questions.targets, rules)


def relevance(model: Ruled, batch: Batch, k: Tensor, rules: Relevance) -> Answer:
    """The plain way: input x gradient of s_k under ``rules``, where the input is e, or e - e_ref (DeepLIFT).

    The reference has zero vectors for all words; pieces outside the text are as they are.
    """
    e = model.embed(batch).detach()
    reference = torch.where((batch.word_of >= 0)[..., None], 0.0, e)
    gradient = relevance_gradient(model, e, batch, k, against(model, reference, batch, rules))
    difference = e - reference if rules.paired else e
    words, rest = by_word((gradient * difference).sum(-1), batch)
    return Answer(words, rest=rest)


def against(model: Ruled, reference: Tensor, batch: Batch, rules: Relevance) -> Relevance:
    """The rules, with the reference pass noted where they take differences to it."""
    from whichword.rules import Reference

    if not rules.paired:
        return rules
    notes = Reference()
    with torch.enable_grad():  # a model may tell what depends on the words by its having a gradient
        model.forward(reference.clone().requires_grad_(True), batch, notes)
    return replace(rules, reference=notes)


def relevance_gradient(model: Ruled, e: Tensor, batch: Batch, k: Tensor, rules: Relevance) -> Tensor:
    """G(e) = R(e) / e, [B, P, E], from R = s_k."""
    with torch.enable_grad():
        leaf = e.clone().requires_grad_(True)
        s = model.forward(leaf, batch, rules)
        chosen = s.gather(1, k[:, None]).sum()
    if rules.reference is not None:
        rules.reference.check_used_up()
    (gradient,) = torch.autograd.grad(chosen, leaf, materialize_grads=True)
    return gradient
