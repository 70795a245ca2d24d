"""The eight gradient methods (section 3.1): simple or integrated, of s or p, L2 norm or dot product."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

import torch
from torch import Tensor

from whichword.errors import InputError
from whichword.methods.method import METHODS, Answer, Questions
from whichword.networks import Model
from whichword.networks.pullback import SEEDS, Wanted
from whichword.registry import fixed
from whichword.sequences import Sequences

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

    @property
    def wanted(self) -> Wanted:
        """What it asks of a pass over all points."""
        return Wanted(self.integrated, self.output, self.reduction)

    def explain(self, model: Model, questions: Questions) -> Answer | Tensor:
        return self.together(model, questions, [self])[0]

    @staticmethod
    def together(model: Model, questions: Questions, methods: Sequence["Gradient"]) -> list[Tensor]:
        """The last point of any integral is grad_1, and each forward pass serves s and p: M passes give all eight."""
        with torch.no_grad():
            e = model.embed(questions.ids)
        integrate_ = getattr(model, "integrate", None) or partial(integrate, model)
        points = sorted({method.steps for method in methods if method.integrated}) or [1]
        found: dict[tuple[int, Wanted], Tensor] = {}
        for steps in points:
            wanted = {m.wanted for m in methods if (m.steps if m.integrated else points[0]) == steps}
            answers = integrate_(e, questions.targets, steps, sorted(wanted))
            found |= {(steps, each): values for each, values in answers.items()}
        return [found[m.steps if m.integrated else points[0], m.wanted] for m in methods]


def integrate(model: Model, e: Sequences, k: Tensor, steps: int, wanted: Sequence[Wanted]) -> dict[Wanted, Tensor]:
    """The plain way, which defines the methods: autograd at every point X * m/M, m = 1..M."""
    sums = {output: torch.zeros_like(e.data) for output in SEEDS}
    ends = sums
    for m in range(1, steps + 1):
        ends = gradients(model, e.with_data(e.data * (m / steps)), k)
        sums = {output: sums[output] + ends[output] for output in SEEDS}
    means = {output: total / steps for output, total in sums.items()}
    return {
        each: REDUCTIONS[each.reduction]((means if each.integrated else ends)[each.output], e.data) for each in wanted
    }


def gradients(model: Model, e: Sequences, k: Tensor) -> dict[str, Tensor]:
    """d s_k / d e and d p_k / d e from one forward pass: d o_k = sum_j (d o_k / d s_j) d s_j."""
    with torch.enable_grad():
        leaf = e.data.clone().requires_grad_(True)
        s = model.score(e.with_data(leaf))
    one = torch.nn.functional.one_hot(k, s.shape[1]).to(s.dtype)
    return {
        output: torch.autograd.grad(s, leaf, seed(s.detach(), one), retain_graph=True, materialize_grads=True)[0]
        for output, seed in SEEDS.items()
    }


for _reduction, _kind, _output in product(REDUCTIONS, ("1", "int"), SEEDS):
    METHODS.register(f"grad_{_kind}_{_output}_{_reduction}", Gradient(_output, _reduction, _kind == "int"))
