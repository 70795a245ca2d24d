"""What becomes of a method that fails.

A method may be somebody else's code: what it raises is a remark on a document, never the end of a run.
"""

from __future__ import annotations

import contextlib
from typing import Any

from whichword.base.lazy import torch
from whichword.errors import CRASHED, named
from whichword.methods.method import Answer, Questions, answered
from whichword.model import Model


def surviving(method: Any, model: Model, questions: Questions) -> Answer:
    """All documents at once, or where the method fails (or takes only one), each for itself: a failure is a remark."""
    if not getattr(method, "one_by_one", False):
        with contextlib.suppress(Exception):
            return _checked(answered(method.explain(model, questions)), questions)
    answers = [_asked_alone(method, model, questions.pick([row])) for row in range(len(questions))]
    values = questions.zeros()
    for row, answer in enumerate(answers):
        values[row, : answer.values.shape[1]] = answer.values[0]
    outside = [answer.rest.cpu().double() for answer in answers if answer.rest is not None]
    notes = {row: answer.notes[0] for row, answer in enumerate(answers) if 0 in answer.notes}
    return Answer(values, notes, torch.cat(outside) if len(outside) == len(answers) else None)


def _asked_alone(method: Any, model: Model, questions: Questions) -> Answer:
    if not questions.batch.width:
        return Answer(questions.zeros())
    try:
        return _checked(answered(method.explain(model, questions)), questions)
    except Exception as error:
        nothing = torch.full_like(questions.zeros(), torch.nan)
        outside = None if questions.batch.word is None else torch.full((1,), torch.nan, dtype=torch.float64)
        return Answer(nothing, {0: f"{CRASHED}{named(error)}"}, outside)


def _checked(answer: Answer, questions: Questions) -> Answer:
    """What is not ours may answer in any shape; padding may be missing."""
    shape, expected = list(answer.values.shape), [len(questions), questions.batch.width]
    if shape != expected:
        raise ValueError(f"it gave relevances of shape {shape}, not {expected}")
    return answer
