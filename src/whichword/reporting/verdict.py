"""The verdict in words: for each model what to use, or that the data cannot tell yet; why; and what would tell more.

`verdict` tells programs the same: a line with a JSON object per model.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from whichword.errors import InputError
from whichword.games import recalled
from whichword.render import escape
from whichword.reporting.table import Case, Column, Table, percent, points, rate
from whichword.statistics import for_all
from whichword.statistics.decision import Costs, Decision, Status

LISTED = 6  # names before "and others"
MOST_AVOIDED = 12


def why(decision: Decision) -> str:
    """Say what the headline has after the name, or after "Cannot tell yet"."""
    others = f" (too little is known of {_methods(len(decision.open), 'other ')})" if decision.open else ""
    return f"{_SHOWN[decision.status](decision, f'on {decision.documents:,} documents')}{others}"


def _best(decision: Decision, where: str) -> str:
    return f"shown to be the best of {_methods(len(decision.behind))} {where}"


def _near_the_best(decision: Decision, where: str) -> str:
    alike = "the only method" if len(decision.good) == 1 else f"the cheapest of {len(decision.good)} methods"
    return f"{alike} shown to be within {margin_words(decision.margin)} of the best {where}"


def _nothing(decision: Decision, where: str) -> str:
    if not decision.group:  # nothing to choose from, so the margin is not the point
        return f"no method is shown to beat chance and the baselines {where}"
    points = margin_words(decision.margin)
    if decision.good:
        compared = sum(name not in decision.open for name in decision.behind)
        return (
            f"of {_methods(compared)} compared {where}, {decision.good[0]} is shown to be within {points} of the best"
        )
    level = [name for name in (*decision.group, *decision.unproven) if name not in decision.open]  # not the open ones
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
    spent = seconds.get(method)  # None or 0: never timed, as relevances from elsewhere
    return f"; {rate(1 / spent)} documents per second on one core" if spent else ""


def ranking(decision: Decision) -> Iterator[str]:
    """Tell the group and how far its choice may be from the best; without a group, how near the first method came."""
    if decision.choice is not None:
        most = 100 * decision.behind[decision.choice].high  # in points, as all that is said to users
        yield f"{decision.choice} is at most {max(0.0, most):.1f} points behind the best method, with 95 % certainty."
    if not decision.group and decision.over:  # nothing got there: say what came nearest
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
    """Find the method that has least to go until it is shown to beat chance and the baselines."""
    return max(decision.over, key=lambda name: decision.over[name].low)


def to_avoid(decision: Decision) -> Iterator[str]:
    """Tell what is shown to be worse than the margin allows, then what is shown to have nothing over chance."""
    far = {name: decision.behind[name].low for name in decision.avoid if decision.behind[name].low > decision.margin}
    if far:  # the others are avoided because they have next to nothing over chance
        yield f"Avoid {listed(list(far), MOST_AVOIDED)}: at least {100 * min(far.values()):.0f} points behind the best."
    if idle := [name for name in decision.avoid if name not in far]:
        yield f"Avoid {listed(idle, MOST_AVOIDED)}: not shown to beat chance and the baselines, and at best by little."


def not_played(case: Case) -> Iterator[str]:
    """Name every method that did not play to the end, those with one reason together."""
    reasons: dict[str, list[str]] = {}
    for name, reason in case.unplayed.items():
        reasons.setdefault(reason, []).append(name)  # twenty methods often share one reason
    for reason, names in reasons.items():
        yield f"{', '.join(names)}: {reason}."


def needed(decision: Decision, cases: Sequence[Case]) -> str:
    """Say what would decide more; nothing where all is decided."""
    if decision.status == "decided" or (decision.status == "tied" and decision.needed is None):  # a tie to live with
        return ""
    goal = "single out one method" if decision.status == "tied" else "lead to a choice"
    if decision.needed is None and decision.open:  # time is what lacked, not documents
        return "More time would tell of the others: run the same command again, or leave out by -m what is too dear."
    if decision.needed is None:
        return f"More documents like these would hardly {goal}: play another game, or texts of more classes."
    scarce = decision.needed > max(case.available for case in cases)  # more than the corpus holds
    more = scarce and any(case.game.partition("[")[0] == "hybrid" for case in cases)
    advice = "; --game 'hybrid[rounds=5]' makes more of the same texts" if more else ""
    among = " among the methods that had the time" if decision.open else ""
    return f"About {_rounded(decision.needed):,} documents would probably {goal}{among}{advice}."


def _rounded(documents: int) -> int:
    """Keep two digits: it is an estimate."""
    return int(float(f"{documents:.2g}"))


def listed(names: Sequence[str], most: int = LISTED) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} others" if more > 0 else "")


def capitalized(words: str) -> str:
    """Begin a sentence with these words; names within them stay as they are."""
    return words[:1].upper() + words[1:]


FEW = 30  # documents: below, a column is shown faded
MANY_DISCARDED = 0.2  # a share that is worth a remark
UNDECIDED = "Cannot tell yet"

GENERAL = (
    "Only the most relevant word counts: whether the rest of a heat map, its signs and its sizes are right stays open.",
    "The figures hold for these models on these documents: another network, or other texts, need a run of their own.",
    "Discarded documents are not judged, and a good explanation of a bad model is still one of a bad model.",
)


@dataclass(frozen=True)
class Advice:
    """One model on one corpus, all games together. ``decision`` is None where there was nothing to judge.

    ``headline`` says it all in one sentence after ``where``; ``reasons`` say why, ``needed`` what would tell more.
    """

    run: str
    model: str
    corpus: str
    games: tuple[str, ...]
    decision: Decision | None
    headline: str
    reasons: tuple[str, ...]
    needed: str
    seconds: Costs

    @property
    def method(self) -> str | None:
        """The choice; None where nothing is shown."""
        return self.decision.choice if self.decision else None

    @property
    def status(self) -> Status:
        return self.decision.status if self.decision else "undecided"

    @property
    def where(self) -> str:
        return f"{self.model} on {self.corpus}"

    def to_json(self) -> dict[str, Any]:
        """Return what programs act on."""
        decision = self.decision
        return {
            "model": self.model,
            "corpus": self.corpus,
            "games": list(self.games),
            "status": self.status,
            "group": list(decision.group) if decision else [],
            "unproven": list(decision.unproven) if decision else [],
            "choice": self.method,
            "avoid": list(decision.avoid) if decision else [],
            "needed": {"documents": decision.needed if decision else None, "words": self.needed or None},
            "margin": decision.margin if decision else None,
            "documents": decision.documents if decision else 0,
        }


@dataclass(frozen=True)
class Recommendation:
    """Advice for each model, and what the games cannot tell."""

    advice: tuple[Advice, ...]
    limits: tuple[str, ...]

    def __str__(self) -> str:
        limits = "\n".join(["What the games cannot tell", *(f"  - {limit}" for limit in self.limits)])
        return escape.terminal_lines("\n\n".join([*map(_block, self.advice), limits]))

    def _repr_html_(self) -> str:
        blocks = [(f"{entry.where}: {entry.headline}", _lines(entry)) for entry in self.advice]
        return "".join(
            f"<p><b>{escape.html(head)}</b></p><ul>{''.join(f'<li>{escape.html(line)}</li>' for line in lines)}</ul>"
            for head, lines in [*blocks, ("What the games cannot tell", self.limits)]
        )


def recommend(table: Table) -> Recommendation:
    """Say what the data show for each model on each corpus; see `whichword.statistics.decide`."""
    if not isinstance(table, Table):
        raise InputError("recommend takes a table: whichword.recommend(whichword.table(run))")
    ordered = sorted(table.cases, key=_key)  # groupby joins neighbours only
    advice = tuple(_advise(list(cases), table) for _, cases in groupby(ordered, key=_key))
    caveats = dict.fromkeys(caveat for column in table.columns for caveat in recalled(column.game).caveats)
    return Recommendation(advice, (*caveats, *GENERAL))


def _block(advice: Advice) -> str:
    return "\n".join([f"{advice.where}: {advice.headline}", *(f"  - {line}" for line in _lines(advice))])


def _lines(advice: Advice) -> tuple[str, ...]:
    return (*advice.reasons, advice.needed) if advice.needed else advice.reasons


def _key(case: Case | Column) -> tuple[str, str, str]:
    return case.run, case.model, case.corpus


def _advise(cases: Sequence[Case], table: Table) -> Advice:
    """Decide by all games but those in which no method is shown to beat chance: they tell nothing."""
    first = cases[0]
    decisions = [case.decision for case in cases if case.decision is not None and not case.silent]
    telling = [decision for decision in decisions if decision.group] or decisions
    seconds = {name: value for case in reversed(cases) for name, value in case.seconds.items()}  # the first game wins
    decision = for_all(telling, seconds) if telling else None
    columns = [column for column in table.columns if _key(column) == _key(first)]
    return Advice(
        run=first.run,
        model=first.model,
        corpus=first.corpus,
        games=tuple(case.game for case in cases),
        decision=decision,
        headline=_headline(decision, seconds, columns, cases),
        reasons=tuple(_reasons(decision, cases, columns)) if decision else (),
        needed=needed(decision, cases) if decision else "",
        seconds=seconds,
    )


def _headline(decision: Decision | None, seconds: Costs, columns: Sequence[Column], cases: Sequence[Case]) -> str:
    if decision is None:
        if silent := [case.silent for case in cases if case.silent]:
            return f"{UNDECIDED}: {'; '.join(dict.fromkeys(silent))}."
        counted = any(column.documents for column in columns)  # then only a method to choose is missing
        return f"{UNDECIDED}: {'only baselines played' if counted else 'no document counts'}."
    if decision.choice is None:
        return f"{UNDECIDED}: {why(decision)}."
    return f"Use {decision.choice}: {why(decision)}{cost(decision.choice, seconds)}."


def _reasons(decision: Decision, cases: Sequence[Case], columns: Sequence[Column]) -> Iterator[str]:
    yield _rests_on(cases)
    yield from (_figures(column, decision) for column in columns if column.documents and "." not in column.part)
    yield from (_width(column) for column in columns if column.wide)
    yield from ranking(decision)
    yield from to_avoid(decision)
    for case in cases:
        yield from not_played(case)
    parts = [column.part for column in columns]
    for column in columns:
        total = column.discarded + column.documents
        if len(parts) == len(cases) and column.discarded > MANY_DISCARDED * total:
            yield f"{column.discarded} of {total} documents are discarded, so the figures are about the others only."


def _rests_on(cases: Sequence[Case]) -> str:
    """Say which judges had a part in it, and why others had none."""
    judges = [case.game for case in cases if case.decision is not None and not case.silent]
    silent = dict.fromkeys(case.silent for case in cases if case.silent)
    return f"This rests on {', '.join(judges)}." + "".join(f" {words[0].upper()}{words[1:]}." for words in silent)


def _width(column: Column) -> str:
    gains = (f"{wide.wide} ({points(wide.over.difference)} over {wide.narrow})" for wide in column.wide)
    title = recalled(column.game).part(column.part).title
    return f"{title}: ahead by width, since whole fragments are right here: {', '.join(gains)}."


def _figures(column: Column, decision: Decision) -> str:
    """Say how the chosen method, or the first of the group, did in a part of a game."""
    hopeful = [nearest(decision)] if decision.over and not decision.group else []  # shown where no method got there
    names = [name for name in (decision.choice, *decision.group, *hopeful, column.best) if name in column.cells]
    title = recalled(column.game).part(column.part).title
    if not names or names[0] is None:  # None is never a key of cells, but the type checker cannot know
        return f"{title}: {column.documents} documents count."
    cell = column.cells[names[0]]
    interval = cell.interval
    sure = f"95 % interval {percent(interval.low)} to {percent(interval.high)}" if interval else ""
    chance = f"; chance is {percent(column.chance)}" if column.chance is not None else ""
    share = f"{percent(cell.accuracy or 0.0)} of {column.documents} documents"
    average = f"gets {percent(cell.accuracy or 0.0)} on average over {column.documents} documents"
    return f"{title}: {names[0]} {average if cell.bounds else f'is right on {share}'} ({sure}{chance})."


def verdict(table: Table) -> str:
    """Write a line of JSON per model: status, group, choice, avoid, needed."""
    return "".join(json.dumps(advice.to_json(), allow_nan=False) + "\n" for advice in recommend(table).advice)
