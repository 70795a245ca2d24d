"""From many small outcomes to one decision: confirmed, refuted or undecided."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

State = Literal["yes", "no", "open", "missing"]
Status = Literal["confirmed", "refuted", "undecided"]


@dataclass(frozen=True)
class Outcome:
    """One comparison: whether it is as the claim says, in a column or several, with its numbers."""

    where: str
    state: State
    numbers: str = ""


@dataclass(frozen=True)
class Decision:
    """What becomes of a claim, and all that it rests on."""

    status: Status
    outcomes: tuple[Outcome, ...]

    @property
    def count(self) -> str:
        """7 of 8 as claimed, 1 open"""
        counts = Counter(outcome.state for outcome in self.outcomes)
        names = {"no": "against it", "open": "open", "missing": "not played"}
        rest = [f"{counts[state]} {name}" for state, name in names.items() if counts[state]]  # type: ignore[index]
        return ", ".join([f"{counts['yes']} of {len(self.outcomes)} as claimed", *rest])


Quantifier = Callable[[Sequence[State]], Status]


def every(states: Sequence[State]) -> Status:
    """All yes: confirmed; a single no: refuted."""
    if "no" in states:
        return "refuted"
    return "confirmed" if states and set(states) == {"yes"} else "undecided"


def mostly(states: Sequence[State]) -> Status:
    """More than half of all yes: confirmed; at least half no: refuted. What is missing counts in the whole."""
    if 2 * states.count("yes") > len(states):
        return "confirmed"
    return "refuted" if states and 2 * states.count("no") >= len(states) else "undecided"


def mixed(states: Sequence[State]) -> Status:
    """Some yes and some no: confirmed; all the same: refuted."""
    if "yes" in states and "no" in states:
        return "confirmed"
    return "refuted" if len(set(states)) == 1 and states[0] in ("yes", "no") else "undecided"
