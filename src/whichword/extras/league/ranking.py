"""Results folders of one suite, ranked: each method's share of hits over all models and parts, with its interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from whichword.errors import InputError
from whichword.extras.league.playing import RUN
from whichword.extras.league.verifying import results_sheet
from whichword.reporting.numbers import count, points, rate
from whichword.reporting.numbers import interval as brackets
from whichword.runs.run import open_run
from whichword.scoring.judging import judge
from whichword.statistics.intervals import Interval, wilson


@dataclass(frozen=True)
class LeaguePlace:
    """One method of one folder; a method that was not defined for a model of the suite has ``missing`` columns."""

    method: str
    folder: str
    hits: float
    total: int
    missing: int
    documents_per_second: float | None

    @property
    def accuracy(self) -> float:
        return self.hits / self.total if self.total else 0.0

    @property
    def interval(self) -> Interval:
        return wilson(self.hits, self.total)


def ranking(folders: Sequence[Path]) -> list[LeaguePlace]:
    """Best first; all folders must be of one suite."""
    sheets = [results_sheet(folder) for folder in folders]
    suites = sorted({str(sheet["suite"]) for sheet in sheets})
    if len({str(sheet["hash"]) for sheet in sheets}) > 1:
        raise InputError(f"only results of one suite can be ranked together, not of {', '.join(suites)}")
    ranks = [rank for folder in folders for rank in _ranks(folder)]
    distinct = {(rank.method, rank.hits, rank.total, rank.missing): rank for rank in reversed(ranks)}
    return sorted(distinct.values(), key=lambda rank: (rank.missing > 0, -rank.accuracy, rank.method))


def _ranks(folder: Path) -> list[LeaguePlace]:
    run = open_run(folder / RUN)
    judged = [judge(run, pairing.id) for pairing in run.plan.pairings]
    costs = [run.costs(pairing.id) for pairing in run.plan.pairings]
    ranks = []
    for method in dict.fromkeys(name for outcomes in judged for name in outcomes.methods):
        tallies = [
            outcomes.tally(part, method) for outcomes in judged if method in outcomes.methods for part in outcomes.parts
        ]
        seconds = [cost[method].seconds for cost in costs if method in cost]
        speed = len(seconds) / sum(seconds) if sum(seconds) > 0 else None
        missing = sum(method not in outcomes.methods for outcomes in judged)
        hits, total = sum(tally.hits for tally in tallies), sum(tally.total for tally in tallies)
        ranks.append(LeaguePlace(method, folder.name, hits, total, missing, speed))
    return ranks


def _level(first: LeaguePlace, second: LeaguePlace) -> bool:
    """Whether two methods share a place."""
    return (first.missing > 0, first.accuracy) == (second.missing > 0, second.accuracy)


def ranking_table(ranks: Sequence[LeaguePlace]) -> str:
    """A pipe table, which is also Markdown."""
    lines = [
        "| | method | right | 95 % interval | hits | documents per second | from |",
        "|--:|---|--:|---|--:|--:|---|",
    ]
    for number, rank in enumerate(ranks):
        place = 1 + next(i for i in range(number + 1) if _level(ranks[i], rank))
        name = rank.method + (f" (n/a for {rank.missing} models)" if rank.missing else "")
        figures = f"{points(rank.accuracy)} | {brackets(rank.interval)} | {count(rank.hits)}/{rank.total}"
        lines.append(f"| {place} | {name} | {figures} | {rate(rank.documents_per_second)} | {rank.folder} |")
    return "\n".join(lines)
