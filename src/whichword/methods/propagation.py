"""Cell decomposition (section 3.4), epsilon LRP (3.2) and DeepLIFT (3.3): what flows back through a network.

LRP and DeepLIFT are one backward pass under other rules. The account of LRP is the same pass, with every constant as a
leaf. Parts of LRP are covered by patents; leave ``lrp`` out of a run where that matters.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from whichword.base.lazy import Tensor, torch
from whichword.errors import InputError
from whichword.explanation import Account
from whichword.methods.method import METHODS, Answer, Method, Questions
from whichword.model import TRACE, Batch, Model, Reading, Ruled, Trace, Traced, by_word

if TYPE_CHECKING:
    from whichword.rules import Ledger, Relevance

READOUTS = ("literal", "rescale")  # of DeepLIFT's tanh(c) in an LSTM
ATTENTION = ("weight", "attnlrp")  # what softmax(QK) is to LRP: a weight, or a product of neurons


@METHODS.register("decomp")
@dataclass(frozen=True)
class Decomposition(Method):
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
    """Compute nl(t) - nl(t-1), [B, T]."""
    surviving = trace.carry.following_product() * trace.memory.filled().data  # padding may hold anything
    read = surviving if trace.out is None else trace.out[:, None] * torch.tanh(surviving)
    load = (read * trace.w[:, None]).sum(-1)
    return torch.diff(load, dim=1, prepend=torch.zeros_like(load[:, :1]))


def _check_epsilon(eps: float) -> None:
    if not 0.0 < eps < float("inf"):  # at 0 a node that sums to 0 would divide by it
        raise InputError(f"eps must be a positive number, not {eps}")


@METHODS.register("lrp")
@dataclass(frozen=True)
class LRP(Method):
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
        if self.attention != "weight" and not model.has_attention:  # it would be lrp under a second name
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
class DeepLIFT(Method):
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
    """Compute phi(t, k, X), [B, T], by the model's faster way where it has one, by the prediction's pass if kept."""
    fast, batch = model.fast, questions.batch
    if fast is not None and fast.relevance is not None:
        return fast.relevance(batch, questions.targets, rules)
    waiting = _waiting(model, batch, rules)
    return (waiting.pop() if waiting else open_pass(model, batch, rules)).answer(batch, questions.targets)


def relevance(model: Ruled, batch: Batch, k: Tensor, rules: Relevance) -> Answer:
    """Compute the plain way: input x gradient of s_k under ``rules``; the input is e, or e - e_ref (DeepLIFT)."""
    return open_pass(model, batch, rules).answer(batch, k)


@dataclass(frozen=True, eq=False)
class OpenPass:
    """A pass under rules that waits for the class to go back from: s [B, K], and the input of G(e), [B, P, E]."""

    leaf: Tensor
    s: Tensor
    difference: Tensor

    def answer(self, batch: Batch, k: Tensor) -> Answer:
        """Go back, once: phi(t) = sum_d R(e_(t,d)) with R(e) = (e - e_ref) G(e), from R = s_k."""
        with torch.enable_grad():
            chosen = self.s.gather(1, k[:, None]).sum()  # the sum's gradient is each row's own: rows do not meet
        (gradient,) = torch.autograd.grad(chosen, self.leaf, materialize_grads=True)
        words, rest = by_word((gradient * self.difference).sum(-1), batch)
        return Answer(words, rest=rest)


def open_pass(model: Ruled, batch: Batch, rules: Relevance) -> OpenPass:
    """Open a pass; the reference has zero vectors for all words, and pieces outside the text are as they are."""
    e = model.embed(batch).detach()
    reference = torch.where((batch.word_of >= 0)[..., None], 0.0, e)
    noted = against(model, reference, batch, rules)
    with torch.enable_grad():
        leaf = e.clone().requires_grad_(True)
        s = model.forward(leaf, batch, noted)  # its values are those of the ordinary pass
    if noted.reference is not None:  # DeepLIFT: both passes have to go through the same places
        noted.reference.check_used_up()
    return OpenPass(leaf, s, e - reference if rules.paired else e)


def predicted_by_pass(model: Ruled, batch: Batch) -> Tensor | None:
    """Predict s by the one pass under rules that methods will ask for, kept for them; None: none will, or several.

    Rules change nothing but the way back, so the prediction needs no pass of its own. Among several methods one pass
    more does not matter, and what is needed to go back is not kept through the others.
    """
    from whichword.rules import Relevance

    if len(batch.expected) != 1 or not isinstance(batch.expected[0], Relevance):
        return None
    opened = open_pass(model, batch, batch.expected[0])
    _waiting(model, batch, batch.expected[0]).append(opened)
    return opened.s.detach()


def _waiting(model: Ruled, batch: Batch, rules: Relevance) -> list[OpenPass]:
    """List the passes of this batch that are still open, one at most; the list is the batch's own."""
    passes: list[OpenPass] = batch.once((id(model), rules), list)
    return passes


