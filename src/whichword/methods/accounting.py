"""The account of LRP, computed on request: the same backward pass, with every constant as a leaf."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whichword.base.lazy import Tensor, torch
from whichword.errors import InputError
from whichword.explanation import Account
from whichword.methods.method import METHODS
from whichword.methods.propagation import LRP
from whichword.model import Batch, Model, Reading, Ruled

if TYPE_CHECKING:
    from whichword.rules import Ledger, Relevance


def account_of(model: Model, reading: Reading, k: int, spelling: str) -> Account:
    """Where s_k of one document went under the method ``spelling``: ``lrp`` with any settings."""
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
    """s; a network that is written in the words of `rules` has its constants among its parameters: the vectors."""
    if not isinstance(model, torch.nn.Module):
        return model.forward(e, batch, rules)
    biases = {name: ledger.constant(value) for name, value in model.named_parameters() if value.dim() == 1}
    s: Tensor = torch.func.functional_call(model, biases, (e, batch, rules))
    return s


def _share(leaf: Tensor, slope: Tensor) -> Tensor:
    """c . G(c); a constant of minus infinity hides a score, and has no share."""
    return torch.where(slope == 0, 0.0, leaf.detach() * slope)


def _total(values: Tensor) -> float:
    return float(values.double().sum())
