"""One answer for several decisions, where there is one that holds for all."""

from collections.abc import Callable, Sequence

from whichword.statistics.decision import Costs, Decision, Status, cheapness
from whichword.statistics.intervals import Interval


def for_all(decisions: Sequence[Decision], seconds: Costs) -> Decision:
    """Of several games or several models: a method is good where it is shown to be good in every one of them.

    ``group``: in every group; ``unproven``: shown to be worse nowhere, but not in every group; ``avoid``: to be
    avoided somewhere, and in no group. It is decided where all are and for the same method; a choice that holds in
    some only is none. ``needed`` is what the slowest of them needs.
    """
    if len(decisions) == 1:
        return decisions[0]
    group = tuple(name for name in decisions[0].group if all(name in decision.group for decision in decisions))
    good = tuple(sorted((name for name in group if all(map(_good(name), decisions))), key=cheapness(seconds)))
    decided = bool(good) and all(decision.status == "decided" for decision in decisions)
    status: Status = "decided" if decided else "tied" if good else "undecided"
    return Decision(
        status=status,
        group=group,
        choice=good[0] if good else None,
        avoid=_avoid(decisions),
        needed=_needed_by_all(decisions),
        margin=max(decision.margin for decision in decisions),
        documents=sum(decision.documents for decision in decisions),
        behind=_behind(decisions),
        above=tuple(name for name in decisions[0].above if all(name in decision.above for decision in decisions)),
        good=good,
        unproven=tuple(name for name in _unbeaten(decisions) if name not in group),
        open=tuple(dict.fromkeys(name for decision in decisions for name in decision.open)),
    )


def _unbeaten(decisions: Sequence[Decision]) -> list[str]:
    """Shown to be worse than the best by none."""
    unbeaten = [(*decision.group, *decision.unproven) for decision in decisions]
    return [name for name in unbeaten[0] if all(name in names for names in unbeaten)]


def _good(name: str) -> Callable[[Decision], bool]:
    return lambda decision: decision.choice is not None and name in (decision.choice, *decision.good)


def _avoid(decisions: Sequence[Decision]) -> tuple[str, ...]:
    names = dict.fromkeys(name for decision in decisions for name in decision.avoid)
    return tuple(name for name in names if not any(name in decision.group for decision in decisions))


def _needed_by_all(decisions: Sequence[Decision]) -> int | None:
    counts = [decision.needed for decision in decisions if decision.status == "undecided"]
    return max((count for count in counts if count is not None), default=None) if None not in counts else None


def _behind(decisions: Sequence[Decision]) -> dict[str, Interval]:
    """The worst of each method's distances to the best."""
    names = [name for name in decisions[0].behind if all(name in decision.behind for decision in decisions)]
    return {
        name: Interval(
            max(decision.behind[name].low for decision in decisions),
            max(decision.behind[name].high for decision in decisions),
        )
        for name in names
    }
