"""Omission and occlusion of N-grams (section 3.5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from whichword.base.lazy import Tensor, torch
from whichword.errors import UNDEFINED, InputError
from whichword.methods.method import METHODS, Answer, Method, Questions
from whichword.model import Batch, Model
from whichword.reading import Edits
from whichword.registry import fixed

EDGES = ("clip", "right")
PUBLISHED = (1, 3, 7)  # N of the paper's table
EMPTY = f"{UNDEFINED}the model cannot read a text of no words"
SMALL = 1 / 32  # of the score: below, single precision leaves less than five digits of a change


class WindowKind(NamedTuple):
    """A kind of windows: all of n words, edited in one way."""

    kind: str
    n: int


Changes = tuple[dict[WindowKind, Tensor], Tensor]  # the changes of s; the scores' scale


@dataclass(frozen=True)
class Perturbation(Method):
    """phi(t) = 1/N sum_(j=1..N) [s(k, X) - s(k, X without the window t-N+j .. t-1+j)].

    "cut" deletes a window (omission), "blank" puts zero vectors in its place (occlusion). What hangs over an edge is
    clipped; ``edges="right"`` drops the windows that would start before the document and still divides by N.
    """

    kind: str = fixed()
    n: int = fixed()
    edges: str = "clip"

    @staticmethod
    def words(methods: Sequence["Perturbation"], length: int) -> int:
        """A copy of the document for each window."""
        return len(methods) * length * length

    def __post_init__(self) -> None:
        if self.n < 1:
            raise InputError(f"a window has at least one word, not {self.n}")
        if self.edges not in EDGES:
            raise InputError(f"edges must be one of {', '.join(EDGES)}, not {self.edges!r}")

    def explain(self, model: Model, questions: Questions) -> Answer | Tensor:
        return self.together(model, questions, [self])[0]

    @staticmethod
    def together(model: Model, questions: Questions, methods: Sequence["Perturbation"]) -> list[Answer]:
        """Answer several methods; all windows go through one call of the scorer."""
        batch = questions.batch
        # windows longer than the batch's texts all cover everything: one size stands for them (`_average`)
        kinds = [WindowKind(method.kind, min(method.n, batch.width)) for method in methods]
        changed = precise_changes(model, batch, questions.targets, sorted(set(kinds)))
        return [_answer(changed[kind], kind.n, method, batch) for kind, method in zip(kinds, methods, strict=True)]


def precise_changes(
    model: Model, batch: Batch, targets: Tensor, kinds: Sequence[WindowKind]
) -> dict[WindowKind, Tensor]:
    """Compute `changes`; where all of a size are small against the score, again in double precision if it can be had.

    A difference of two nearly equal scores has lost the digits that they share: in single precision, changes of a
    thousandth of the score would be right to four digits only.
    """
    changed, scale = changes(model, batch, targets, kinds)
    fast = model.fast
    if fast is None or fast.steady or fast.in_double is None or model.about.dtype != "float32":
        return changed
    largest = torch.stack([change.abs().amax(1) for change in changed.values()]).amin(0)
    small = (largest < SMALL * scale).nonzero()[:, 0]
    if len(small):
        again, _ = changes(fast.in_double(), batch.pick(small), targets[small], kinds)  # few documents, at double cost
        for kind, change in again.items():
            changed[kind][small, : change.shape[1]] = change.to(changed[kind].dtype)
    return changed


def changes(model: Model, batch: Batch, targets: Tensor, kinds: Sequence[WindowKind]) -> Changes:
    """Compute s(k, X) - s(k, X with a window edited), for all windows of each size n that touch a document, [B, T+n-1].

    Windows start at -(n-1) .. T-1; 0 stands where a shorter row has none. Equal windows are scored once; an edit of no
    word gives s(k, X), so that what changes nothing differs by nothing. Returned beside them: the largest |s| over the
    classes, [B], to which rounding errors are in proportion.
    """
    ways = [_Windows.of(batch, [kind for kind in kinds if kind.kind == way]) for way in sorted({k.kind for k in kinds})]
    copies = [windows.edits for windows in ways]
    scores = torch.split(model.score_edits(batch, *copies), [len(edits) for edits in copies])
    changed: dict[WindowKind, Tensor] = {}
    for windows, s in zip(ways, scores, strict=True):
        changed |= windows.changes(s.gather(1, targets[windows.edits.rows][:, None])[:, 0])
    return changed, scores[0][ways[0].where[: len(batch)]].abs().amax(1)


@dataclass(frozen=True)
class _Windows:
    """Windows edited in one way, equal ones united; ``where``: the edit of each unedited document, of each window."""

    placed: dict[WindowKind, tuple[Tensor, Tensor]]
    edits: Edits
    where: Tensor

    @staticmethod
    def of(batch: Batch, kinds: Sequence[WindowKind]) -> "_Windows":
        placed = {kind: _windows(batch, kind.n) for kind in kinds}
        documents = torch.arange(len(batch), device=batch.words.device)
        unedited = torch.stack([documents, *[torch.zeros_like(documents)] * 2])  # an edit of no word: s(k, X)
        triples = torch.cat([unedited, *(windows for _, windows in placed.values())], 1)
        return _Windows(placed, *Edits(kinds[0].kind, *triples).distinct())

    def changes(self, s: Tensor) -> dict[WindowKind, Tensor]:
        """Compute changes from the edits' scores of the documents' classes."""
        numbers = [windows.shape[1] for _, windows in self.placed.values()]
        before, *after = torch.split(s[self.where], [len(self.where) - sum(numbers), *numbers])
        changed = {}
        for (kind, (present, (rows, _, _))), edited in zip(self.placed.items(), after, strict=True):
            changed[kind] = s.new_zeros(present.shape).masked_scatter_(present, before[rows] - edited)
        return changed


def _windows(batch: Batch, n: int) -> tuple[Tensor, Tensor]:
    """Mark where rows have windows, [B, T+n-1]; and list their row, start and stop, clipped to the row, [3, number]."""
    first = torch.arange(1 - n, batch.width, device=batch.words.device)
    present = first < batch.words[:, None]
    rows, column = present.nonzero().unbind(1)
    start = first[column]  # below 0 where a window hangs over the start
    return present, torch.stack([rows, start.clamp(min=0), torch.minimum(start + n, batch.words[rows])])


def _average(change: Tensor, n: int, method: Perturbation) -> Tensor:
    """Average changes [B, T+n-1] to phi, [B, T]. Where N > n, the batch's T, N - n of a word's windows cover all."""
    whole = (method.n - n) * change[:, n - 1 : n]
    if method.edges == "right":
        change = torch.nn.functional.pad(change[:, n - 1 :], (n - 1, 0))
        whole = torch.zeros_like(whole)
    return (change.unfold(1, n, 1).sum(-1) + whole) / method.n


def _answer(change: Tensor, n: int, method: Perturbation, batch: Batch) -> Answer:
    """Build phi, with a remark on documents of which nothing is left where the model has no score for that."""
    values = _average(change, n, method)
    if method.kind == "blank" or not batch.width:
        return Answer(values)
    unread = values[:, 0].isnan() & (batch.words > 0) & (batch.words <= method.n)
    return Answer(values, dict.fromkeys(unread.nonzero()[:, 0].tolist(), EMPTY))


for _name, _kind in (("omit", "cut"), ("occ", "blank")):
    for _n in PUBLISHED:
        METHODS.register(f"{_name}_{_n}", Perturbation(_kind, _n))
    METHODS.pattern(f"{_name}_([1-9][0-9]{{0,5}})", lambda n, kind=_kind: Perturbation(kind, int(n)))
