"""A document as switches, one per word: what libraries of perturbations ask about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whichword.base.lazy import Tensor, torch
from whichword.extras.contestants.peer import chosen
from whichword.methods.method import Answer, Questions
from whichword.model import Differentiable, Model
from whichword.reading import WordSets

GAP = "\x1f"  # between the words of a text that a library cuts again: a character that no word is made of


@dataclass(frozen=True, eq=False)
class WordSwitches:
    """o(k) of one document with only the words that are on: z [n, T] of 0 and 1 -> [n].

    A word that is off has zero vectors; of a model without vectors it is taken out of the text.
    """

    model: Model
    questions: Questions
    output: str

    @property
    def words(self) -> int:
        return int(self.questions.batch.words[0])

    @property
    def texts(self) -> list[str]:
        """The words that the model reads; a probe has ids alone, and names of no meaning."""
        readings = self.questions.batch.readings
        return list(readings[0].words[: self.words]) if readings else [f"word{t}" for t in range(self.words)]

    def __call__(self, z: Tensor) -> Tensor:
        off = (z < 0.5).to(self.questions.targets.device)
        nothing = torch.zeros_like(off)
        pair = (nothing, off) if isinstance(self.model, Differentiable) else (off, nothing)
        rows = torch.zeros(len(z), dtype=torch.long, device=off.device)
        scores = self.model.score_edits(self.questions.batch, WordSets(rows, *pair))
        return chosen(scores, self.questions.targets[0], self.output).detach().double().cpu()

    def of_array(self, z: NDArray[Any]) -> NDArray[np.float64]:
        """The same for numpy."""
        values: NDArray[np.float64] = self(torch.as_tensor(np.asarray(z, dtype=np.float64))).numpy()
        return values

    def answer(self, values: Any) -> Answer:
        """A relevance per switch, as an answer."""
        phi = torch.as_tensor(np.asarray(values, dtype=np.float64)).reshape(1, -1)
        outside = None if self.questions.batch.word is None else torch.zeros(1, dtype=torch.float64)
        return Answer(phi, rest=outside)
