"""A verdict on one screen of a terminal."""

from collections.abc import Iterator, Sequence

from whichword.render import escape
from whichword.reporting.recommendation import Advice

LINES = 25


def screen(entries: Sequence[Advice], lines: int = LINES) -> str:
    """Headlines of all, then as many reasons of each as there is room for; always what would tell more."""
    room = max(0, lines // max(1, len(entries)) - 1)
    return escape.terminal_lines("\n".join(line for advice in entries for line in _lines(advice, room)))


def _lines(advice: Advice, room: int) -> Iterator[str]:
    yield f"{advice.where}: {advice.headline}"
    last = [advice.needed] if advice.needed and room else []
    reasons = advice.reasons[: room - len(last)] if room else ()
    yield from (f"  - {reason}" for reason in (*reasons, *last))
