"""Documents that a pairing has no answer for, or not for all of their words: in words, for tables and reports."""

from collections.abc import Iterator, Mapping

from whichword.runs.plan import Pairing
from whichword.runs.receipts import Shortfall
from whichword.runs.run import Run


def remarks(run: Run, pairing: Pairing) -> tuple[str, ...]:
    """What is to be said of a pairing's documents; nothing where every word of each of them was read and answered."""
    counts = run.plan.set(pairing.set).left_out
    return (*([left_out(counts)] if counts else []), *_short(run.shortfall(pairing.id)))


def _short(shortfall: Shortfall) -> Iterator[str]:
    if shortfall.failed:
        again = "run the command that made the run again to ask again"
        yield f"failed: {shortfall.failed:,} documents (the model gave no answer; {again})"
    if shortfall.cut:
        why = "longer than the model reads; they are no part of what is judged"
        yield f"not read: {shortfall.unread:,} words of {shortfall.cut:,} documents ({why})"


def left_out(counts: Mapping[str, int]) -> str:
    """``left out: 60 documents (a form of the verb is not known), 87 documents (...)``."""
    return "left out: " + ", ".join(f"{count:,} documents ({reason})" for reason, count in counts.items())
