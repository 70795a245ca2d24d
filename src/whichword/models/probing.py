"""A first look at a module, on a short text: does it have attention, and is a rule missing for what it computes?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import torch

from whichword.errors import InputError
from whichword.model import Batch, Ruled
from whichword.operations.walls import NoRuleError
from whichword.rules import Ledger, Relevance

SETTINGS = ("weight", "attnlrp")


@dataclass(frozen=True)
class FirstLook:
    """``refusals``: why there is no relevance, for what attention weights are taken to be."""

    attention: bool = False
    refusals: Mapping[str, str] = field(default_factory=dict)


def first_look(model: Ruled, batch: Batch) -> FirstLook:
    """A module that cannot read the short text tells nothing: what is amiss will show on the user's texts."""
    refusals: dict[str, str] = {}
    ledger = Ledger()
    try:
        for attention in SETTINGS:
            try:
                _go_back(model, batch, Relevance(ledger=ledger, attention=attention))
            except NoRuleError as refusal:
                refusals[attention] = str(refusal)
    except InputError:
        return FirstLook(ledger.attention)
    return FirstLook(ledger.attention, refusals)


def _go_back(model: Ruled, batch: Batch, rules: Relevance) -> None:
    with torch.enable_grad():
        e = model.embed(batch).requires_grad_(True)
        s = model.forward(e, batch, rules)
    torch.autograd.grad(s.sum(), e)
