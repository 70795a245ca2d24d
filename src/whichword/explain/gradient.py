"""The eight gradient methods (section 3.1): simple or integrated, of s or p, L2 norm or dot product."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import torch
from torch import Tensor

from whichword.errors import InputError
from whichword.explain.method import METHODS, Answer, Questions
from whichword.networks import Model
from whichword.registry import fixed
from whichword.sequences import Sequences

OUTPUTS = ("s", "p")
REDUCTIONS = {
    "l2": lambda gradient, e: gradient.norm(dim=-1),  # ||grad(e_t)||
    "dot": lambda gradient, e: (gradient * e).sum(-1),  # e_t . grad(e_t)
}


@dataclass(frozen=True)
class Gradient:
    """grad_1 = d o(k, X) / d e_t, or its mean over X * m/M, m = 1..M (baseline: zero vectors).

    ``steps`` is M; ``output`` is o: the score s or the probability p; ``reduction`` makes one number of each vector.
    """

    output: str = fixed()
    reduction: str = fixed()
    integrated: bool = fixed()
    steps: int = 50

    def __post_init__(self) -> None:
        if self.steps < 1:
            raise InputError(f"steps must be at least 1, not {self.steps}")

    def explain(self, model: Model, questions: Questions) -> Answer | Tensor:
        return self.together(model, questions, [self])[0]

    @staticmethod
    def together(model: Model, questions: Questions, methods: Sequence["Gradient"]) -> list[Tensor]:
        """The last point of the integral is grad_1, and each forward pass serves s and p: M passes give all eight."""
        e = questions.ids.with_data(model.embed(questions.ids).data.detach())
        found: dict[Gradient, Tensor] = {}
        for steps in sorted({m.steps if m.integrated else 1 for m in methods}):
            means, ends = _integrate(model, e, questions.targets, steps)
            for method in methods:
                if (method.steps if method.integrated else 1) == steps:
                    chosen = (means if method.integrated else ends)[method.output]
                    found[method] = REDUCTIONS[method.reduction](chosen, e.data)
        return [found[method] for method in methods]


def _integrate(model: Model, e: Sequences, k: Tensor, steps: int) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Mean over m/M, m = 1..M, and the last term, for both outputs: [B, T, E]."""
    sums = {output: torch.zeros_like(e.data) for output in OUTPUTS}
    ends = sums
    for m in range(1, steps + 1):
        ends = gradients(model, e.with_data(e.data * (m / steps)), k)
        sums = {output: sums[output] + ends[output] for output in OUTPUTS}
    return {output: total / steps for output, total in sums.items()}, ends


def gradients(model: Model, e: Sequences, k: Tensor) -> dict[str, Tensor]:
    """d s_k / d e and d p_k / d e from one forward pass: d p_k = sum_j p_k (1[j = k] - p_j) d s_j."""
    with torch.enable_grad():
        leaf = e.data.clone().requires_grad_(True)
        s = model.score(e.with_data(leaf))
    one = torch.nn.functional.one_hot(k, s.shape[1]).to(s.dtype)
    p = s.detach().softmax(-1)
    p_k = (p * one).sum(-1, keepdim=True)
    seeds = {"s": one, "p": p_k * (one - p)}
    return {
        output: torch.autograd.grad(s, leaf, seed, retain_graph=output == "s", materialize_grads=True)[0]
        for output, seed in seeds.items()
    }


for _reduction, _kind, _output in product(REDUCTIONS, ("1", "int"), OUTPUTS):
    METHODS.register(f"grad_{_kind}_{_output}_{_reduction}", Gradient(_output, _reduction, _kind == "int"))
