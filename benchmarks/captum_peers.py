"""What Captum is asked to do, on batches of equal length, in the batch size that suits it best."""

import time
import warnings
from collections.abc import Callable, Sequence

import torch
from captum.attr import LRP, DeepLift, InputXGradient, IntegratedGradients, Occlusion
from captum.attr._utils.lrp_rules import EpsilonRule
from torch import Tensor, nn

from benchmarks.modules import module
from benchmarks.workloads import Workload

Attribution = Callable[[nn.Module, Tensor, Tensor, int], Tensor]  # module, x [B, T, E], classes, batch -> [B, T, E]


def input_x_gradient(peer: nn.Module, x: Tensor, k: Tensor, batch: int) -> Tensor:
    return InputXGradient(peer).attribute(x, target=k)


def integrated_gradients(peer: nn.Module, x: Tensor, k: Tensor, batch: int) -> Tensor:
    """50 steps from zero vectors, riemann_right: the paper's sum."""
    return IntegratedGradients(peer).attribute(
        x, target=k, n_steps=50, method="riemann_right", internal_batch_size=max(batch, len(x))
    )


def occlusion(*sizes: int) -> Attribution:
    def attribute(peer: nn.Module, x: Tensor, k: Tensor, batch: int) -> Tensor:
        found = [
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
        return torch.stack(found).sum(0)[..., :1]  # the same at every dimension of a word

    return attribute


def lrp(peer: nn.Module, x: Tensor, k: Tensor, batch: int) -> Tensor:
    """Captum has no rule for Conv1d: the epsilon rule is set on every layer by hand."""
    for layer in peer.children():
        if not isinstance(layer, nn.ReLU):
            layer.rule = EpsilonRule(1e-3)  # type: ignore[assignment]
    return LRP(peer).attribute(x, target=k)


def deep_lift(peer: nn.Module, x: Tensor, k: Tensor, batch: int) -> Tensor:
    return DeepLift(peer).attribute(x, target=k)


class Peer:
    """One of these attributions over a workload."""

    def __init__(self, workload: Workload, attribute: Attribution, batches: Sequence[int]) -> None:
        self.attribute = attribute
        self.asked = [(module(workload.network, x.shape[1]), x, k, rows) for x, k, rows in workload.equal]
        self.batch = min(batches, key=self._seconds) if len(batches) > 1 else batches[0]

    def __call__(self) -> list[Tensor]:
        return [self._ask(peer, x, k, self.batch) for peer, x, k, _ in self.asked]

    def by_document(self) -> dict[int, Tensor]:
        """Relevances summed over embedding dimensions, [T] each, by row of the workload."""
        pairs = zip(self.asked, self(), strict=True)
        return {
            row: values.sum(-1) for (_, _, _, rows), found in pairs for row, values in zip(rows, found, strict=True)
        }

    def _ask(self, peer: nn.Module, x: Tensor, k: Tensor, batch: int) -> Tensor:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.attribute(peer, x.clone().requires_grad_(True), k, batch).detach()

    def _seconds(self, batch: int) -> float:
        peer, x, k, _ = self.asked[len(self.asked) // 2]
        self._ask(peer, x[:1], k[:1], batch)
        start = time.process_time()
        self._ask(peer, x, k, batch)
        return time.process_time() - start
