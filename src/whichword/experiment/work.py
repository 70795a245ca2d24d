"""How much work a document is, roughly, so that shards are of one size: words passed through the network.

An estimate by formula, never by a clock: the plan must be the same on every machine.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from whichword.games import Measured
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


def work(plan: MethodPlan, length: int) -> int:
    """The words that a document of this length costs; at least one, so that empty documents fill a shard too."""
    total = 1
    for kind, group in plan.families:
        formula = _FORMULAS.get(kind)
        methods = list(group.values())
        total += formula(methods, length) if formula else PLAIN * length * len(methods)
    return total


def shards(plan: MethodPlan, lengths: Sequence[int], size: int, game: Measured | None = None) -> Iterator[list[int]]:
    """Indices, neighbours in length together, cut where a shard has done ``size`` words (one is always allowed)."""
    group: list[int] = []
    spent = 0
    copies = {length: length * game.cost(length, len(plan.labels)) if game else 0 for length in set(lengths)}
    costs = {length: work(plan, length) + copies[length] for length in set(lengths)}
    for index in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if group and spent + costs[lengths[index]] > size:
            yield group
            group, spent = [], 0
        group.append(index)
        spent += costs[lengths[index]]
    if group:
        yield group
