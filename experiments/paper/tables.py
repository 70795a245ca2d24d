"""What is shown of a reproduction: networks, figures beside figures, agreement a column, claims, costs."""

from collections.abc import Iterator
from itertools import groupby

from experiments.columns import ColumnResult
from experiments.paper.blocks import Block
from experiments.paper.comparison import Compared
from experiments.paper.discussion import CLAIMS
from experiments.paper.evidence import Measured, Printed
from experiments.paper.outcomes import Decision
from experiments.paper.shown import Shown
from whichword.reporting.table import interval, percent, points, rate

SHOWN = 3  # outcomes against a claim that are written out


def networks(shown: Shown) -> Iterator[Block]:
    """Accuracies of the networks beside the paper's."""
    rows = [
        [
            f"{group.name}-{network}",
            str(kept["corpus"].get("source", "")),
            f"{kept['heldout']:.3f}",
            f"{kept['test']:.3f}",
            f"{group.accuracy.get(network, float('nan')):.3f}",
            f"{kept['best_epoch']} of {len(kept['log'])}",
        ]
        for group in shown.spec.groups.values()
        for network in group.networks
        if (kept := shown.networks.get(f"{group.name}-{network}")) and not group.models
    ]
    if rows:
        yield Block("Networks", ["network", "corpus", "heldout", "test", "paper", "best epoch"], rows)


def figures(shown: Shown) -> Iterator[Block]:
    """Our table beside the paper's, cell by cell: a block for each part of a game."""
    legend = "Ours, its 95 % interval (Wilson), the paper's. Rows below `last` are not in the paper."
    for (group, part), found in groupby(shown.compared.values(), key=lambda one: (one.result.group, one.result.part)):
        some = list(found)
        header = ["method", *(f"{one.result.column} {one.result.network}" for one in some)]
        names = [*shown.spec.rows, *(_extra(label) for label in shown.spec.extra)]
        labels = [*shown.spec.rows, *(f"={label}" for label in shown.spec.extra)]
        rows = [[name, *(_cell(one, label) for one in some)] for name, label in zip(names, labels, strict=True)]
        yield Block(f"{group}: {part}", header, rows, legend)


def _extra(label: str) -> str:
    return label if "[" in label else f"{label}[samples=none]"


def _cell(one: Compared, row: str) -> str:
    """.87 [.85 .89] .86; a row with = in front is one of ours, by its label."""
    figure = one.result.figures.get(row[1:]) if row.startswith("=") else one.figure(row)
    paper = "" if row.startswith("=") else points(one.published.get(row))
    if figure is None or not figure.total:
        return f"n/a {paper}".strip()
    return f"{points(figure.accuracy)} {interval(figure.interval)} {paper}".strip()


def agreement(shown: Shown) -> Iterator[Block]:
    """How near each column is to the paper's."""
    rows = [_agreement(one) for one in shown.compared.values()]
    header = ["column", "game", "network", "documents", "discarded", "rank correlation", "mean difference", "outside"]
    legend = (
        "Spearman's correlation and mean absolute difference over the paper's 20 methods; outside: published figures "
        "that are not within our interval. Documents: played, of all there are."
    )
    if rows:
        yield Block("Columns", header, rows, legend)


def _agreement(one: Compared) -> list[str]:
    result = one.result
    correlation, difference = one.correlation, one.difference
    return [
        result.column,
        f"{result.group}: {result.part}",
        result.network,
        f"{result.played} of {result.available}",
        f"{result.discarded} ({percent(result.discarded / max(1, result.played))})",
        "-" if correlation is None else f"{correlation:.2f}",
        "-" if difference is None else f"{difference:.3f}",
        f"{one.outside} of {len(one.published)}",
    ]


def claims(shown: Shown) -> Iterator[Block]:
    """What becomes of the paper's claims, on our results and on its own figures."""
    measured, printed = Measured(shown.results, shown.spec.rows), Printed(shown.published)
    rows = []
    for claim in CLAIMS:
        found, own = claim.decide(measured), claim.decide(printed)
        rows.append([claim.about, claim.text, found.status, reasons(found), own.status])
    legend = (
        "Decided by paired exact McNemar tests (Holm-corrected) or 95 % intervals of paired differences; the last "
        "column applies the same test to the paper's own figures, taken as exact."
    )
    yield Block("Claims", ["about", "claim", "here", "numbers", "paper"], rows, legend)


def reasons(decision: Decision) -> str:
    """The count, and the strongest of what speaks against it."""
    against = [outcome for outcome in decision.outcomes if outcome.state in ("no", "open")]
    worst = sorted(against, key=lambda outcome: outcome.state != "no")[:SHOWN]
    named = [f"{outcome.where} {outcome.numbers}" for outcome in worst]
    if len(decision.outcomes) == 1 and decision.outcomes[0].numbers and not named:
        named = [f"{decision.outcomes[0].where} {decision.outcomes[0].numbers}"]
    more = f"; and {len(against) - SHOWN} more" if len(against) > SHOWN else ""
    return f"{decision.count}{': ' if named else ''}{'; '.join(named)}{more}"


def costs(shown: Shown) -> Iterator[Block]:
    """Documents a second on one core, by method; games of one run are timed once."""
    runs: dict[str, ColumnResult] = {}
    for result in shown.results.values():
        runs.setdefault(f"{result.group}-{result.network}", result)
    labels = [*shown.spec.methods, *shown.spec.extra]
    rows = [[_extra_of(label, shown), *(_rate(result, label) for result in runs.values())] for label in labels]
    hours = [sum(figure.seconds for figure in result.figures.values()) / 3600 for result in runs.values()]
    rows.append(["hours of one core", *(f"{each:.2f}" for each in hours)])
    if runs:
        yield Block("Documents a second, one core", ["method", *runs], rows, COSTS)


COSTS = "Methods that share their passes share their seconds evenly. The machine was busy with other work."


def _extra_of(label: str, shown: Shown) -> str:
    return _extra(label) if label in shown.spec.extra else label


def _rate(result: ColumnResult, label: str) -> str:
    figure = result.figures.get(label)
    return rate(result.played / figure.seconds) if figure and figure.seconds else "-"
