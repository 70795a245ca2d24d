"""Many tests at once."""

from collections.abc import Mapping
from typing import TypeVar

Name = TypeVar("Name")


def holm(p: Mapping[Name, float]) -> dict[Name, float]:
    """Holm's step-down adjustment: with p_(1) <= ... <= p_(m), p'_(i) = max over j <= i of min(1, (m - j + 1) p_(j)).

    Rejecting where p' < alpha keeps the chance of any false rejection below alpha, whatever the dependence.
    """
    adjusted: dict[Name, float] = {}
    largest = 0.0
    for rank, name in enumerate(sorted(p, key=lambda name: p[name])):
        largest = max(largest, min(1.0, (len(p) - rank) * p[name]))
        adjusted[name] = largest
    return {name: adjusted[name] for name in p}
