"""Which methods need not play on, and what is said of those that did not play to the end."""

from collections.abc import Mapping

from whichword.method_names import BASELINES
from whichword.planning.costs import CostEstimate
from whichword.rounds.rounds_plan import Contest
from whichword.statistics.decision import Decision

CHEAP = 0.01  # of the time limit: a next round that costs less is played although only the place is open


def reasons_to_stop(
    contest: Contest, rounds: Mapping[str, int], decision: Decision | None, costs: CostEstimate, limit: float
) -> dict[str, str]:
    """Method -> why it can no longer win, or why its place no longer matters. Baselines play on: they cost nothing.

    A team stops when nobody in it has to play on; until then those who need not come along for next to nothing.
    """
    reasons: dict[str, str] = {}
    for team in contest.teams:
        played = rounds[team.labels[0]]
        if decision is None or played in (0, len(team.shards)) or team.labels[0] in BASELINES:
            continue
        next_round = sum(costs.seconds(method) for method in team.labels) * len(team.shards[played].items)
        cheap = next_round < CHEAP * limit
        words = {m: _settled(m, decision) or (None if cheap else _idle(m, decision, costs)) for m in team.labels}
        if all(words.values()):
            after = f"stopped after {contest.documents(team.labels[0], played)} documents"
            reasons |= {method: f"{after}: {reason}" for method, reason in words.items()}
    return reasons


def _settled(method: str, decision: Decision) -> str | None:
    behind = decision.behind.get(method)
    if behind is not None and behind.low > decision.margin:
        return f"shown to be at least {100 * behind.low:.0f} points behind the best"
    spoken_for = method != decision.choice and method not in decision.open
    return "another method is shown to be the best" if decision.status == "decided" and spoken_for else None


def _idle(method: str, decision: Decision, costs: CostEstimate) -> str | None:
    if method in decision.beaten:
        return "shown to be worse than the best"
    choice = decision.choice
    if choice is None or choice == method or method in decision.open:
        return None
    if costs.alone(method) >= costs.alone(choice):
        return f"its place no longer matters: {choice} is cheaper and shown to be within the margin"
    return None


def unplayed(
    contest: Contest, rounds: Mapping[str, int], stopped: Mapping[str, str], costs: CostEstimate
) -> dict[str, str]:
    """Every method that did not play all documents, with the reason."""
    words: dict[str, str] = {}
    for method, played in rounds.items():
        total, done = len(contest.team[method].shards), contest.documents(method, played)
        if played == total:
            continue
        no_time = f"no time for more than {done} documents" if done else "never played, no time for a first round"
        words[method] = stopped.get(method, f"{no_time} ({_magnitude(costs.alone(method))} per document)")
    return words


def _magnitude(seconds: float) -> str:
    """About how long, so that methods of the same cost read the same."""
    return next((f"under {unit}" for most, unit in _MAGNITUDES if seconds < most), "over ten minutes")


_MAGNITUDES = (
    (0.1, "a tenth of a second"),
    (1.0, "a second"),
    (10.0, "ten seconds"),
    (60.0, "a minute"),
    (600.0, "ten minutes"),
)
