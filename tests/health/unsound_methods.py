"""Methods with a fault, each another one."""

from dataclasses import dataclass

import torch
from torch import Tensor

from whichword.methods import METHODS, Questions
from whichword.methods.method import answered
from whichword.model import Model, Ruled


@dataclass(frozen=True)
class ByPosition:
    """Ignores its input: the same relevances for any text."""

    def explain(self, model: Model, questions: Questions) -> Tensor:
        return torch.sin(torch.arange(questions.batch.width).double() + 1).expand(len(questions), -1)


@dataclass(frozen=True)
class NotANumber:
    """Divides by 0 now and then."""

    def explain(self, model: Model, questions: Questions) -> Tensor:
        values = answered(METHODS["omit_1"].explain(model, questions)).values.clone()
        values[:, 1] = torch.nan
        return values


@dataclass(frozen=True)
class Shifted:
    """LRP, with the relevance of every word on the next one."""

    needs = Ruled
    by: int = 1

    def explain(self, model: Ruled, questions: Questions) -> Tensor:
        values = answered(METHODS["lrp"].explain(model, questions)).values.clone()
        for row, count in enumerate(questions.batch.words.tolist()):
            values[row, :count] = values[row, :count].roll(self.by)
        return values


@dataclass(frozen=True)
class Unlucky:
    """Fails on texts with an even number of words."""

    def explain(self, model: Model, questions: Questions) -> Tensor:
        if any(count % 2 == 0 for count in questions.batch.words.tolist()):
            raise KeyError("an even number\nof words")
        return answered(METHODS["omit_1"].explain(model, questions)).values


@dataclass(frozen=True)
class Dice:
    """Nothing but noise."""

    random = True

    def explain(self, model: Model, questions: Questions) -> Tensor:
        values = questions.zeros()
        for row, count in enumerate(questions.batch.words.tolist()):
            values[row, :count] = torch.from_numpy(questions.randomness(row, "dice").standard_normal(count))
        return values


FAULTS = {
    "by_position": (ByPosition(), "ignores its input"),
    "not_a_number": (NotANumber(), "not finite in 8 of 8 documents"),
    "shifted": (Shifted(), "shifted one word to the right"),
    "shifted_back": (Shifted(-1), "shifted one word to the left"),
    "unlucky": (Unlucky(), "crashed on 5 of 8 documents: KeyError: 'an even number\\nof words'"),
    "dice": (Dice(), "another seed, other words"),
}
for _name, (_method, _) in FAULTS.items():
    METHODS.register(_name, _method, family="unsound")
