"""Agreement of judges in words, what follows for the verdict first; and noise against their best methods, as SVG.

Colours are the page's variables, so that a figure follows its theme; saved alone they fall back to ink on paper.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict

from whichword.render import escape
from whichword.reporting.judges import Panel
from whichword.reporting.table import points
from whichword.scoring.outcomes import Degraded
from whichword.statistics.judges import Correlation


def consequence(panel: Panel) -> str:
    """Say what follows for the verdict, in one sentence."""
    count, low, high = len(panel.families), *_range(panel)
    between = f"rank correlation {points(low)}" if low == high else f"rank correlation {points(low)} to {points(high)}"
    if count == 1:  # its parts share documents, so that they say less together than two games
        return f"{panel.model}: {_parts(panel)} ({between}): one judge, pooled in the verdict."
    if panel.contradictions:
        loss = panel.contradictions[0]  # the largest, of judges that may decide if there is one
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
    """Say whether the parts of the only game rank methods alike."""
    alike = "rank methods alike" if panel.agree else "do not all rank methods alike"
    return f"the {len(panel.concord.judges)} parts of {panel.families[0]} {alike}"


def _in_part(panel: Panel) -> str:
    """Say what keeps judges that do not contradict each other from agreeing."""
    if not panel.setbacks:  # correlations alone are too low
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
    """Write everything, a line each."""
    yield consequence(panel)
    yield f"  Rank correlation over {len(panel.concord.methods)} methods [95 % over source documents]"
    yield from (f"    {judges}: {correlation}" for judges, correlation in correlations(panel))
    yield from _light_lines(panel)


def correlations(panel: Panel) -> list[tuple[str, str]]:
    """Return (judges, rank correlation with its interval), a row for every two judges."""
    return [(f"{pair.first} and {pair.second}", _correlation(pair)) for pair in panel.concord.correlations]


def _light_lines(panel: Panel) -> Iterator[str]:
    for share in sorted(set(panel.unfamiliar.values())):  # parts of one game share it
        yield f"  Deletion asked about texts unlike any other: {light(share)} ({100 * share:.0f} % of the copies)"


def light(share: float) -> str:
    """Call a share green, yellow or red: how many edited copies the model is less or more sure of than of any text."""
    return "green" if share < 0.05 else "yellow" if share < 0.2 else "red"


def text(seated: Sequence[Panel]) -> str:
    return escape.terminal_lines("\n\n".join("\n".join(lines(panel)) for panel in seated)) + "\n"


def markdown(seated: Sequence[Panel]) -> str:
    return "\n".join(_markdown(panel) for panel in seated)


def _markdown(panel: Panel) -> str:
    rows = "".join(f"| {judges} | {correlation} |\n" for judges, correlation in correlations(panel))
    return f"{consequence(panel)}\n\n| judges | rank correlation |\n|---|---|\n{rows}"


def as_json(seated: Sequence[Panel]) -> str:
    bodies = [asdict(panel) | {"agree": panel.agree, "consequence": consequence(panel)} for panel in seated]
    return json.dumps(bodies, indent=1, ensure_ascii=False) + "\n"


AGREE_FORMATS: Mapping[str, Callable[[Sequence[Panel]], str]] = {"text": text, "markdown": markdown, "json": as_json}


INK, SOFT, LINE = "var(--ink, #1d1c1a)", "var(--ink-soft, #6b6862)", "var(--line, #d5d2cb)"
WINNERS = ("var(--accent, #3246c8)", "var(--warm, #c26a1b)", "var(--good, #1f7a43)", "var(--bad, #b3261e)")
FONT = 'font-family="Inter, system-ui, Helvetica, Arial, sans-serif" font-size="12.5"'


def _correlation(pair: Correlation) -> str:
    return f"{points(pair.value)} [{points(pair.interval.low)} {points(pair.interval.high)}]"


def noise_svg(curves: Mapping[str, Degraded]) -> str:
    """Draw small curves side by side: the score of each judge's best method from no noise to nothing but noise."""
    size, gap, head = 120.0, 44.0, 40.0  # pixels
    starts = [number * (size + gap) + 34 for number in range(len(curves))]
    parts = [_curve(*curve, x, head, size) for curve, x in zip(curves.items(), starts, strict=True)]
    told = "; ".join(_fall(title, noise) for title, noise in curves.items())
    return _svg(max(1, len(curves)) * (size + gap) + 34, head + size + 30, "".join(parts), "scores under noise", told)


def _fall(title: str, noise: Degraded) -> str:
    steps = zip(noise.scores, noise.levels, strict=True)
    return f"{title}, {noise.method}: " + ", ".join(f"{points(score)} at {100 * q:.0f} %" for score, q in steps)


def _curve(title: str, noise: Degraded, x: float, y: float, size: float) -> str:
    colour = WINNERS[2] if noise.falls else WINNERS[3]  # good, or bad
    dots = [(x + size * q, y + size * (1 - score)) for q, score in zip(noise.levels, noise.scores, strict=True)]
    path = " ".join(f"{'M' if not number else 'L'}{a:.1f} {b:.1f}" for number, (a, b) in enumerate(dots))
    frame = f'<path d="M{x} {y} V{y + size} H{x + size}" fill="none" stroke="{LINE}"/>\n'
    ends = _text("1", x - 6, y + 4, "end", SOFT) + _text("0", x - 6, y + size + 4, "end", SOFT)
    below = _text("0 %", x, y + size + 18, "middle", SOFT) + _text("noise 100 %", x + size, y + size + 18, "end", SOFT)
    line = f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2.4"/>\n'
    above = _text(title, x + size / 2, 14, "middle", INK, bold=True)
    return above + _text(noise.method, x + size / 2, 30, "middle", SOFT) + frame + ends + below + line


def _text(text: str, x: float, y: float, anchor: str, colour: str, bold: bool = False) -> str:
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"{weight}>{escape.html(text)}</text>\n'


def _svg(width: float, height: float, body: str, title: str, told: str) -> str:
    """Wrap a figure; ``told`` says what it shows, for screen readers."""
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {FONT} role="img">'
    words = f"<title>{escape.html(title)}</title>\n<desc>{escape.html(told)}</desc>"
    return f"{opening}\n{words}\n{body}</svg>\n"
