"""What the paper's table does not say: its groups of five points, tested; and what a setting changes."""

from collections.abc import Iterator

from whichword.report.numbers import p_value, points
from whichword.reproduction.blocks import Block
from whichword.reproduction.columns import ColumnResult
from whichword.reproduction.comparison import Compared
from whichword.reproduction.evidence import paired
from whichword.reproduction.shown import Shown
from whichword.statistics import holm, mcnemar, paper_marks
from whichword.statistics.verdicts import BASELINES

ALPHA = 0.05


def within_five(shown: Shown) -> Iterator[Block]:
    """The methods within five points of the best: which of them are significantly worse than it?"""
    rows = [_group(one) for one in shown.compared.values() if one.ours]
    header = ["column", "best", "within five points", "of these significantly worse", "further away, yet not worse"]
    legend = "Exact McNemar tests against the best method of the column, Holm-corrected over the paper's methods, 5 %."
    if rows:
        yield Block("The groups within five points", header, rows, legend)


def _group(one: Compared) -> list[str]:
    figures = {name: value for name, value in one.ours.items() if name not in BASELINES}
    best = max(figures, key=figures.__getitem__)
    marks = paper_marks(dict(figures))
    tests = {name: one.result.discordant(one.rows[best], one.rows[name]) for name in figures if name != best}
    p = holm({name: mcnemar(*counts) for name, counts in tests.items()})
    near = [name for name in p if marks[name]]
    worse = [name for name in near if p[name] < ALPHA]
    far = [name for name in p if not marks[name] and p[name] >= ALPHA]
    listed = [", ".join(names) or "none" for names in (near, worse, far)]
    return [one.result.column, f"{best} {points(figures[best])}", *listed]


def without_settings(shown: Shown) -> Iterator[Block]:
    """Each extra row against the paper's row of the same method, on the same documents."""
    pairs = [(label, shown.spec.rows[label.split("[")[0]]) for label in shown.spec.extra]
    rows = [
        [f"{first} - {second}", *(_change(result, first, second) for result in shown.results.values())]
        for first, second in pairs
    ]
    if shown.results:
        legend = "Difference of accuracies, exact McNemar p in brackets, uncorrected."
        yield Block("What the settings change", ["rows", *shown.results], rows, legend)


def _change(result: ColumnResult, first: str, second: str) -> str:
    if not {first, second} <= set(result.order) or not result.counted:
        return "n/a"
    found = paired(*result.discordant(first, second), result.counted)
    return f"{found.value:+.3f} ({p_value(found.p)})".replace("0.", ".", 1)
