"""What a method has to beat: a random word, and the last one."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from whichword.methods.method import METHODS, Questions
from whichword.networks import Model


@METHODS.register("random")
@dataclass(frozen=True)
class Random:
    """One seeded draw a document, for heat maps; games count the exact expectation instead (``uniform``)."""

    uniform: ClassVar[bool] = True

    def explain(self, model: Model, questions: Questions) -> Tensor:
        values = torch.zeros(questions.ids.data.shape, dtype=torch.float64)
        for row, length in enumerate(questions.ids.lengths.tolist()):
            values[row, :length] = torch.from_numpy(questions.randomness(row, "random").random(length))
        return values


@METHODS.register("last")
@dataclass(frozen=True)
class Last:
    """1 on the last word, 0 elsewhere."""

    def explain(self, model: Model, questions: Questions) -> Tensor:
        ids = questions.ids
        return (ids.positions == ids.lengths[:, None] - 1).double()
