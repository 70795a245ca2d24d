"""Omission and occlusion of N-grams (section 3.5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from whichword.edits import Edits
from whichword.errors import InputError
from whichword.methods.method import METHODS, Answer, Questions
from whichword.methods.scoring import score_edits
from whichword.networks import Model, supports
from whichword.registry import fixed
from whichword.sequences import Sequences

EDGES = ("clip", "right")
PUBLISHED = (1, 3, 7)
SMALL = 1 / 32  # of the score: below, single precision leaves less than five digits of a change


class WindowKind(NamedTuple):
    """All windows of n words, edited in one way."""

    kind: str
    n: int


Changes = tuple[dict[WindowKind, Tensor], Tensor]  # the changes of s; the scores' scale


@dataclass(frozen=True)
class Perturbation:
    """phi(t) = 1/N sum_(j=1..N) [s(k, X) - s(k, X without the window t-N+j .. t-1+j)].

    "cut" deletes a window (omission), "blank" puts zero vectors in its place (occlusion). What hangs over an edge is
    clipped; ``edges="right"`` drops the windows that would start before the document and still divides by N.
    """

    kind: str = fixed()
    n: int = fixed()
    edges: str = "clip"

    def __post_init__(self) -> None:
        if self.n < 1:
            raise InputError(f"a window has at least one word, not {self.n}")
        if self.edges not in EDGES:
            raise InputError(f"edges must be one of {', '.join(EDGES)}, not {self.edges!r}")

    def explain(self, model: Model, questions: Questions) -> Answer | Tensor:
        return self.together(model, questions, [self])[0]

    @staticmethod
    def together(model: Model, questions: Questions, methods: Sequence["Perturbation"]) -> list[Tensor]:
        """All windows go through one call of the scorer."""
        x = model.embed(questions.ids)
        if x.width == 0:
            return [x.data.new_zeros(len(x), 0) for _ in methods]
        asked = [WindowKind(method.kind, min(method.n, x.width)) for method in methods]
        found = precise_changes(model, x, questions.targets, sorted(set(asked)))
        return [_average(found[windows], windows.n, method) for windows, method in zip(asked, methods, strict=True)]


def precise_changes(
    model: Model, x: Sequences, targets: Tensor, asked: Sequence[WindowKind]
) -> dict[WindowKind, Tensor]:
    """`changes`; where all of a size are small against the score, measured again in double precision if it can be had.

    A difference of two nearly equal scores has lost the digits that they share: in single precision, changes of a
    thousandth of the score would be right to four digits only.
    """
    found, scale = changes(model, x, targets, asked)
    if x.data.dtype != torch.float32 or not supports(model, "in_double") or getattr(model, "steady", False):
        return found
    largest = torch.stack([change.abs().amax(1) for change in found.values()]).amin(0)
    small = (largest < SMALL * scale).nonzero()[:, 0]
    if len(small):
        rows = x.pick(small)
        precise: Model = model.in_double()  # type: ignore[attr-defined]
        again, _ = changes(precise, rows.with_data(rows.data.double()), targets[small], asked)
        for each, change in again.items():
            found[each][small, : change.shape[1]] = change.to(found[each].dtype)
    return found


def changes(model: Model, x: Sequences, targets: Tensor, asked: Sequence[WindowKind]) -> Changes:
    """s(k, X) - s(k, X with a window edited), for all windows of each size n that touch the document, [B, T+n-1].

    Windows start at -(n-1) .. T-1; 0 stands where a shorter row has none. Equal windows are scored once; an edit of no
    word gives s(k, X), so that what changes nothing differs by nothing. Returned beside them: the largest |s| over the
    classes, [B], to which rounding errors are in proportion.
    """
    kinds = [
        _Kind.of(x, [each for each in asked if each.kind == kind]) for kind in sorted({each.kind for each in asked})
    ]
    copies = [each.edits for each in kinds]
    every = torch.split(score_edits(model, x, *copies), [len(each) for each in copies])
    found: dict[WindowKind, Tensor] = {}
    for kind, s in zip(kinds, every, strict=True):
        found |= kind.changes(s.gather(1, targets[kind.edits.rows][:, None])[:, 0])
    return found, every[0][kinds[0].where[: len(x)]].abs().amax(1)


@dataclass(frozen=True)
class _Kind:
    """Windows edited in one way, equal ones united; ``where``: the edit of each document as it is, of each window."""

    placed: dict[WindowKind, tuple[Tensor, Tensor]]
    edits: Edits
    where: Tensor

    @staticmethod
    def of(x: Sequences, asked: Sequence[WindowKind]) -> "_Kind":
        placed = {each: _windows(x, each.n) for each in asked}
        unedited = F.pad(torch.arange(len(x), device=x.lengths.device)[None], (0, 0, 0, 2))
        triples = torch.cat([unedited, *(each for _, each in placed.values())], 1)
        return _Kind(placed, *Edits(asked[0].kind, *triples).distinct())

    def changes(self, s: Tensor) -> dict[WindowKind, Tensor]:
        """From the edits' scores of the documents' classes."""
        numbers = [each.shape[1] for _, each in self.placed.values()]
        before, *after = torch.split(s[self.where], [len(self.where) - sum(numbers), *numbers])
        found = {}
        for (each, (there, (rows, _, _))), edited in zip(self.placed.items(), after, strict=True):
            found[each] = s.new_zeros(there.shape).masked_scatter_(there, before[rows] - edited)
        return found


def _windows(x: Sequences, n: int) -> tuple[Tensor, Tensor]:
    """Where a row has a window, [B, T+n-1]; and these windows' row, start and stop, clipped to the row, [3, number]."""
    first = torch.arange(1 - n, x.width, device=x.lengths.device)
    there = first < x.lengths[:, None]
    rows, column = there.nonzero().unbind(1)
    start = first[column]
    return there, torch.stack([rows, start.clamp(min=0), torch.minimum(start + n, x.lengths[rows])])


def _average(change: Tensor, n: int, method: Perturbation) -> Tensor:
    """phi, [B, T], from changes [B, T+n-1]. Where N > n, the batch's T, N - n of a word's windows cover everything."""
    whole = (method.n - n) * change[:, n - 1 : n]
    if method.edges == "right":
        change = F.pad(change[:, n - 1 :], (n - 1, 0))
        whole = torch.zeros_like(whole)
    return (change.unfold(1, n, 1).sum(-1) + whole) / method.n


for _name, _kind in (("omit", "cut"), ("occ", "blank")):
    for _n in PUBLISHED:
        METHODS.register(f"{_name}_{_n}", Perturbation(_kind, _n))
    METHODS.pattern(f"{_name}_([1-9][0-9]*)", lambda n, kind=_kind: Perturbation(kind, int(n)))
