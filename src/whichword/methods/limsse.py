"""LIMSSE: LIME for word sequences (section 3.6)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whichword.base.lazy import Tensor, torch
from whichword.errors import UNDEFINED, InputError
from whichword.methods.limsse_fits import LONGEST, Designs, Numbers, least_squares_all, limit, logistic_all
from whichword.methods.method import METHODS, Answer, Method, Questions
from whichword.model import Model
from whichword.reading import Edits
from whichword.registry import fixed

FIT = 400  # what a fit costs, in words passed through a small network
DEFICIENT = "the substrings do not determine all relevances: minimum-norm answer"
UNREADABLE = f"{UNDEFINED}the model cannot read every substring, so there is nothing to fit"


@dataclass(frozen=True)
class Scored:
    """The substrings of all documents and the model's answers: s(k, Z_n), p(k | Z_n), f(Z_n) = k, [6, N]."""

    rows: list[int]
    designs: Designs
    s: Numbers
    p: Numbers
    won: Numbers


Fit = tuple[Numbers, NDArray[np.bool_]]  # v of all documents in a row, and which of these are determined


def _squares(scored: Scored) -> dict[str, Fit]:
    """Minimise, for ms_s, sum_n (z_n . v - s(k, Z_n))^2; for ms_p, sum_n (z_n . v - p(k | Z_n))^2."""
    (v_s, v_p), determined = least_squares_all(scored.designs, [scored.s, scored.p])
    return {"ms_s": (v_s, determined), "ms_p": (v_p, determined)}


def _black_box(scored: Scored) -> dict[str, Fit]:
    """Minimise, for bb, the logistic loss of 1[f(Z_n) = k], plus |v|^2 / 2 (separable data have no finite optimum)."""
    return {"bb": (logistic_all(scored.designs, scored.won), np.ones(len(scored.rows), dtype=bool))}


FITS: dict[str, Callable[[Scored], dict[str, Fit]]] = {"bb": _black_box, "ms_s": _squares, "ms_p": _squares}


@dataclass(frozen=True)
class LIMSSE(Method):
    """phi(t) = v_t of a linear model fitted to substrings Z_n of 1 to 6 words.

    ``samples`` draws, 3,000 in the paper; none (the default) is the limit of infinitely many: every substring weighted
    by its probability, without sampling noise.
    """

    loss: str = fixed()
    samples: int | None = None

    @staticmethod
    def words(methods: Sequence["LIMSSE"], length: int) -> int:
        """All substrings of 1 to 6 words, and a fit for each method."""
        return 21 * length + FIT * len(methods)

    def __post_init__(self) -> None:
        if self.samples is not None and (not isinstance(self.samples, int) or self.samples < 1):
            raise InputError(f"samples must be a whole number from 1, or none for the exact limit, not {self.samples}")

    @property
    def random(self) -> bool:
        """Whether another seed gives another answer."""
        return self.samples is not None

    @property
    def shares(self) -> tuple[int | None]:
        """The number of draws: methods that have it in common share their scored substrings."""
        return (self.samples,)

    @property
    def labels_do(self) -> bool:
        """Whether f(Z_n) is enough, as it is for the black-box fit."""
        return self.loss == "bb"

    def explain(self, model: Model, questions: Questions) -> Answer | Tensor:
        return self.together(model, questions, [self])[0]

    @staticmethod
    def together(model: Model, questions: Questions, methods: Sequence["LIMSSE"]) -> list[Answer]:
        """Answer all three fits from one set of scored substrings."""
        answers: dict[tuple[int | None, str], Answer] = {}
        for samples in {method.samples for method in methods}:
            scored = score(model, questions, samples)
            words = FittedWords.of(scored, questions)
            for fit in {FITS[method.loss] for method in methods if method.samples == samples}:
                fits = fit(scored) if scored.rows else {}  # one fit gives both ms_s and ms_p
                answers |= {(samples, loss): _answer(scored, words, values) for loss, values in fits.items()}
        nothing = Answer(torch.where(questions.batch.mask.cpu(), torch.nan, questions.zeros()))  # no document has any
        return [answers.get((method.samples, method.loss), nothing) for method in methods]


def substrings(questions: Questions, rows: Sequence[int], samples: int | None) -> Designs:
    """Draw or enumerate the substrings of some documents, with their weights."""
    lengths = questions.batch.words[list(rows)].tolist()
    if samples is None:
        return Designs.of([limit(length) for length in lengths])
    return Designs.drawn(lengths, samples, questions.stream_keys(rows, "limsse"))


def score(model: Model, questions: Questions, samples: int | None) -> Scored:
    """Score the substrings of all documents that have a word, through one call of the scorer."""
    rows = [row for row, length in enumerate(questions.batch.words.tolist()) if length]
    return _scored(model, questions, samples, rows)


def _scored(model: Model, questions: Questions, samples: int | None, rows: list[int]) -> Scored:
    """Score substrings; a document with one that has no score (words of no piece alone, say) is left out."""
    designs = substrings(questions, rows, samples)
    if not rows:
        return Scored(rows, designs, *[np.zeros((LONGEST, 0))] * 3)
    places = (np.array(rows)[designs.document], designs.start, designs.size)
    row, start, size = (torch.from_numpy(numbers).to(questions.targets.device) for numbers in places)
    s = model.score_edits(questions.batch, Edits("crop", row, start, start + size)).double()
    if s.isnan().any():  # seldom, so the batch is scored again without these documents
        unreadable = set(row[s.isnan().any(1)].tolist())
        return _scored(model, questions, samples, [row for row in rows if row not in unreadable])
    s, k = torch.stack(s.unbind(1)), questions.targets.index_select(0, row)  # by classes, [K, n]: they are few
    # f(Z_n) is the first of equal maxima: k wins where it has the highest score and no class before it has it too
    highest, before = s == s.amax(0), torch.arange(len(s), device=s.device)[:, None] < k
    place = k * len(row) + torch.arange(len(row), device=s.device)
    own, p, won = (array.view(-1).index_select(0, place) for array in (s, s.softmax(0), highest))
    values = (own, p, won & ~(highest & before).any(0))
    return Scored(rows, designs, *(designs.grid(value.cpu().numpy()) for value in values))


@dataclass(frozen=True)
class FittedWords:
    """Flat places of the fitted documents' words in [B, T], and the rows of the other documents."""

    place: Tensor
    unreadable: list[int]
    empty: Tensor

    @staticmethod
    def of(scored: Scored, questions: Questions) -> "FittedWords":
        mask, values, fitted = questions.batch.mask.cpu(), questions.zeros(), set(scored.rows)
        lengths = questions.batch.words.tolist()
        unreadable = [row for row, length in enumerate(lengths) if length and row not in fitted]
        if unreadable:
            values[unreadable], mask[unreadable] = torch.nan, False
        return FittedWords(mask.view(-1).nonzero()[:, 0], unreadable, values)


def _answer(scored: Scored, words: FittedWords, fit: Fit) -> Answer:
    v, determined = fit
    values = words.empty.clone()
    values.view(-1)[words.place] = torch.from_numpy(v)
    notes = {row: DEFICIENT for row, full in zip(scored.rows, determined.tolist(), strict=True) if not full}
    return Answer(values, notes | dict.fromkeys(words.unreadable, UNREADABLE))


for _loss in FITS:
    METHODS.register(f"limsse_{_loss}", LIMSSE(_loss))