def against(model: Ruled, reference: Tensor, batch: Batch, rules: Relevance) -> Relevance:
    """Complete the rules by the reference pass, where they take differences to it."""
    from whichword.rules import Reference

    if not rules.paired:
        return rules
    notes = Reference()
    with torch.enable_grad():  # a model may tell what depends on the words by its having a gradient
        model.forward(reference.clone().requires_grad_(True), batch, notes)
    return replace(rules, reference=notes)


def account_of(model: Model, reading: Reading, k: int, spelling: str) -> Account:
    """Account for s_k of one document under the method ``spelling``: ``lrp`` with any settings."""
    from whichword.rules import Ledger, Relevance

    label, method = METHODS.resolve(spelling)
    if not isinstance(method, LRP):
        raise InputError(f"{label} keeps no account: only lrp shares the whole score out")
    reason = method.refuses(model) if isinstance(model, Ruled) else Ruled.lacking
    if not isinstance(model, Ruled) or reason is not None:
        raise InputError(f"{label} is not defined for {model.about.name}: {reason}")
    ledger = Ledger()
    rules = Relevance(method.eps, attention=method.attention, ledger=ledger)
    return _account(model, Batch.of([reading], model.about.device), k, rules, ledger)


def _account(model: Ruled, batch: Batch, k: int, rules: Relevance, ledger: Ledger) -> Account:
    with torch.enable_grad():
        e = model.embed(batch).detach().requires_grad_(True)
        s = _passed(model, e, batch, rules, ledger)[0, k]
    leaves = [e, *ledger.constants]
    gradients = torch.autograd.grad(s, leaves, allow_unused=True, materialize_grads=True)
    of_pieces, *of_constants = (_share(leaf, slope) for leaf, slope in zip(leaves, gradients, strict=True))
    words = batch.word_of >= 0
    return Account(
        score=float(s.detach()),
        words=_total(of_pieces.sum(-1)[words]),
        specials=_total(of_pieces.sum(-1)[~words]),
        constants=sum(map(_total, of_constants)) + ledger.offsets,
        epsilon=ledger.epsilon,
        softmax=ledger.softmax,
        decisions=dict(ledger.decisions),
    )


def _passed(model: Ruled, e: Tensor, batch: Batch, rules: Relevance, ledger: Ledger) -> Tensor:
    """Compute s; a network that is written in the words of `rules` has its constants as parameters: the vectors."""
    if not isinstance(model, torch.nn.Module):
        return model.forward(e, batch, rules)
    biases = {name: ledger.constant(value) for name, value in model.named_parameters() if value.dim() == 1}
    s: Tensor = torch.func.functional_call(model, biases, (e, batch, rules))
    return s


def _share(leaf: Tensor, slope: Tensor) -> Tensor:
    """Compute c . G(c); a constant of minus infinity hides a score, and has no share."""
    return torch.where(slope == 0, 0.0, leaf.detach() * slope)


def _total(values: Tensor) -> float:
    return float(values.double().sum())  # in double, so that the account's gap is the pass's rounding alone
