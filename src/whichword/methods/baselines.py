"""What a method has to beat: a random word, and the last one."""

from dataclasses import dataclass
from typing import ClassVar

from whichword.base.lazy import Tensor, torch
from whichword.methods.method import METHODS, Method, Questions
from whichword.model import Model


@METHODS.register("random")
@dataclass(frozen=True)
class Random(Method):
    """One seeded draw per document, for heat maps; games count the exact expectation instead (``uniform``)."""

    uniform: ClassVar[bool] = True
    labels_do: ClassVar[bool] = True

    def explain(self, model: Model, questions: Questions) -> Tensor:
        values = questions.zeros()
        for row, length in enumerate(questions.batch.words.tolist()):
            values[row, :length] = torch.from_numpy(questions.randomness(row, "random").random(length))
        return values


@METHODS.register("last")
@dataclass(frozen=True)
class Last(Method):
    """1 on the last word, 0 elsewhere."""

    labels_do: ClassVar[bool] = True

    def explain(self, model: Model, questions: Questions) -> Tensor:
        words = questions.batch.words
        return (torch.arange(questions.batch.width, device=words.device) == words[:, None] - 1).double()
