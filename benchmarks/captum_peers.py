"""What Captum is asked to do, on batches of equal length, in the batch size that suits it best."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from captum.attr import LRP, DeepLift, InputXGradient, IntegratedGradients, Occlusion
from captum.attr._utils.lrp_rules import EpsilonRule
from torch import Tensor, nn
from torch.nn import functional

from benchmarks.modules import module
from benchmarks.timing import seconds
from benchmarks.workloads import Workload

# module, x [B, T, E], classes [B], rows per forward pass -> [B, T, E]
Attribution = Callable[[nn.Module, Tensor, Tensor, int], Tensor]


def input_x_gradient(peer: nn.Module, x: Tensor, k: Tensor, batch: int) -> Tensor:
    return InputXGradient(peer).attribute(x, target=k)


def integrated_gradients(peer: nn.Module, x: Tensor, k: Tensor, batch: int) -> Tensor:
    """50 steps from zero vectors, riemann_right: the paper's sum."""
    return IntegratedGradients(peer).attribute(
        x, target=k, n_steps=50, method="riemann_right", internal_batch_size=max(batch, len(x))
    )


def occlusion(*sizes: int) -> Attribution:
    def attribute(peer: nn.Module, x: Tensor, k: Tensor, batch: int) -> Tensor:
        per_size = [
            Occlusion(peer).attribute(
                x,
                sliding_window_shapes=(size, x.shape[2]),
                strides=(1, x.shape[2]),
                target=k,
                perturbations_per_eval=max(1, batch // len(x)),
            )
            for size in sizes
            if size <= x.shape[1]
        ]
        return torch.stack(per_size).sum(0)[..., :1]  # the same at every dimension of a word

    return attribute


def lrp(peer: nn.Module, x: Tensor, k: Tensor, batch: int) -> Tensor:
    """Captum has no rule for Conv1d: the epsilon rule is set on every layer by hand."""
    for layer in peer.children():
        if not isinstance(layer, nn.ReLU):
            layer.rule = EpsilonRule(1e-3)  # type: ignore[assignment]
    return LRP(peer).attribute(x, target=k)


def deep_lift(peer: nn.Module, x: Tensor, k: Tensor, batch: int) -> Tensor:
    return DeepLift(peer).attribute(x, target=k)


@dataclass(frozen=True)
class Group:
    """Texts of equal length, ids [B, T], the torch module that reads them, and the texts' numbers."""

    peer: nn.Module
    ids: Tensor
    rows: list[int]


class Peer:
    """One of these attributions over a workload, of the class that the torch module predicts.

    As ours it begins with words, though as ids in a tensor: they are looked up in the embedding, and a forward pass
    tells the class. ``batches``: rows per forward pass, of which the fastest is taken.
    """

    def __init__(self, workload: Workload, attribute: Attribution, batches: Sequence[int]) -> None:
        self.attribute, self.embedding = attribute, workload.network.embedding
        self.groups = [Group(module(workload.network, ids.shape[1]), ids, rows) for ids, rows in workload.equal]
        self.batch = min(batches, key=self._seconds) if len(batches) > 1 else batches[0]

    def __call__(self) -> list[Tensor]:
        return [self._explain(group, self.batch) for group in self.groups]

    def by_document(self) -> dict[int, Tensor]:
        """Relevances summed over embedding dimensions, [T] each, by number of the text."""
        pairs = zip(self.groups, self(), strict=True)
        return {row: phi.sum(-1) for group, all_phi in pairs for row, phi in zip(group.rows, all_phi, strict=True)}

    def _explain(self, group: Group, batch: int) -> Tensor:
        parts = group.ids.split(batch)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return torch.cat([self._attribute(group.peer, ids, batch) for ids in parts])

    def _attribute(self, peer: nn.Module, ids: Tensor, batch: int) -> Tensor:
        x = functional.embedding(ids, self.embedding)
        with torch.no_grad():
            predicted = peer(x).argmax(1)
        return self.attribute(peer, x.requires_grad_(True), predicted, batch).detach()

    def _seconds(self, batch: int) -> float:
        """Of the texts of middle length, after a first text that warms up."""
        group = self.groups[len(self.groups) // 2]
        self._explain(Group(group.peer, group.ids[:1], group.rows[:1]), batch)
        return seconds(lambda: self._explain(group, batch))
