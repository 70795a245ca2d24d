"""Agreement of judges in words: what follows for the verdict comes first.

Judges side by side, as SVG: every method's rank by every judge, and what noise does to the best method.

Colours are the page's variables, so that a figure follows its theme; saved alone they fall back to ink on paper.
"""

import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict

from whichword.render import escape
from whichword.reporting.judges import Panel
from whichword.reporting.table import points
from whichword.scoring.outcomes import Degraded
from whichword.statistics.judges import Correlation
from whichword.statistics.tests import Interval

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


ROW, COLUMN, NAME, TOP = 21.0, 190.0, 140.0, 76.0  # pixels
LETTER = 7.4  # pixels that a bold letter takes, on average
INK, SOFT, LINE = "var(--ink, #1d1c1a)", "var(--ink-soft, #6b6862)", "var(--line, #d5d2cb)"
WINNERS = ("var(--accent, #3246c8)", "var(--warm, #c26a1b)", "var(--good, #1f7a43)", "var(--bad, #b3261e)")
FONT = 'font-family="Inter, system-ui, Helvetica, Arial, sans-serif" font-size="12.5"'


def ranks_svg(panel: Panel) -> str:
    """A line per method from judge to judge, best on top; the winner of each judge has a colour.

    Between two judges stands their rank correlation.
    """
    judges, methods = panel.concord.judges, panel.concord.methods
    ranks = {dispute.method: [dispute.ranks[judge] for judge in judges] for dispute in panel.concord.disputes}
    colours = _colours(panel)
    places = _spread(ranks, len(judges), list(colours))
    plain = [method for method in methods if method not in colours]
    body = "".join(_method(method, places[method], colours.get(method)) for method in (*plain, *colours))
    more = max(0.0, LETTER * max(map(len, methods)) + 12 - NAME)  # for names that are longer than ours
    drawn = f'<g transform="translate({more:.1f} 0)">\n{_heads(panel)}{body}</g>\n'
    width = 2 * (NAME + more) + COLUMN * (len(judges) - 1)
    height = TOP + ROW * len(methods) + 12
    title = f"ranks of methods by {len(judges)} judges, {panel.model}"
    return _svg(width, height, drawn, title, "; ".join(_told(judge, panel) for judge in judges))


def _told(judge: str, panel: Panel) -> str:
    """A judge's ranking in words, for those who do not see the figure."""
    ranks = {dispute.method: dispute.ranks[judge] for dispute in panel.concord.disputes}
    return f"{judge}: " + ", ".join(f"{rank:g} {method}" for method, rank in sorted(ranks.items(), key=lambda r: r[1]))


def _spread(ranks: Mapping[str, Sequence[float]], judges: int, first: Sequence[str]) -> dict[str, list[float]]:
    """Places instead of ranks: equal ranks would put two names on one line. Of equal methods ``first`` come first."""
    places: dict[str, list[float]] = {method: [] for method in ranks}
    for judge in range(judges):
        merit = {method: (ranks[method][judge], method not in first) for method in ranks}
        for place, method in enumerate(sorted(ranks, key=merit.__getitem__)):
            places[method].append(float(place))
    return places


def _colours(panel: Panel) -> dict[str, str]:
    winners = dict.fromkeys(loss.winner for loss in panel.concord.losses)
    return {winner: WINNERS[number % len(WINNERS)] for number, winner in enumerate(winners)}


def _heads(panel: Panel) -> str:
    judges = panel.concord.judges
    heads = [_head(judge, _x(number)) for number, judge in enumerate(judges)]
    pairs = {(pair.first, pair.second): pair for pair in panel.concord.correlations}
    between = [
        _text(_correlation(pairs[first, second]), (_x(number) + _x(number + 1)) / 2, 54, "middle", SOFT)
        for number, (first, second) in enumerate(itertools.pairwise(judges))
    ]
    return "".join(heads + between)


def _head(judge: str, x: float) -> str:
    """The game, and below it its part."""
    game, _, part = judge.partition(": ")
    return _text(game, x, 16, "middle", INK, bold=True) + (_text(part, x, 32, "middle", INK) if part else "")


def _correlation(pair: Correlation) -> str:
    return f"{points(pair.value)} [{points(pair.interval.low)} {points(pair.interval.high)}]"


def _method(method: str, places: Sequence[float], colour: str | None) -> str:
    stroke, weight = (colour, 2.6) if colour else (LINE, 1.4)
    dots = [(_x(number), _y(place)) for number, place in enumerate(places)]
    path = " ".join(f"{'M' if not number else 'L'}{x:.1f} {y:.1f}" for number, (x, y) in enumerate(dots))
    line = f'<path d="{path}" fill="none" stroke="{stroke}" stroke-width="{weight}"/>\n'
    circles = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" fill="{stroke}"/>\n' for x, y in dots)
    before = _text(method, dots[0][0] - 10, dots[0][1] + 4, "end", colour or SOFT, bold=bool(colour))
    after = _text(method, dots[-1][0] + 10, dots[-1][1] + 4, "start", colour or SOFT, bold=bool(colour))
    return line + circles + before + after


def noise_svg(curves: Mapping[str, Degraded]) -> str:
    """Small curves side by side: the score of each judge's best method from no noise to nothing but noise."""
    size, gap, head = 120.0, 44.0, 40.0
    starts = [number * (size + gap) + 34 for number in range(len(curves))]
    parts = [_curve(*curve, x, head, size) for curve, x in zip(curves.items(), starts, strict=True)]
    told = "; ".join(_fall(title, noise) for title, noise in curves.items())
    return _svg(max(1, len(curves)) * (size + gap) + 34, head + size + 30, "".join(parts), "scores under noise", told)


def _fall(title: str, noise: Degraded) -> str:
    steps = zip(noise.scores, noise.levels, strict=True)
    return f"{title}, {noise.method}: " + ", ".join(f"{points(score)} at {100 * q:.0f} %" for score, q in steps)


def _curve(title: str, noise: Degraded, x: float, y: float, size: float) -> str:
    colour = WINNERS[2] if noise.falls else WINNERS[3]
    dots = [(x + size * q, y + size * (1 - score)) for q, score in zip(noise.levels, noise.scores, strict=True)]
    path = " ".join(f"{'M' if not number else 'L'}{a:.1f} {b:.1f}" for number, (a, b) in enumerate(dots))
    frame = f'<path d="M{x} {y} V{y + size} H{x + size}" fill="none" stroke="{LINE}"/>\n'
    ends = _text("1", x - 6, y + 4, "end", SOFT) + _text("0", x - 6, y + size + 4, "end", SOFT)
    below = _text("0 %", x, y + size + 18, "middle", SOFT) + _text("noise 100 %", x + size, y + size + 18, "end", SOFT)
    line = f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2.4"/>\n'
    above = _text(title, x + size / 2, 14, "middle", INK, bold=True)
    return above + _text(noise.method, x + size / 2, 30, "middle", SOFT) + frame + ends + below + line


def _x(number: int) -> float:
    return NAME + COLUMN * number


def _y(place: float) -> float:
    return TOP + ROW * (place + 0.5)


def _text(text: str, x: float, y: float, anchor: str, colour: str, bold: bool = False) -> str:
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"{weight}>{escape.html(text)}</text>\n'


def _svg(width: float, height: float, body: str, title: str, told: str) -> str:
    """``told``: what the figure shows, in words."""
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {FONT} role="img">'
    words = f"<title>{escape.html(title)}</title>\n<desc>{escape.html(told)}</desc>"
    return f"{opening}\n{words}\n{body}</svg>\n"
