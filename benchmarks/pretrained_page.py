"""The transformers' part of RESULTS.md."""

from collections.abc import Sequence

from benchmarks.results import Line, Results
from benchmarks.tables import table_of

LXT = (
    "LXT works by exchanging functions of transformers' classes for the whole process, and cannot be imported beside "
    "transformers 5: it has a process of its own, with transformers 4.52 (`LXT=folder make bench`, see "
    "`benchmarks/lxt_peer.py`). Its functions have to be exchanged before a module is made: one that is there already "
    "gives other relevances, and nothing says so."
)
TOLD = (
    "Passes cannot be saved in a transformer. What is left: parameters frozen for the pass, no padding, equal edits "
    "united, the last layer at the position that is read out, shared beginnings in causal models. Ours is "
    "`whichword.explain` from texts on, with reading and prediction; Captum's module has frozen parameters too, and "
    "the best of three batch sizes. Real weights where WHICHWORD_MODELS has them:"
)


def section(runs: Sequence[Results]) -> list[str]:
    """Of the last run that has rows of transformers, if there is one."""
    return [text for run in runs for text in _told(run)]


def _told(run: Results) -> list[str]:
    models = "\n".join(f"- {name}: {told}" for name, told in run.pretrained.items())
    more, less = ([line for line in run.transformers if line.at_most is at_most] for at_most in (False, True))
    return [
        "## Transformers",
        f"Run of {run.began} (UTC). {TOLD}",
        models,
        _table(more, "the peer's time over ours"),
        _table(less, "our time over the other one"),
        LXT,
    ]


def _table(lines: Sequence[Line], ratio: str) -> str:
    head = ("model", "what", "against", "bar", ratio, "passed", "ms per text (ours)", "the same?")
    return table_of(head, [_cells(line) for line in lines])


def _cells(line: Line) -> tuple[str, ...]:
    outcome = "" if line.bar is None else "yes" if line.passed else "**no**"
    return (*line.name, line.limit, line.spread, outcome, f"{line.milliseconds:.3g}", line.check)
