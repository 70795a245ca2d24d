"""What the paper's table does not say: its groups of five points, tested; and what a setting changes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from experiments.columns import ColumnResult
from experiments.paper.blocks import Block
from experiments.paper.comparison import Compared, nearness
from experiments.paper.evidence import paired
from experiments.paper.shown import Shown
from whichword.method_names import BASELINES
from whichword.reporting.table import p_value, points
from whichword.statistics import holm, mcnemar, paper_marks, spearman

ALPHA = 0.05

# other readings of the paper's rows: which of our labels each of its names stands for
Reading = Callable[[Compared], Compared]


def _dropped(one: Compared) -> Compared:
    """Windows that start before the document are left out."""
    changed = {name: f"{name}[edges=right]" for name in ("omit_3", "omit_7", "occ_3", "occ_7")}
    return replace(one, rows={**one.rows, **changed})


def _of_p(one: Compared) -> Compared:
    """Both magnitude-sensitive fits of LIMSSE are fits of p: the two are equal in C16 to C27 of the paper."""
    return replace(one, rows={**one.rows, "limsse_ms_s": one.rows.get("limsse_ms_p", "")})


def _masked(one: Compared) -> Compared:
    """On the CNN, omission puts zeros in the place of words, as occlusion does: the two are equal in the paper."""
    if one.result.network != "cnn":
        return one
    changed = {f"omit_{n}": one.rows.get(f"occ_{n}", "") for n in (1, 3, 7)}
    return replace(one, rows={**one.rows, **changed})


READINGS: Mapping[str, tuple[Reading, ...]] = {
    "as defined": (),
    "windows dropped at the edge": (_dropped,),
    "LIMSSE of s fitted to p": (_of_p,),
    "omission by zeros on the CNN": (_masked,),
    "all three": (_dropped, _of_p, _masked),
}


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


def seeds(shown: Shown) -> Iterator[Block]:
    """Networks of another seed: how far their figures lie apart, beside the interval between documents."""
    rows = []
    for column, every in shown.seeds.items():
        first, numbers = every[0], _spread(*every, labels=shown.spec.rows.values())
        near = _each_and_mean([replace(shown.compared[column], result=one) for one in every])
        rows.append([column, first.network, f"{first.played} of {first.available}", *numbers, *near])
    header = ["column", "network", "documents", "seeds", "standard deviation", "largest range", "half interval"]
    header += ["inside", "rank correlation", "with the paper: each seed", "mean of the seeds"]
    legend = (
        "Over the paper's rows: means, but for the largest range; inside: how many rows of each other seed lie within "
        "the first one's interval; the correlation is the lowest with the first seed. "
        "With the paper: rank correlation and mean absolute difference, also of the mean figures of all seeds."
    )
    if rows:
        yield Block("Seeds", header, rows, legend)


def _spread(result: ColumnResult, *others: ColumnResult, labels: Iterable[str]) -> list[str]:
    every = [result, *others]
    common = [label for label in labels if all(label in one.accuracies for one in every)]
    figures = np.array([[one.accuracies[label] for label in common] for one in every])
    low, high = np.array([(found.low, found.high) for found in (result.figures[name].interval for name in common)]).T
    inside = ((low <= figures[1:]) & (figures[1:] <= high)).sum(1)
    related = [spearman(dict(result.accuracies), dict(one.accuracies)) for one in others]
    lowest = min((value for value in related if value is not None), default=None)
    numbers = (figures.std(0, ddof=1).mean(), np.ptp(figures, axis=0).max(), (high - low).mean() / 2)
    counts = f"{', '.join(map(str, inside))} of {len(common)}"
    return [str(len(every)), *(f"{each:.3f}" for each in numbers), counts, "-" if lowest is None else f"{lowest:.2f}"]


def _each_and_mean(every: Sequence[Compared]) -> list[str]:
    first = every[0]
    common = [name for name in first.ours if all(name in one.ours for one in every)]
    mean = {name: float(np.mean([one.ours[name] for one in every])) for name in common}
    each = [_near(one.ours, one.published) for one in every]
    return ["; ".join(each), _near(mean, first.published)]


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


def readings(shown: Shown) -> Iterator[Block]:
    """How near the columns come to the paper's if some of its rows are read in another way."""
    compared = shown.compared
    rows = [
        [name, *(_near(_read(each, one).ours, one.published) for one in compared.values())]
        for name, each in READINGS.items()
    ]
    legend = (
        "Rank correlation and mean absolute difference, if the paper's rows are taken to be others of ours: windows "
        "that start before the document are dropped (`edges=right`); both rows of LIMSSE ms are fits of p; on the CNN "
        "omission puts zeros in the place of words."
    )
    if compared:
        yield Block("Other readings of the paper's rows", ["reading", *compared], rows, legend)


def _read(readings: Iterable[Reading], one: Compared) -> Compared:
    for reading in readings:
        one = reading(one)
    return one


def _near(ours: Mapping[str, float], published: Mapping[str, float]) -> str:
    correlation, difference = nearness(ours, published)
    return "n/a" if correlation is None or difference is None else f"{correlation:.2f} {difference:.3f}"
