"""Gradients and relevances by encoders that go back on their own (`Projecting`), without autograd.

One forward pass at all points alpha_m X and one backward pass with two seeds serve s and p, since
d p_k = J^T [p_k (w_k - sum_j p_j w_j)]. Gradients are summed over the points before they are lifted to embeddings, and
dot products need no lifting: e_t . V^T d = (V e_t) . d.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from whichword.networks.encoder import Opened, Projected, Projecting
from whichword.rules import PLAIN, Relevance
from whichword.sequences import Sequences, batches

FEWEST = 4  # points at a time, however long the document: every turn makes and adds up gradients of all its words


class Wanted(NamedTuple):
    """One gradient method: the mean over the points or the last one alone, of s or p, by norm or dot product."""

    integrated: bool
    output: str
    reduction: str


def _of_s(s: Tensor, one: Tensor) -> Tensor:
    """d s_k / d s_j = 1[j = k]."""
    return one.expand_as(s)


def _of_p(s: Tensor, one: Tensor) -> Tensor:
    """d p_k / d s_j = p_k (1[j = k] - p_j); 1 - p_k is the sum of the others, exact where p_k is nearly 1."""
    p = s.softmax(-1)
    others = p * (1.0 - one)
    return (p * one).sum(-1, keepdim=True) * (one * others.sum(-1, keepdim=True) - others)


SEEDS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {"s": _of_s, "p": _of_p}


@dataclass(frozen=True)
class Pullback:
    """Encoders, one a direction, under the read-out s = w h + b."""

    encoders: Sequence[Projecting]
    w: Tensor
    b: Tensor

    @torch.no_grad()
    def integrate(self, x: Sequences, k: Tensor, steps: int, wanted: Sequence[Wanted]) -> dict[Wanted, Tensor]:
        """Gradients of s_k or p_k at X * m/M, m = 1..M, reduced to one number a word; [B, T] each."""
        found = {each: x.data.new_zeros(x.data.shape[:2]) for each in wanted}
        for rows, part in self._parts(x, steps):
            for each, values in self._integrate(part, k[rows], steps, wanted).items():
                found[each][rows, : part.width] = values
        return found

    @torch.no_grad()
    def relevance(self, x: Sequences, k: Tensor, rules: Relevance) -> Tensor:
        """phi(t) of LRP, or of DeepLIFT where ``rules`` are paired; [B, T]."""
        found = x.data.new_zeros(x.data.shape[:2])
        for rows, part in self._parts(x, 1):
            found[rows, : part.width] = self._relevance(part, k[rows], rules)
        return found

    def _parts(self, x: Sequences, points: int) -> Iterator[tuple[Tensor, Sequences]]:
        """Rows with words, few enough at a time for the encoders."""
        budget = min(self._capacity // points, *(encoder.batch for encoder in self.encoders))
        if 0 < len(x) * x.width <= budget:  # all at once, where they are
            yield torch.arange(len(x), device=x.data.device), x.filled()
            return
        for group in batches(x.lengths.tolist(), budget):
            rows = torch.as_tensor(group, device=x.data.device)
            part = x.pick(rows)
            if part.width:
                yield rows, part.filled()

    @property
    def _capacity(self) -> int:
        return min(encoder.capacity for encoder in self.encoders)

    def _project(self, x: Sequences) -> list[Projected]:
        readings = [x, x.reversed()] if len(self.encoders) > 1 else [x]
        return [encoder.project(reading) for encoder, reading in zip(self.encoders, readings, strict=True)]

    def _integrate(self, x: Sequences, k: Tensor, steps: int, wanted: Sequence[Wanted]) -> dict[Wanted, Tensor]:
        words = self._project(x)
        outputs = sorted({each.output for each in wanted})
        pulled = self._pull(words, x, k, steps, outputs)
        found: dict[Wanted, Tensor] = {}
        for integrated in {each.integrated for each in wanted}:  # one after the other: gradients in e are large
            some = [each for each in wanted if each.integrated == integrated]
            reduced = _reduced(words, pulled[integrated], x, {each.reduction for each in some})
            points = steps if integrated else 1
            found |= {each: reduced[each.reduction][0, outputs.index(each.output)] / points for each in some}
        return found

    def _pull(
        self, words: list[Projected], x: Sequences, k: Tensor, steps: int, outputs: Sequence[str]
    ) -> dict[bool, list[Tensor]]:
        """Each direction's gradients [1, S, ...]: True their sum over the points, False those of the last point.

        As many points at a time as the encoders can hold.
        """
        scales = (torch.arange(1, steps + 1, dtype=torch.float64) / steps).to(x.data)
        sums: list[Tensor] = []
        pulled: list[Tensor] = []
        for some in torch.split(scales, max(FEWEST, self._capacity // max(1, len(x) * x.width))):
            pulled.clear()  # before there are the next ones
            pulled += self._points(words, k, some, outputs)
            sums = [a.add_(b[:1]) for a, b in zip(sums, pulled, strict=True)] if sums else [each[:1] for each in pulled]
        return {True: sums, False: [each[1:] for each in pulled]}

    def _points(self, words: list[Projected], k: Tensor, scales: Tensor, outputs: Sequence[str]) -> list[Tensor]:
        """Each direction's gradients [2, S, ...] at some of the points."""
        opened = [each.open(scales, PLAIN) for each in words]
        seeds = self._seeds(torch.cat([each.hidden for each in opened], -1), k, outputs)
        halves = torch.split(seeds, [each.hidden.shape[-1] for each in opened], -1)
        return [each.pull(half) for each, half in zip(opened, halves, strict=True)]

    def _seeds(self, hidden: Tensor, k: Tensor, outputs: Sequence[str]) -> Tensor:
        """d o_k / d h at every point, [M, S, B, H], from h [M, B, H]."""
        s = functional.linear(hidden, self.w, self.b)
        one = functional.one_hot(k, s.shape[-1]).to(s.dtype)
        return torch.stack([SEEDS[output](s, one) @ self.w for output in outputs], 1)

    def _relevance(self, x: Sequences, k: Tensor, rules: Relevance) -> Tensor:
        words = self._project(x)
        opened = [each.open(x.data.new_ones(1), rules) for each in words]
        share = rules.share(self._readout(opened, k))
        halves = torch.split(share[:, None] * self.w[k], [each.hidden.shape[-1] for each in opened], -1)
        pulled = [each.pull(half[None, None])[1:] for each, half in zip(opened, halves, strict=True)]
        return _reduced(words, pulled, x, {"dot"})["dot"][0, 0]

    def _readout(self, opened: list[Opened], k: Tensor) -> Tensor:
        """s_k, or its difference to the reference pass, [B]."""
        h = torch.cat([each.hidden[0] for each in opened], -1)
        references = [each.reference for each in opened if each.reference is not None]
        if references:
            return ((h - torch.cat(references, -1)) * self.w[k]).sum(-1)
        return (h * self.w[k]).sum(-1) + self.b[k]


def _reduced(words: list[Projected], pulled: list[Tensor], x: Sequences, reductions: set[str]) -> dict[str, Tensor]:
    """Norms and dot products of the gradients in e, [.., S, B, T]; gradients are lifted only where norms are asked."""
    if "l2" not in reductions:
        return {"dot": _added([each.dot(gradient) for each, gradient in zip(words, pulled, strict=True)], x)}
    lifted = _added([each.lift(gradient) for each, gradient in zip(words, pulled, strict=True)], x)
    return {"l2": lifted.norm(dim=-1), "dot": (lifted * x.data).sum(-1)}


def _added(directions: list[Tensor], x: Sequences) -> Tensor:
    """The directions' sum, [.., S, B, T, ..], the backward one turned into the document's order."""
    forward, *backward = directions
    for values in backward:
        turned = x.with_data(values.movedim((2, 3), (0, 1))).reversed()
        forward = forward + turned.data.movedim((0, 1), (2, 3))
    return forward
