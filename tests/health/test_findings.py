"""What is a complaint, and what is none yet: at the threshold, with the numbers written out."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import pytest
import torch
from experiments.health.random_models import WORDS, random_network

import whichword
from whichword.health.findings import Health
from whichword.methods import METHODS, Questions
from whichword.model import Model
from whichword.reading import Edits

MISSING = "does not add up: {} % of the relevance is missing or too much"
TEXTS = [list(WORDS[start : start + 4]) for start in range(0, 20, 4)]


@pytest.mark.parametrize("gap", [None, 0.0, 0.2499, 0.25])
def test_a_quarter_may_be_missing(gap: float | None) -> None:
    assert Health("grad_int_s_dot", 5, gap=gap).complaints == ()


@pytest.mark.parametrize(("gap", "words"), [(math.nextafter(0.25, 1), "25"), (0.2501, "25"), (0.3, "30"), (4.0, "400")])
def test_more_than_a_quarter_is_a_complaint(gap: float, words: str) -> None:
    assert Health("grad_int_s_dot", 5, gap=gap).complaints == (MISSING.format(words),)


@dataclass(frozen=True)
class Partial:
    """Says to share out what the score loses without the words, and gives four words 1 : 2 : 3 : 4 ``part`` of it."""

    adds_up: ClassVar[bool] = True
    part: float = 1.0

    def explain(self, model: Model, questions: Questions) -> torch.Tensor:
        batch, rows = questions.batch, torch.arange(len(questions))
        without = model.score_edits(batch, Edits("blank", rows, torch.zeros_like(rows), batch.words))
        lost = (model.score(batch) - without).gather(1, questions.targets[:, None])
        return self.part * lost * torch.tensor([0.1, 0.2, 0.3, 0.4])


@pytest.fixture
def partial() -> Iterator[str]:
    METHODS.register("partial", Partial(), family="unsound")
    yield "partial[part={}]"
    METHODS._entries.pop("partial")


@pytest.mark.parametrize(
    ("part", "gap"), [(1.0, 0.0), (0.801, 0.24844), (0.799, 0.25156), (1.332, 0.24925), (1.335, 0.25094)]
)
def test_a_method_that_says_to_add_up_may_miss_a_quarter_of_itself(part: float, gap: float, partial: str) -> None:
    """Of 0.8 a fifth of the whole is missing, which is a quarter of 0.8; of 4/3 a third is too much."""
    examined = whichword.examine(random_network("lstm"), TEXTS, [partial.format(part)])
    (health,) = examined.methods
    assert health.gap == pytest.approx(gap, abs=1e-5)
    told = [line for line in health.complaints if "add up" in line]
    assert told == ([MISSING.format("25")] if gap > 0.25 else [])
