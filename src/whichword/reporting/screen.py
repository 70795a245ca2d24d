"""A verdict on one screen of a terminal; and, before a run starts, what it will be able to tell."""

from collections.abc import Iterator, Sequence

from whichword.method_names import BASELINES
from whichword.render import escape
from whichword.reporting.verdict import Advice
from whichword.runs.records import ItemSet, Pairing, RunPlan
from whichword.statistics.bounds import level_of
from whichword.statistics.decision import MARGIN, distance_shown, documents_to_show

LINES = 25


def screen(entries: Sequence[Advice], lines: int = LINES) -> str:
    """Write headlines of all, then as many reasons of each as there is room for; always what would tell more."""
    room = max(0, lines // max(1, len(entries)) - 1)  # one line of each is its headline
    return escape.terminal_lines("\n".join(line for advice in entries for line in _lines(advice, room)))


def _lines(advice: Advice, room: int) -> Iterator[str]:
    yield f"{advice.where}: {advice.headline}"
    last = [advice.needed] if advice.needed and room else []  # reasons are cut, this is not
    reasons = advice.reasons[: room - len(last)] if room else ()
    yield from (f"  - {reason}" for reason in (*reasons, *last))


DIFFERING = 0.2  # of documents, on which two methods typically differ; where more, more documents are needed


def power(plan: RunPlan, margin: float = MARGIN) -> Iterator[str]:
    """Write a sentence per set: how far apart methods must be to be told apart, and what the margin would need."""
    by_set = {pairings[0].set: pairings for pairings in by_title(plan).values()}
    for played in plan.sets:
        level = level_of(_columns(by_set[played.id]))  # more columns, more comparisons that share the error
        apart = 100 * distance_shown(played.items, DIFFERING, level)  # points
        enough = documents_to_show(margin, DIFFERING, level)
        told = f"{played.items:,} documents tell methods apart that are {_points(apart)} apart"
        title = f"{plan.corpus_name(played)} as {played.game}"
        yield f"{title}: {told}{_room(played)}; {_wish(margin, enough, played.items)}"


def _points(apart: float) -> str:
    """Say it in words: a million documents tell apart what is hardly apart."""
    return f"some {apart:.0f} points" if apart >= 1.5 else "about a point" if apart >= 0.75 else "less than a point"


def by_title(plan: RunPlan) -> dict[str, list[Pairing]]:
    """Map ``lstm on grammar as agreement`` to its pairing, or in a run in rounds those of its methods."""
    titles: dict[str, list[Pairing]] = {}
    for pairing in plan.pairings:
        titles.setdefault(plan.title(pairing), []).append(pairing)
    return titles


def _columns(pairings: Sequence[Pairing]) -> int:
    """Count methods, baselines and chance."""
    labels = [label for pairing in pairings for label in pairing.labels]
    return len(labels) + (not any(label in BASELINES for label in labels))


def _room(played: ItemSet) -> str:
    """Remark that texts put together from two classes leave half of the scale above chance."""
    half = len(played.classes) == 2 and played.game.partition("[")[0] == "hybrid"
    return " (with 2 classes chance is about .5, which leaves little room)" if half else ""


def _wish(margin: float, enough: float, documents: int) -> str:
    goal = f"{100 * margin:.3g} points need about {float(f'{enough:.2g}'):,.0f}"
    return goal if enough > documents else f"that is enough for {100 * margin:.3g} points"
