"""A table over several runs of one kind: mean, spread between trainings, interval between documents, side by side."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from json import dumps
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whichword.errors import InputError
from whichword.render import escape
from whichword.reporting.table import interval, points
from whichword.runs.run import open_run
from whichword.scoring.outcomes import Judged
from whichword.scoring.run import judge
from whichword.statistics.summaries import Trainings, pooled

Kind = tuple[str, str, str, str]  # network, corpus, game, part
Scores = tuple[tuple[str, ...], NDArray[np.float64]]  # of a training: document keys, and what a method gets


@dataclass(frozen=True)
class PooledColumn:
    """All trainings of one network on one corpus in one part of a game: how many, their names, and each method."""

    kind: Kind
    models: tuple[str, ...]
    methods: Mapping[str, Trainings]


def pooled_columns(folders: Sequence[str | Path]) -> list[PooledColumn]:
    """Models of one kind of network are trainings of one thing, in whatever runs they are."""
    groups: dict[Kind, list[tuple[str, Judged]]] = {}
    for folder in folders:
        run = open_run(folder)
        for pairing in run.plan.pairings:
            played, judged = run.plan.set(pairing.set), judge(run, pairing.id)
            network = run.plan.model(pairing.model).about.name
            for part in judged.parts:
                kind = (network, played.corpus, played.game, part)
                groups.setdefault(kind, []).append((f"{Path(folder).absolute().name}/{pairing.model}", judged))
    if all(len(trainings) < 2 for trainings in groups.values()):
        raise InputError("there is nothing to pool: no two models are one kind of network, on one corpus, in one game")
    return [_column(kind, trainings) for kind, trainings in groups.items()]


def _column(kind: Kind, trainings: Sequence[tuple[str, Judged]]) -> PooledColumn:
    methods = dict.fromkeys(method for _, judged in trainings for method in judged.methods)
    results = {method: pooled(_scores(trainings, kind[3], method)) for method in methods}
    counted = {method: result for method, result in results.items() if result is not None}
    return PooledColumn(kind, tuple(name for name, _ in trainings), counted)


def _scores(
    trainings: Sequence[tuple[str, Judged]], part: str, method: str
) -> list[tuple[tuple[str, ...], NDArray[np.float64]]]:
    having = [judged for _, judged in trainings if method in judged.methods]
    return [(judged.keys, judged.vectors(part)[method]) for judged in having]


def pooled_text(columns: Sequence[PooledColumn]) -> str:
    """For a terminal."""
    return "\n".join("\n".join(_lines(column)) for column in columns)


def _lines(column: PooledColumn) -> list[str]:
    network, corpus, game, part = column.kind
    width = max(map(len, column.methods), default=6)
    head = f"{game} on {corpus}: {part}; {network}, {len(column.models)} trainings"
    title = f"{'method':<{width}}  mean  between trainings      between documents"
    rows = (_row(method, result, width) for method, result in column.methods.items())
    return [escape.terminal(head), title, *rows, ""]


def _row(method: str, result: Trainings, width: int) -> str:
    ends = f"{points(result.lowest)} to {points(result.highest)}"
    spread = "one training" if result.spread is None else f"sd {points(result.spread)}, {ends}"
    return f"{escape.terminal(method):<{width}}  {points(result.mean):<4}  {spread:<21}  {interval(result.interval)}"


def pooled_csv(columns: Sequence[PooledColumn]) -> str:
    """A line per method."""
    names = ("network", "corpus", "game", "part", "method", "trainings", "mean", "spread", "lowest", "highest")
    rows = [
        (
            *column.kind,
            method,
            *(getattr(result, name) for name in names[5:]),
            result.interval.low,
            result.interval.high,
        )
        for column in columns
        for method, result in column.methods.items()
    ]
    return escape.csv_row((*names, "low", "high")) + "".join(escape.csv_row(row) for row in rows)


def pooled_json(columns: Sequence[PooledColumn]) -> str:
    return dumps([asdict(column) for column in columns], indent=1, ensure_ascii=False) + "\n"


POOLED_FORMATS: Mapping[str, Callable[[Sequence[PooledColumn]], str]] = {
    "text": pooled_text,
    "csv": pooled_csv,
    "json": pooled_json,
}
