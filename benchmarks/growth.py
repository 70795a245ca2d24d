"""Seconds per document against its length T: every family on the networks of the hybrid experiment."""

import math
from collections.abc import Sequence
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from benchmarks.tables import table_of
from benchmarks.timing import Work, once, seconds
from benchmarks.workloads import FAMILIES, LONG, workload

LENGTHS = (12, 50, 200, 400, 1000)
Growth = dict[str, dict[str, dict[str, float]]]  # network -> family -> T -> seconds
# distinguishable without colour too
STYLES = {
    "gradient": ("#0072b2", "o"),
    "perturbation": ("#d55e00", "s"),
    "decomp": ("#009e73", "^"),
    "lrp": ("#cc79a7", "v"),
    "deeplift": ("#7a6a00", "D"),
    "LIMSSE": ("#000000", "x"),
}


def measure(quick: bool) -> Growth:
    """`explain` of one document of random words, CPU seconds."""
    growth: Growth = {}
    for network, sizes in LONG.items():
        for length in LENGTHS[:2] if quick else LENGTHS:
            document = workload(network, sizes(length))
            for family, methods in FAMILIES.items():
                if len(document.defined(methods)) == len(methods):
                    times = growth.setdefault(network, {}).setdefault(family, {})
                    times[str(length)] = _time(document.ours(*methods), 1 if quick else 3)
    return growth


def _time(work: Work, turns: int) -> float:
    """The shortest of some turns; of one only, where that takes long."""
    first = once(work)
    return first if first > 1.0 else min(seconds(work) for _ in range(turns))


def exponent(times: dict[str, float]) -> float:
    """b of seconds = a T^b between the two longest documents."""
    (short, few), (long, many) = list(times.items())[-2:]
    return math.log(many / few) / math.log(int(long) / int(short))


def table(growth: Growth) -> str:
    lengths = list(next(iter(next(iter(growth.values())).values())))
    head = ["network", "family", *(f"T = {length}" for length in lengths), f"exponent, {lengths[-2]} to {lengths[-1]}"]
    rows = [_row(network, family, times) for network, by in growth.items() for family, times in by.items()]
    return table_of(head, rows)


def _row(network: str, family: str, times: dict[str, float]) -> list[str]:
    return [network, family, *(f"{1000 * value:.3g}" for value in times.values()), f"{exponent(times):.2f}"]


def draw(growth: Growth, path: Path) -> None:
    """A panel per network, both axes logarithmic; the last place holds the legend."""
    matplotlib.rcParams |= {"svg.hashsalt": "growth", "font.size": 9}
    figure = Figure(figsize=(10.0, 6.2), layout="constrained")
    *panels, corner = figure.subplots(2, 3, sharex=True, sharey=True).flat
    for panel, (network, families) in zip(panels, growth.items(), strict=True):
        _panel(panel, network, families)
    corner.axis("off")
    corner.legend(*panels[0].get_legend_handles_labels(), loc="center", frameon=False, fontsize=10)
    figure.supxlabel("words in the document, T")
    figure.supylabel("milliseconds per document (one core)")
    figure.savefig(path, metadata={"Date": None})


def _panel(panel: matplotlib.axes.Axes, network: str, families: dict[str, dict[str, float]]) -> None:
    ticks: Sequence[int] = []
    for family, times in families.items():
        colour, marker = STYLES[family]
        ticks = [int(length) for length in times]
        panel.plot(ticks, [1000.0 * time for time in times.values()], color=colour, marker=marker, ms=4.5, label=family)
    panel.set(title=network, xscale="log", yscale="log")
    panel.set_xticks(ticks, [str(tick) for tick in ticks])
    panel.tick_params(labelbottom=True, labelleft=True)
    panel.minorticks_off()
    panel.grid(color="#dddddd", lw=0.6)
