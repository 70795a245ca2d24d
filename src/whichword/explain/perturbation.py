"""Omission and occlusion of N-grams (section 3.5)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from whichword.edits import Edits
from whichword.errors import InputError
from whichword.explain.method import METHODS, Answer, Questions
from whichword.explain.scoring import score_edits
from whichword.networks import Model
from whichword.registry import fixed
from whichword.sequences import Sequences

EDGES = ("clip", "right")
PUBLISHED = (1, 3, 7)


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
        """All windows of one kind go through one call of the scorer."""
        x = model.embed(questions.ids)
        changes = Changes(model, x, questions.targets)
        asked = {replace(method, edges="clip") for method in methods}
        for kind in {method.kind for method in asked}:
            changes.measure(kind, [method.n for method in asked if method.kind == kind])
        return [_relevances(changes, x, method) for method in methods]


class Changes:
    """s(k, X) - s(k, X with a window edited), for every window that was asked for."""

    def __init__(self, model: Model, x: Sequences, targets: Tensor) -> None:
        self.model, self.x, self.targets = model, x, targets
        with torch.no_grad():
            self.scores = _chosen(model.score(x), targets)
        self.found: dict[tuple[str, int, int], Tensor] = {}

    def measure(self, kind: str, sizes: Sequence[int]) -> None:
        """Score the windows of these sizes in all rows; a window never needs to be longer than the document."""
        lengths = self.x.lengths.tolist()
        wanted = [(row, min(n, length)) for n in sizes for row, length in enumerate(lengths) if length]
        windows = [_windows(row, n, lengths[row], self.x.lengths.device) for row, n in wanted]
        if not windows:
            return
        rows, start, stop = torch.cat(windows, 1)
        after = _chosen(score_edits(self.model, self.x, Edits(kind, rows, start, stop)), self.targets[rows])
        change = (self.scores[rows] - after).split_with_sizes([w.shape[1] for w in windows])
        self.found |= {(kind, row, n): c for (row, n), c in zip(wanted, change, strict=True)}

    def windows(self, kind: str, row: int, n: int) -> Tensor:
        """The changes for windows that start at -(n-1) .. T-1, [T+n-1]."""
        return self.found[kind, row, n]


def _windows(row: int, n: int, length: int, device: torch.device) -> Tensor:
    """Row, start and stop of all n-grams that touch the document, clipped to it: [3, T+n-1]."""
    first = torch.arange(1 - n, length, device=device)
    return torch.stack([torch.full_like(first, row), first.clamp(min=0), (first + n).clamp(max=length)])


def _relevances(changes: Changes, x: Sequences, method: Perturbation) -> Tensor:
    values = x.data.new_zeros(x.data.shape[:2])
    for row, length in enumerate(x.lengths.tolist()):
        if length:
            values[row, :length] = _average(changes, row, length, method)
    return values


def _average(changes: Changes, row: int, length: int, method: Perturbation) -> Tensor:
    """phi of one document, [T]. Where N > T, N - T of a word's windows cover the whole document."""
    n = min(method.n, length)
    change = changes.windows(method.kind, row, n)
    whole = change[n - 1] if n == length else change.new_zeros(())
    if method.edges == "right":
        change = torch.cat([change.new_zeros(n - 1), change[n - 1 :]])
        whole = torch.zeros_like(whole)
    return (change.unfold(0, n, 1).sum(-1) + (method.n - n) * whole) / method.n


def _chosen(scores: Tensor, targets: Tensor) -> Tensor:
    return scores.gather(1, targets[:, None])[:, 0]


for _name, _kind in (("omit", "cut"), ("occ", "blank")):
    for _n in PUBLISHED:
        METHODS.register(f"{_name}_{_n}", Perturbation(_kind, _n))
    METHODS.pattern(f"{_name}_([1-9][0-9]*)", lambda n, kind=_kind: Perturbation(kind, int(n)))
