"""How much work a document is, roughly, so that shards are of one size: words passed through the network.

An estimate by formula, never by a clock: the plan must be the same on every machine.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from whichword.explain import Plan
from whichword.explain.gradient import Gradient
from whichword.explain.limsse import LIMSSE
from whichword.explain.perturbation import Perturbation

FIT = 400
PLAIN = 6  # passes of a method that is not known here: a few forwards and a backward


def _gradient(methods: Sequence[Gradient], length: int) -> int:
    """The eight share their passes; forward and backward count three."""
    return 3 * max(method.steps if method.integrated else 1 for method in methods) * length


def _perturbation(methods: Sequence[Perturbation], length: int) -> int:
    """A copy of the document for each window."""
    return len(methods) * length * length


def _limsse(methods: Sequence[LIMSSE], length: int) -> int:
    """All substrings of 1 to 6 words, and a fit for each method, which costs as much as some words."""
    return 21 * length + FIT * len(methods)


_FORMULAS: Mapping[type, Callable[..., int]] = {
    Gradient: _gradient,
    Perturbation: _perturbation,
    LIMSSE: _limsse,
}


def work(plan: Plan, length: int) -> dict[str, float]:
    """The words that each method's share of a document of this length costs."""
    found: dict[str, float] = {}
    for kind, group in plan.families:
        formula = _FORMULAS.get(kind)
        methods = list(group.values())
        total = formula(methods, length) if formula else PLAIN * length * len(methods)
        found |= dict.fromkeys(group, total / len(methods))
    return found


def shards(plan: Plan, lengths: Sequence[int], size: int) -> Iterator[list[int]]:
    """Indices, neighbours in length together, cut where a shard has done ``size`` words (one is always allowed)."""
    group: list[int] = []
    spent = 0.0
    costs = {length: 1.0 + sum(work(plan, length).values()) for length in set(lengths)}
    for index in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if group and spent + costs[lengths[index]] > size:
            yield group
            group, spent = [], 0.0
        group.append(index)
        spent += costs[lengths[index]]
    if group:
        yield group
