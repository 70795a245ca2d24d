"""Gradients and relevances by encoders that go back on their own, without autograd.

One forward pass at all points alpha_m X and one backward pass with two seeds serve s and p, since
d p_k = J^T [p_k (w_k - sum_j p_j w_j)]. Gradients are summed over the points before they are lifted to embeddings, and
dot products need no lifting: e_t . V^T d = (V e_t) . d.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from whichword.base import kernels
from whichword.model import GradientKind
from whichword.networks.fast.cells import CompiledPasses
from whichword.networks.fast.recurrent import RecurrentWords
from whichword.networks.fast.way import Embedded, Opened, Projected, Way
from whichword.rules import PLAIN, SEEDS, Relevance, Rules
from whichword.sequences import Sequences, batches

FEWEST = 4  # points at a time, however long the document: every turn makes and adds up gradients of all its words


@dataclass(frozen=True)
class Pullback:
    """Ways through the encoders, one per direction, under the read-out s = w h + b."""

    ways: Sequence[Way]
    w: Tensor
    b: Tensor

    @torch.no_grad()
    def integrate(
        self, x: Embedded, k: Tensor, steps: int, kinds: Sequence[GradientKind]
    ) -> dict[GradientKind, Tensor]:
        """Reduce gradients of s_k or p_k at X * m/M, m = 1..M, to one number per word; [B, T] each."""
        if self._fits(x, steps):
            return self._integrate(x, k, steps, kinds)
        values = {kind: x.data.new_zeros(x.data.shape[:2]) for kind in kinds}
        for rows, part in self._parts(x, steps):
            for kind, reduced in self._integrate(part, k[rows], steps, kinds).items():
                values[kind][rows, : part.width] = reduced
        return values

    @torch.no_grad()
    def relevance(self, x: Embedded, k: Tensor, rules: Relevance) -> Tensor:
        """Compute phi(t) of LRP, or of DeepLIFT where ``rules`` are paired; [B, T]."""
        if self._fits(x, 1):
            return self._relevance(x, k, rules)
        phi = x.data.new_zeros(x.data.shape[:2])
        for rows, part in self._parts(x, 1):
            phi[rows, : part.width] = self._relevance(part, k[rows], rules)
        return phi

    def _parts(self, x: Embedded, points: int) -> Iterator[tuple[Tensor, Embedded]]:
        """Yield rows with words, few enough at a time for the encoders."""
        for group in batches(x.lengths.tolist(), self._most(points)):
            rows = torch.as_tensor(group, device=x.data.device)
            part = x.pick(rows)
            if part.width:
                yield rows, part

    def _fits(self, x: Embedded, points: int) -> bool:
        """Tell whether all documents can be gone through at once."""
        return 0 < len(x) * x.width <= self._most(points)

    def _most(self, points: int) -> int:
        """Return how many words fit at a time."""
        return min(self._capacity // points, *(way.batch for way in self.ways))

    @property
    def _capacity(self) -> int:
        return min(way.capacity for way in self.ways)

    def _opened(self, x: Embedded, rules: Rules) -> list[Opened]:
        return [
            way.opened(reading, rules) for way, reading in zip(self.ways, _readings(x, len(self.ways)), strict=True)
        ]

    def _project(self, x: Embedded) -> list[Projected]:
        return [way.project(reading) for way, reading in zip(self.ways, _readings(x, len(self.ways)), strict=True)]

    def _integrate(
        self, x: Embedded, k: Tensor, steps: int, kinds: Sequence[GradientKind]
    ) -> dict[GradientKind, Tensor]:
        words = self._project(x)
        outputs = sorted({kind.output for kind in kinds})
        if steps == 1 and any(kind.reduction == "l2" for kind in kinds):  # norms take gradients in e anyway
            reduced = lengths_and_dots(self._lifted(words, x, k, outputs), x)
            return {kind: reduced[kind.reduction][0, outputs.index(kind.output)] for kind in kinds}
        pulled = self._pull(words, x, k, steps, outputs)
        values: dict[GradientKind, Tensor] = {}
        for integrated in {kind.integrated for kind in kinds}:  # one after the other: gradients in e are large
            alike = [kind for kind in kinds if kind.integrated == integrated]
            reduced = _reduced(words, pulled[integrated], x, {kind.reduction for kind in alike})
            points = steps if integrated else 1
            values |= {kind: reduced[kind.reduction][0, outputs.index(kind.output)] / points for kind in alike}
        return values

    def _lifted(self, words: list[Projected], x: Embedded, k: Tensor, outputs: Sequence[str]) -> Tensor:
        """Compute gradients in e at the documents themselves, [1, S, B, T, E]."""
        passes = self._opened(x, PLAIN)
        ways = zip(words, passes, self._halves(passes, k, outputs), strict=True)
        return _added([_lifted(projected, opened, seeds) for projected, opened, seeds in ways], x)

    def _pull(
        self, words: list[Projected], x: Embedded, k: Tensor, steps: int, outputs: Sequence[str]
    ) -> dict[bool, list[Tensor]]:
        """Return each direction's gradients [1, S, ...]: True their sum over the points, False those of the last point.

        As many points at a time as the encoders can hold; a simple gradient has one, the documents themselves.
        """
        if steps == 1:
            pulled = self._back(self._opened(x, PLAIN), k, outputs)
            return {True: [gradients[:1] for gradients in pulled], False: [gradients[1:] for gradients in pulled]}
        scales = (torch.arange(1, steps + 1, dtype=torch.float64) / steps).to(x.data)  # m/M, rounded once
        sums: list[Tensor] = []
        pulled = []
        for points in torch.split(scales, max(FEWEST, self._capacity // max(1, len(x) * x.width))):
            pulled.clear()  # before there are the next ones
            last = bool(points[-1] == 1.0)  # a point's own gradients are large, and asked for only there
            pulled += self._back([projected.open(points, PLAIN) for projected in words], k, outputs, last)
            sums = [a.add_(b[:1]) for a, b in zip(sums, pulled, strict=True)] if sums else [b[:1] for b in pulled]
        return {True: sums, False: [gradients[1:] for gradients in pulled]}

    def _back(self, passes: list[Opened], k: Tensor, outputs: Sequence[str], last: bool = True) -> list[Tensor]:
        """Compute each direction's gradients [2, S, ...] at some of the points, the ``last`` among them or not."""
        halves = self._halves(passes, k, outputs)
        return [opened.pull(seeds, last) for opened, seeds in zip(passes, halves, strict=True)]

    def _halves(self, passes: list[Opened], k: Tensor, outputs: Sequence[str]) -> Sequence[Tensor]:
        """Split the seeds by direction, [M, S, B, H]."""
        seeds = self._seeds(torch.cat([opened.hidden for opened in passes], -1), k, outputs)
        return torch.split(seeds, [opened.hidden.shape[-1] for opened in passes], -1)

    def _seeds(self, hidden: Tensor, k: Tensor, outputs: Sequence[str]) -> Tensor:
        """Compute d o_k / d h at every point, [M, S, B, H], from h [M, B, H]."""
        s = functional.linear(hidden, self.w, self.b)
        one_hot = functional.one_hot(k, s.shape[-1]).to(s.dtype)
        return torch.stack([SEEDS[output](s, one_hot) @ self.w for output in outputs], 1)

    def _relevance(self, x: Embedded, k: Tensor, rules: Relevance) -> Tensor:
        words, passes = self._project(x), self._opened(x, rules)
        share = rules.share(self._readout(passes, k))
        halves = torch.split(share[:, None] * self.w[k], [opened.hidden.shape[-1] for opened in passes], -1)
        pulled = [opened.pull(half[None, None])[1:] for opened, half in zip(passes, halves, strict=True)]
        return _reduced(words, pulled, x, {"dot"})["dot"][0, 0]

    def _readout(self, passes: list[Opened], k: Tensor) -> Tensor:
        """Compute s_k, or its difference to the reference pass, [B]."""
        h = torch.cat([opened.hidden[0] for opened in passes], -1)
        references = [opened.reference for opened in passes if opened.reference is not None]
        if references:
            return ((h - torch.cat(references, -1)) * self.w[k]).sum(-1)
        return (h * self.w[k]).sum(-1) + self.b[k]


