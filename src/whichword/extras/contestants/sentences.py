"""A method that sees sentences and words."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from whichword.base.lazy import Tensor, torch
from whichword.extras.contestants.peer import FAMILY
from whichword.methods.method import METHODS, Answer, Questions
from whichword.methods.perturbation import EMPTY
from whichword.model import Model, Reading
from whichword.reading import Edits
from whichword.text.places import spans
from whichword.text.words import split_sentences


@METHODS.register("sentence_omit", family=FAMILY)
@dataclass(frozen=True)
class SentenceOmit:
    """phi(t) = (D(S) / |S| + D(t)) / 2: S is the sentence of word t, D(.) what s(k, X) loses without it.

    A document's only sentence has no share where the model cannot read an empty text.
    """

    def passes(self, length: int) -> int:
        return length + 2

    def explain(self, model: Model, questions: Questions) -> Answer:
        values = questions.zeros()
        for row in range(len(questions)):
            alone = questions.pick([row])
            if alone.batch.width:
                values[row, : alone.batch.width] = _document(model, alone)
        unread = (values[:, :1].isnan().any(1) & (questions.batch.words.cpu() == 1)).nonzero()[:, 0]
        return Answer(values, dict.fromkeys(unread.tolist(), EMPTY))


def _document(model: Model, questions: Questions) -> Tensor:
    """One document, [T]."""
    batch, count = questions.batch, questions.batch.width
    starts = sentence_starts(batch.readings[0], count)
    bounds = torch.tensor([*starts, count])
    sizes = bounds.diff()
    words = torch.arange(count)
    first, last = torch.cat([bounds[:-1], words]), torch.cat([bounds[1:], words + 1])
    places = (torch.zeros_like(first), first, last)
    edits = Edits("cut", *(place.to(questions.targets.device) for place in places))
    with torch.no_grad():
        whole = model.score(batch)[0, questions.targets[0]]
        left = model.score_edits(batch, edits)[:, questions.targets[0]]
    lost = (whole - left).double().cpu()
    shares = lost[: len(sizes)].nan_to_num(0.0) / sizes if len(sizes) == 1 else lost[: len(sizes)] / sizes
    return (shares.repeat_interleave(sizes) + lost[len(sizes) :]) / 2


def sentence_starts(reading: Reading, count: int) -> list[int]:
    """The first word of each sentence that has one, among the first ``count`` words."""
    places = [start for start, _ in spans(reading)][:count]
    begins = [start for start, _ in split_sentences(reading.text)] or [0]
    sentence = [bisect_right(begins, place) for place in places]
    return [t for t in range(count) if t == 0 or sentence[t] != sentence[t - 1]]
