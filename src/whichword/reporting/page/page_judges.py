"""The report's section on judges: whether they agree, what width gains, whether noise makes each of them fall."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from whichword.games import recalled
from whichword.reporting.judges import JudgedRun, Panel, panels
from whichword.reporting.judges_text import consequence, lines, noise_svg, ranks_svg
from whichword.reporting.page.headline import Headline
from whichword.reporting.table import Column, Table
from whichword.scoring.degrading import Degraded

TOLD = 2  # lines about judges at the top of a report, so that they are among its first three


@dataclass(frozen=True)
class Seated:
    """One model's judges: what follows, everything in lines, and the figure."""

    model: str
    games: int
    contradict: bool
    consequence: str
    lines: tuple[str, ...]
    figure: str


@dataclass(frozen=True)
class JudgesSection:
    """What the section shows; ``noise`` is a figure per model, as (model, figure, what is wrong)."""

    seated: tuple[Seated, ...]
    noise: tuple[tuple[str, str, tuple[str, ...]], ...]


def judges_section(runs: Sequence[JudgedRun], table: Table) -> JudgesSection:
    return JudgesSection(tuple(_seated(panel) for panel in panels(runs)), tuple(_noise(table)))


def with_judges(headline: Headline, section: JudgesSection) -> Headline:
    """Whether judges agree belongs to the verdict, contradictions first; parts of one game are one judge."""
    several = [seated for seated in section.seated if seated.games > 1]
    first = sorted(several, key=lambda seated: not seated.contradict)[:TOLD]
    return replace(headline, lines=(*(seated.consequence for seated in first), *headline.lines))


def _seated(panel: Panel) -> Seated:
    _first, *details = (line.strip() for line in lines(panel))
    games, contradict = len(panel.families), bool(panel.contradictions)
    return Seated(panel.model, games, contradict, consequence(panel), tuple(details), ranks_svg(panel))


def _noise(table: Table) -> list[tuple[str, str, tuple[str, ...]]]:
    models = dict.fromkeys((column.run, column.model) for column in table.columns)
    figures = []
    for run, model in models:
        columns = [column for column in table.columns if (column.run, column.model) == (run, model)]
        curves = {_title(column): column.degraded for column in columns if column.degraded is not None}
        if curves:
            figures.append((model, noise_svg(curves), tuple(_troubles(curves))))
    return figures


def _title(column: Column) -> str:
    return recalled(column.game).part(column.part).title


def _troubles(curves: dict[str, Degraded]) -> list[str]:
    return [f"{title} cannot judge this model: {noise.why}." for title, noise in curves.items() if not noise.falls]
