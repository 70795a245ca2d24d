"""Attention weights as relevances: what many show, and what a game can judge like anything else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar

from whichword.base.lazy import Tensor, torch
from whichword.errors import InputError
from whichword.extras.contestants.peer import FAMILY
from whichword.methods.method import METHODS, Answer, Questions
from whichword.methods.propagation import ATTENTION
from whichword.model import Batch, Ruled, by_word

NONE = "it has no attention from piece to piece"


class AttentionMaps(ABC):
    """Takes one document at a time; ``maps`` are mean weights over heads, layer by layer, each [P, P]."""

    needs: ClassVar[type] = Ruled
    one_by_one: ClassVar[bool] = True

    def refuses(self, model: Ruled) -> str | None:
        if not model.has_attention:
            return NONE
        if all(model.without_rule(setting) for setting in ATTENTION):
            return model.without_rule()
        probe = getattr(model, "probe", None)
        return NONE if probe is not None and not attentions(model, probe()) else None

    def explain(self, model: Ruled, questions: Questions) -> Answer:
        maps = attentions(model, questions.batch)
        if not maps:
            raise InputError(NONE)
        weights = reading_row(self.joined(maps), questions.batch)
        words, outside = by_word(weights[None], questions.batch)
        return Answer(words, rest=outside)

    @abstractmethod
    def joined(self, maps: list[Tensor]) -> Tensor:
        """One map of all layers, [P, P]."""


def attentions(model: Ruled, batch: Batch) -> list[Tensor]:
    """softmax(q k^T) of every layer, mean over heads, for a batch of one document."""
    from whichword.rules import Ledger, Relevance

    ledger = Ledger(weights=[])
    setting = next(setting for setting in ATTENTION if model.without_rule(setting) is None)
    with torch.enable_grad():  # rules see what depends on the words by its having a gradient
        e = model.embed(batch).detach().requires_grad_(True)
        model.forward(e, batch, Relevance(ledger=ledger, attention=setting))
    size = e.shape[1]
    maps = [weights.detach() for weights in ledger.weights or [] if weights.shape[-2:] == (size, size)]
    return [weights.reshape(-1, size, size).mean(0) for weights in maps if weights.dim() > 2]


def reading_row(map_: Tensor, batch: Batch) -> Tensor:
    """The row of the piece that the classifier reads, [P].

    A causal model reads its last piece, one that begins with a special piece that; of others nobody knows: the mean.
    """
    if len(map_) > 1 and not bool(map_.triu(1).any()):
        return map_[-1]
    return map_[0] if int(batch.word_of[0, 0]) < 0 else map_.mean(0)


@METHODS.register("attention_last", family=FAMILY)
@dataclass(frozen=True)
class AttentionLast(AttentionMaps):
    """phi(t) = the last layer's attention from the piece that is read to the pieces of word t, mean over heads."""

    def joined(self, maps: list[Tensor]) -> Tensor:
        return maps[-1]


@METHODS.register("attention_rollout", family=FAMILY)
@dataclass(frozen=True)
class AttentionRollout(AttentionMaps):
    """Attention rollout (Abnar and Zuidema 2020): the product over layers of (A + 1)/2, its rows adding up to 1."""

    def joined(self, maps: list[Tensor]) -> Tensor:
        identity = torch.eye(len(maps[0]), dtype=maps[0].dtype, device=maps[0].device)
        return reduce(lambda below, weights: (weights + identity) / 2 @ below, maps, identity)
