"""Sentences about a decision."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from whichword.reporting.table import Case, rate
from whichword.statistics.decision import Costs, Decision, Status

LISTED = 6  # names before "and others"
MOST_AVOIDED = 12


def why(decision: Decision) -> str:
    """What the headline says after the name, or after "Cannot tell yet"."""
    others = f" (too little is known of {_methods(len(decision.open), 'other ')})" if decision.open else ""
    return f"{_SHOWN[decision.status](decision, f'on {decision.documents:,} documents')}{others}"


def _best(decision: Decision, where: str) -> str:
    return f"shown to be the best of {_methods(len(decision.behind))} {where}"


def _near_the_best(decision: Decision, where: str) -> str:
    alike = "the only method" if len(decision.good) == 1 else f"the cheapest of {len(decision.good)} methods"
    return f"{alike} shown to be within {margin_words(decision.margin)} of the best {where}"


def _nothing(decision: Decision, where: str) -> str:
    if not decision.group:
        return f"no method is shown to beat chance and the baselines {where}"
    points = margin_words(decision.margin)
    if decision.good:
        compared = sum(name not in decision.open for name in decision.behind)
        return (
            f"of {_methods(compared)} compared {where}, {decision.good[0]} is shown to be within {points} of the best"
        )
    level = [name for name in (*decision.group, *decision.unproven) if name not in decision.open]
    apart = "one method leads" if len(level) == 1 else f"{len(level)} methods are not told apart"
    return f"{apart} {where}, and none is shown to be within {points} of the best"


_SHOWN: Mapping[Status, Callable[[Decision, str], str]] = {
    "decided": _best,
    "tied": _near_the_best,
    "undecided": _nothing,
}


def _methods(count: int, which: str = "") -> str:
    return f"{count} {which}method{'s' if count != 1 else ''}"


def margin_words(margin: float) -> str:
    return f"{100 * margin:.3g} points"


def cost(method: str, seconds: Costs) -> str:
    spent = seconds.get(method)
    return f"; {rate(1 / spent)} documents per second on one core" if spent else ""


def ranking(decision: Decision) -> Iterator[str]:
    """The group, and how far its choice may be from the best; without a group, how near the first method came."""
    if decision.choice is not None:
        most = 100 * decision.behind[decision.choice].high
        yield f"{decision.choice} is at most {max(0.0, most):.1f} points behind the best method, with 95 % certainty."
    if not decision.group and decision.over:
        best = nearest(decision)
        lead = decision.over[best]
        yield (
            f"{best} is between {100 * lead.low:.0f} and {100 * lead.high:.0f} points above chance and the baselines: "
            "a bound for all methods at once is wider than the interval of one."
        )
    if len(decision.group) > 1 or (decision.group and decision.unproven):
        yield f"Not shown to be worse than the best: {listed(decision.group)}."
    if decision.group and decision.unproven:
        yield f"Not shown to be worse either, nor to beat chance and the baselines yet: {listed(decision.unproven)}."


def nearest(decision: Decision) -> str:
    """The method that has least to go until it is shown to beat chance and the baselines."""
    return max(decision.over, key=lambda name: decision.over[name].low)


def to_avoid(decision: Decision) -> Iterator[str]:
    """What is shown to be worse than the margin allows, then what is shown to have nothing over chance."""
    far = {name: decision.behind[name].low for name in decision.avoid if decision.behind[name].low > decision.margin}
    if far:
        yield f"Avoid {listed(list(far), MOST_AVOIDED)}: at least {100 * min(far.values()):.0f} points behind the best."
    if idle := [name for name in decision.avoid if name not in far]:
        yield f"Avoid {listed(idle, MOST_AVOIDED)}: not shown to beat chance and the baselines, and at best by little."


def not_played(case: Case) -> Iterator[str]:
    """Every method that did not play to the end, those with one reason together."""
    reasons: dict[str, list[str]] = {}
    for name, reason in case.unplayed.items():
        reasons.setdefault(reason, []).append(name)
    for reason, names in reasons.items():
        yield f"{', '.join(names)}: {reason}."


def needed(decision: Decision, cases: Sequence[Case]) -> str:
    """What would decide more; nothing where all is decided."""
    if decision.status == "decided" or (decision.status == "tied" and decision.needed is None):
        return ""
    goal = "single out one method" if decision.status == "tied" else "lead to a choice"
    if decision.needed is None and decision.open:
        return "More time would tell of the others: run the same command again, or leave out by -m what is too dear."
    if decision.needed is None:
        return f"More documents like these would hardly {goal}: play another game, or texts of more classes."
    scarce = decision.needed > max(case.available for case in cases)
    more = scarce and any(case.game.partition("[")[0] == "hybrid" for case in cases)
    advice = "; --game 'hybrid[rounds=5]' makes more of the same texts" if more else ""
    among = " among the methods that had the time" if decision.open else ""
    return f"About {_rounded(decision.needed):,} documents would probably {goal}{among}{advice}."


def _rounded(documents: int) -> int:
    """Two digits: it is an estimate."""
    return int(float(f"{documents:.2g}"))


def listed(names: Sequence[str], most: int = LISTED) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} others" if more > 0 else "")


def capitalized(words: str) -> str:
    """As the beginning of a sentence; names within it stay as they are."""
    return words[:1].upper() + words[1:]
