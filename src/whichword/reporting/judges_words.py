"""Agreement of judges in words: what follows for the verdict comes first."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict

from whichword.render import escape
from whichword.reporting.judges import Panel
from whichword.reporting.numbers import points
from whichword.statistics.intervals import Interval

LISTED = 5  # disputed methods that are named


def consequence(panel: Panel) -> str:
    """What follows for the verdict, in one sentence."""
    count, low, high = len(panel.families), *_range(panel)
    between = f"rank correlation {points(low)}" if low == high else f"rank correlation {points(low)} to {points(high)}"
    if count == 1:
        return f"{panel.model}: {_parts(panel)} ({between}): one judge, pooled in the verdict."
    if panel.contradictions:
        loss = panel.contradictions[0]
        back = points(panel.back(loss).loss)
        return (
            f"{panel.model}: the judges contradict each other: {loss.winner}, best by {loss.judge}, loses "
            f"{points(loss.loss)} by {loss.other}, and {loss.best}, best there, loses {back} by "
            f"{loss.judge} ({between}). Choose the judge that asks your question."
        )
    if panel.agree:
        return f"{panel.model}: {count} judges agree ({between}): the verdict does not rest on one game."
    return f"{panel.model}: {count} judges agree in part ({between}); {_in_part(panel)}."


def _parts(panel: Panel) -> str:
    """Whether the parts of the only game rank methods alike."""
    alike = "rank methods alike" if panel.agree else "do not all rank methods alike"
    return f"the {len(panel.concord.judges)} parts of {panel.families[0]} {alike}"


def _in_part(panel: Panel) -> str:
    """What keeps judges that do not contradict each other from agreeing."""
    if not panel.setbacks:
        return "no winner is shown to be much worse by another"
    loss = panel.setbacks[0]
    return (
        f"{loss.winner}, best by {loss.judge}, loses {points(loss.loss)} by {loss.other}, while {loss.best}, best "
        f"there, is not shown to be much worse by {loss.judge}"
    )


def _range(panel: Panel) -> tuple[float, float]:
    values = [pair.value for pair in panel.across]
    return min(values), max(values)


def lines(panel: Panel) -> Iterator[str]:
    """Everything, a line each."""
    yield consequence(panel)
    yield f"  Rank correlation over {len(panel.concord.methods)} methods [95 % over source documents]"
    for pair in panel.concord.correlations:
        slim = panel.without_width(pair)
        without = f"; without wide windows {points(slim.value)} {_bounds(slim.interval)}" if slim else ""
        yield f"    {pair.first} and {pair.second}: {points(pair.value)} {_bounds(pair.interval)}{without}"
    yield "  What the winner of each judge loses by the others"
    for judge in panel.concord.judges:
        losses = [loss for loss in panel.concord.losses if loss.judge == judge]
        told = ", ".join(f"{points(loss.loss)} {_bounds(loss.interval)} by {loss.other}" for loss in losses)
        yield f"    {judge}: {losses[0].winner}; {told}"
    yield "  Most disputed (rank by each judge)"
    for dispute in panel.concord.disputes[:LISTED]:
        ranks = ", ".join(f"{rank:g} by {judge}" for judge, rank in dispute.ranks.items())
        yield f"    {dispute.method}: {ranks}"
    yield from _width_lines(panel)
    yield from _light_lines(panel)


def _width_lines(panel: Panel) -> Iterator[str]:
    for judge, widths in panel.widths.items():
        if widths:
            gains = ", ".join(f"{width.wide} {points(width.over.difference)} over {width.narrow}" for width in widths)
            yield f"  Ahead by width in {judge}: {gains}"


def _light_lines(panel: Panel) -> Iterator[str]:
    for share in sorted(set(panel.unfamiliar.values())):
        yield f"  Deletion asked about texts unlike any other: {light(share)} ({100 * share:.0f} % of the copies)"


def light(share: float) -> str:
    """Green, yellow or red: how many edited copies the model is less or more sure of than of any text."""
    return "green" if share < 0.05 else "yellow" if share < 0.2 else "red"


def _bounds(interval: Interval) -> str:
    return f"[{points(interval.low)} {points(interval.high)}]"


def text(seated: Sequence[Panel]) -> str:
    return escape.terminal_lines("\n\n".join("\n".join(lines(panel)) for panel in seated)) + "\n"


def markdown(seated: Sequence[Panel]) -> str:
    return "\n".join(_markdown(panel) for panel in seated)


def _markdown(panel: Panel) -> str:
    head = "| judges | rank correlation | without wide windows |\n|---|---|---|\n"
    rows = []
    for pair in panel.concord.correlations:
        slim = panel.without_width(pair)
        without = f"{points(slim.value)} {_bounds(slim.interval)}" if slim else ""
        rows.append(f"| {pair.first} and {pair.second} | {points(pair.value)} {_bounds(pair.interval)} | {without} |\n")
    return f"{consequence(panel)}\n\n{head}{''.join(rows)}"


def as_json(seated: Sequence[Panel]) -> str:
    bodies = [asdict(panel) | {"agree": panel.agree, "consequence": consequence(panel)} for panel in seated]
    return json.dumps(bodies, indent=1, ensure_ascii=False) + "\n"


AGREE_FORMATS: Mapping[str, Callable[[Sequence[Panel]], str]] = {"text": text, "markdown": markdown, "json": as_json}
