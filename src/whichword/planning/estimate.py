"""How long will it take? Asked before work begins that grows with the square of a document's length."""

import time
from collections.abc import Mapping, Sequence

from whichword.base.lazy import torch
from whichword.errors import InputError
from whichword.methods.method import Family, MethodPlan, Questions, ask
from whichword.methods.perturbation import Perturbation
from whichword.model import Batch, Model
from whichword.types import Text

SAMPLE = 128  # words of a document that is tried out, at the most
WORDS = 512  # words of all documents that are tried out
WORD = "the"


def estimate(model: Model, lengths: Sequence[int], plan: MethodPlan) -> dict[str, float]:
    """Seconds that each method will take for documents of these lengths, on this machine.

    Every family is tried out on a few short documents. Its cost grows with the words; where a copy of the document is
    run for every window (omission and occlusion, unless the model says that edits are ``local``), with their square.
    """
    longest = max(lengths, default=0)
    if longest == 0:
        return dict.fromkeys(plan.labels, 0.0)
    questions = _sample(model, min(longest, SAMPLE))
    seconds: dict[str, float] = {}
    for family in plan.families:
        grows = _growth(model, family)
        work = sum(length**grows for length in lengths) / sum(n**grows for n in questions.batch.words.tolist())
        seconds |= dict.fromkeys(family[1], _tried(family, model, questions) * work / len(family[1]))
    return seconds


def within(seconds: Mapping[str, float], budget: float) -> None:
    """Refuse what would take longer than ``budget`` seconds, and say which methods do."""
    total = sum(seconds.values())
    if total > budget:
        costly = sorted(seconds, key=lambda name: -seconds[name])[:3]
        shares = ", ".join(f"{name} {spoken(seconds[name])}" for name in costly)
        raise InputError(f"this would take about {spoken(total)}, more than {spoken(budget)} (most of it: {shares})")


def spoken(seconds: float) -> str:
    """A duration as a person says it."""
    for size, unit in ((86400.0, "days"), (3600.0, "hours"), (60.0, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} seconds" if seconds >= 2 else f"{seconds:.1g} seconds"


def _growth(model: Model, family: Family) -> int:
    kind, group = family
    fast = model.fast
    if kind is Perturbation:
        return 1 if fast is not None and fast.local else 2
    passes = [method.passes for method in group.values() if hasattr(method, "passes")]
    return 2 if any(count(2) > count(1) for count in passes) else 1


def _sample(model: Model, length: int) -> Questions:
    words = (WORD,) * length
    reading = model.read(Text(words, " ".join(words)))
    count, device = max(1, WORDS // length), model.about.device
    targets = torch.zeros(count, dtype=torch.long, device=device)
    return Questions(Batch.of([reading] * count, device), targets, tuple(map(str, range(count))))


def _tried(family: Family, model: Model, questions: Questions) -> float:
    """The second time counts: the first one may still compile or load something."""
    ask(family, model, questions.pick([0]))
    start = time.perf_counter()
    ask(family, model, questions)
    return time.perf_counter() - start
