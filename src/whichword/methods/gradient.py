"""The eight gradient methods (section 3.1): simple or integrated, of s or p, L2 norm or dot product."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import ClassVar

from whichword.base.lazy import Tensor, torch
from whichword.errors import InputError
from whichword.methods.method import METHODS, Answer, Method, Questions
from whichword.model import GRADIENT, INTEGRAL, OUTPUTS, Batch, Differentiable, GradientKind, by_word
from whichword.registry import fixed

TOGETHER = 1024  # pieces times points in one pass: enough to fill a matrix product


@dataclass(frozen=True)
class Gradient(Method):
    """grad_1 = d o(k, X) / d e_t, or its mean over X * m/M, m = 1..M (baseline: zero vectors).

    ``steps`` is M; ``output`` is o: the score s or the probability p; ``reduction`` makes one number of each vector.
    """

    needs: ClassVar[type] = Differentiable

    output: str = fixed()
    reduction: str = fixed()
    integrated: bool = fixed()
    steps: int = 50

    @staticmethod
    def words(methods: Sequence["Gradient"], length: int) -> int:
        """The eight share their passes; forward and backward count three."""
        return 3 * max(method.steps if method.integrated else 1 for method in methods) * length

    def __post_init__(self) -> None:
        if self.steps < 1:
            raise InputError(f"steps must be at least 1, not {self.steps}")

    @property
    def expects(self) -> str:
        """The pass that it needs: the prediction's own for a simple gradient; an integral has passes of its own."""
        return INTEGRAL if self.integrated else GRADIENT

    @property
    def shares(self) -> int:
        """The points, each with one forward pass for all; a simple gradient has one, and waits for no integral."""
        return self.steps if self.integrated else 1

    @property
    def adds_up(self) -> bool:
        """Whether the words share out o(k, X) - o(k, zero vectors), up to the steps."""
        return self.integrated and self.reduction == "dot"

    @property
    def kind(self) -> GradientKind:
        """What it takes from a pass over all points."""
        return GradientKind(self.integrated, self.output, self.reduction)

    def explain(self, model: Differentiable, questions: Questions) -> Answer | Tensor:
        return self.together(model, questions, [self])[0]

    @staticmethod
    def together(model: Differentiable, questions: Questions, methods: Sequence["Gradient"]) -> list[Answer | Tensor]:
        """Answer all eight from M passes: each serves s and p, and the last point of any integral is grad_1."""
        fast = model.fast
        integrate_ = partial(integrate, model) if fast is None or fast.integrate is None else fast.integrate
        points = sorted({method.steps for method in methods if method.integrated}) or [1]
        answers: dict[tuple[int, GradientKind], Answer | Tensor] = {}  # by number of points
        for steps in points:
            kinds = {m.kind for m in methods if (m.steps if m.integrated else points[0]) == steps}
            integrals: Mapping[GradientKind, Answer | Tensor] = integrate_(
                questions.batch, questions.targets, steps, sorted(kinds)
            )
            answers |= {(steps, kind): integral for kind, integral in integrals.items()}
        return [answers[m.steps if m.integrated else points[0], m.kind] for m in methods]


def _norm(gradient: Tensor, e: Tensor, batch: Batch) -> Answer:
    """Compute ||grad(e_t)||, over all pieces of a word: the root of the summed squares."""
    if batch.word is None:
        return Answer(gradient.norm(dim=-1))
    words, rest = by_word(gradient.square().sum(-1), batch)
    return Answer(words.sqrt(), rest=None if rest is None else rest.sqrt())


def _dot(gradient: Tensor, e: Tensor, batch: Batch) -> Answer:
    """Compute e_t . grad(e_t), summed over the pieces of a word."""
    words, rest = by_word((gradient * e).sum(-1), batch)
    return Answer(words, rest=rest)


REDUCTIONS = {"l2": _norm, "dot": _dot}


def integrate(
    model: Differentiable, batch: Batch, k: Tensor, steps: int, kinds: Sequence[GradientKind]
) -> dict[GradientKind, Answer]:
    """Integrate the plain way, which defines the methods: autograd at every point X * m/M, m = 1..M.

    Words are scaled; pieces outside the text stay as they are at every point: they are their own baseline, and nothing
    of the difference that an integral shares out is theirs. A few points go together where documents are few.
    """
    e = model.embed(batch).detach()
    outputs = sorted({kind.output for kind in kinds})
    first = 1 if any(kind.integrated for kind in kinds) else steps  # simple gradients are at the last point alone
    scales = torch.arange(first, steps + 1, dtype=torch.float64) / steps
    sums = {output: torch.zeros_like(e) for output in outputs}
    ends = sums
    for part in torch.split(scales, max(1, TOGETHER // max(1, e.shape[0] * e.shape[1]))):
        at_points = _at_points(model, e, batch, k, part, outputs)
        ends = {output: gradient[-1] for output, gradient in at_points.items()}  # the last part holds X itself
        sums = {output: sums[output] + gradient.sum(0) for output, gradient in at_points.items()}
    means = {output: total / steps for output, total in sums.items()}
    from_baseline = torch.where((batch.word_of >= 0)[..., None], e, 0.0)  # [B, P, E]: what a path of words goes through
    return {
        kind: REDUCTIONS[kind.reduction](means[kind.output], from_baseline, batch)
        if kind.integrated
        else REDUCTIONS[kind.reduction](ends[kind.output], e, batch)
        for kind in kinds
    }


def _at_points(
    model: Differentiable, e: Tensor, batch: Batch, k: Tensor, scales: Tensor, outputs: Sequence[str]
) -> dict[str, Tensor]:
    """Compute gradients where the words are scaled by each of ``scales`` [M], [M, B, P, E]."""
    words, M = (batch.word_of >= 0)[..., None], len(scales)
    scaled = torch.where(words, e * scales.to(e)[:, None, None, None], e)
    if M == 1:  # `pick` would lose what the batch keeps of the prediction's pass
        return {output: gradient[None] for output, gradient in gradients(model, scaled[0], batch, k, outputs).items()}
    rows = torch.arange(len(batch), device=k.device).repeat(M)  # points outermost, as in `scaled`
    gradient = gradients(model, scaled.flatten(0, 1), batch.pick(rows), k.repeat(M), outputs)
    return {output: values.view(M, -1, *values.shape[1:]) for output, values in gradient.items()}


def gradients(
    model: Differentiable, e: Tensor, batch: Batch, k: Tensor, outputs: Sequence[str] = OUTPUTS
) -> dict[str, Tensor]:
    """Compute d s_k / d e and d p_k / d e from one forward pass: d o_k = sum_j (d o_k / d s_j) d s_j."""
    from whichword.rules import SEEDS  # loads torch, which the names of methods do not need

    with torch.enable_grad():
        leaf = e.clone().requires_grad_(True)  # a leaf of its own: the model's vectors get no gradient
        s = model.forward(leaf, batch)
    one_hot = torch.nn.functional.one_hot(k, s.shape[1]).to(s.dtype)
    back: dict[str, Tensor] = {}
    for output in outputs:
        seed, more = SEEDS[output](s.detach(), one_hot), len(back) + 1 < len(outputs)
        (back[output],) = torch.autograd.grad(s, leaf, seed, retain_graph=more, materialize_grads=True)
    return back


for _reduction, _points, _output in product(REDUCTIONS, ("1", "int"), OUTPUTS):
    METHODS.register(f"grad_{_points}_{_output}_{_reduction}", Gradient(_output, _reduction, _points == "int"))
