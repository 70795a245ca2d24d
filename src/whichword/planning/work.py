"""How much work a document is, roughly, so that shards are of one size: words passed through the network.

An estimate by formula, never by a clock: the plan must be the same on every machine.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from whichword.methods import MethodPlan
from whichword.methods.gradient import Gradient
from whichword.methods.limsse import LIMSSE
from whichword.methods.perturbation import Perturbation

FIT = 400  # what a fit costs, in words
PLAIN = 6  # passes of a method without a formula: a few forwards and a backward


def _gradient(methods: Sequence[Gradient], length: int) -> int:
    """The eight share their passes; forward and backward count three."""
    return 3 * max(method.steps if method.integrated else 1 for method in methods) * length


def _perturbation(methods: Sequence[Perturbation], length: int) -> int:
    """A copy of the document for each window."""
    return len(methods) * length * length


def _limsse(methods: Sequence[LIMSSE], length: int) -> int:
    """All substrings of 1 to 6 words, and a fit for each method."""
    return 21 * length + FIT * len(methods)


_FORMULAS: Mapping[type, Callable[..., int]] = {
    Gradient: _gradient,
    Perturbation: _perturbation,
    LIMSSE: _limsse,
}


def work(plan: MethodPlan, length: int, word_cost: int = 1) -> int:
    """The words that a document of this length costs; at least one, so that empty documents fill a shard too."""
    total = 0
    for kind, group in plan.families:
        formula = _FORMULAS.get(kind)
        methods = list(group.values())
        total += formula(methods, length) if formula else length * sum(_passes(method, length) for method in methods)
    return 1 + word_cost * total


def cuts(costs: Iterable[int], size: int) -> list[int]:
    """Where shards begin, and where the last one ends: each has up to ``size`` of the costs (one is always allowed)."""
    places, spent = [0], 0
    count = 0
    for count, cost in enumerate(costs, 1):
        if spent and spent + cost > size:
            places.append(count - 1)
            spent = 0
        spent += cost
    return [*places, count] if count else places


def _passes(method: Any, length: int) -> int:
    """What the method says of itself."""
    passes = getattr(method, "passes", None)
    return PLAIN if passes is None else int(passes(length))