def _readings(x: Embedded, directions: int) -> list[Embedded]:
    return [x, x.reversed()] if directions > 1 else [x]


def _reduced(words: list[Projected], pulled: list[Tensor], x: Sequences, reductions: set[str]) -> dict[str, Tensor]:
    """Reduce the gradients in e to norms and dot products, [.., S, B, T]; only norms need them lifted."""
    pairs = list(zip(words, pulled, strict=True))
    if "l2" not in reductions:
        return {"dot": _added([projected.dot(gradient) for projected, gradient in pairs], x)}
    return lengths_and_dots(_added([projected.lift(gradient) for projected, gradient in pairs], x), x)


def lengths_and_dots(lifted: Tensor, x: Sequences) -> dict[str, Tensor]:
    """Compute norms and dot products of gradients in e [.., B, T, E]."""
    e = x.data
    if not kernels.usable(e):
        return {"l2": lifted.norm(dim=-1), "dot": (lifted * e).sum(-1)}
    lengths, dots = e.new_empty(2, *lifted.shape[:-1]).unbind()
    sizes = (lengths.numel() // max(1, len(x) * x.width), len(x) * x.width, e.shape[-1])  # gradients, words, E
    kernels.call("lengths_and_dots", e, *sizes, lifted.contiguous(), e.contiguous(), lengths, dots)
    return {"l2": lengths, "dot": dots}


def _lifted(projected: Projected, opened: Opened, seeds: Tensor) -> Tensor:
    """Compute gradients in e of one point, [1, S, B, T, E]; in one pass where the kernels can."""
    if isinstance(opened, CompiledPasses) and isinstance(projected, RecurrentWords):
        return opened.cell.lifted(opened.inputs, opened.states, seeds, projected.V)
    return projected.lift(opened.pull(seeds)[1:])


def _added(directions: list[Tensor], x: Sequences) -> Tensor:
    """Add the directions, [.., S, B, T, ..], the backward one turned into the document's order."""
    forward, *backward = directions
    for values in backward:
        turned = x.with_data(values.movedim((2, 3), (0, 1))).reversed()  # `reversed` wants [B, T, ..]
        forward = forward + turned.data.movedim((0, 1), (2, 3))
    return forward
