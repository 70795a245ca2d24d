"""One column of our table: counts, intervals and who beats whom on the same documents; small enough to be kept."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from whichword.errors import InputError
from whichword.runs.run import Run
from whichword.runs.sealed import canonical, commit, sha256, sweep
from whichword.scoring.outcomes import Judged
from whichword.scoring.run import judge
from whichword.statistics.tests import Interval, wilson

FORMAT = "whichword column 1"
LIBRARIES = ("code", "torch", "numpy", "scipy", "transformers")


@dataclass(frozen=True)
class Figure:
    """One cell: counts before ratios. ``seconds`` are of one core over all documents played."""

    hits: float
    total: int
    ties: int
    nonfinite: int
    seconds: float

    @property
    def accuracy(self) -> float:
        return self.hits / self.total if self.total else 0.0

    @property
    def interval(self) -> Interval:
        """Wilson, 95 %."""
        return wilson(self.hits, self.total)


@dataclass(frozen=True)
class ColumnResult:
    """``wins[i]`` lists, for ``order``, on how many documents method i hits and the other does not.

    ``run`` is the hash of the run's identity, ``made_by`` the code and the libraries that computed it.
    """

    column: str
    group: str
    network: str
    corpus: str
    game: str
    part: str
    seed: int
    available: int
    played: int
    discarded: int
    run: str
    made_by: Mapping[str, str]
    figures: Mapping[str, Figure]
    undefined: tuple[str, ...]
    order: tuple[str, ...]
    wins: tuple[tuple[int, ...], ...]
    format: str = FORMAT

    @property
    def counted(self) -> int:
        """The documents that count."""
        return self.played - self.discarded

    @cached_property
    def accuracies(self) -> dict[str, float]:
        return {label: figure.accuracy for label, figure in self.figures.items() if figure.total}

    @property
    def digest(self) -> str:
        """Of everything that was counted: two playings are equal if these are, however long they took."""
        counts = {label: (cell.hits, cell.total, cell.ties, cell.nonfinite) for label, cell in self.figures.items()}
        return sha256(canonical([self.played, self.discarded, counts, self.wins]))

    def discordant(self, first: str, second: str) -> tuple[int, int]:
        """Documents that only the first gets right, and that only the second does."""
        row, column = self.order.index(first), self.order.index(second)
        return self.wins[row][column], self.wins[column][row]


@dataclass(frozen=True)
class Heading:
    """What a column is called, and where it stands."""

    column: str
    group: str
    network: str
    part: str


def column_of(run: Run, heading: Heading) -> ColumnResult:
    """A part of a finished run of one model in one game."""
    (pairing,), (played,) = run.plan.pairings, run.plan.sets
    judged, costs = judge(run, pairing.id), run.costs(pairing.id)
    order = tuple(method.label for method in pairing.methods if not method.uniform)
    seconds = {label: costs[label].together * played.items for label in pairing.labels}
    figures = {label: _figure(judged, heading.part, label, seconds[label]) for label in pairing.labels}
    counted = max(figure.total for figure in figures.values())
    return ColumnResult(
        **asdict(heading),
        corpus=f"{played.corpus}: {played.record.get('source', '')}",
        game=played.game,
        seed=int(run.plan.settings["seed"]),
        available=played.available,
        played=played.items,
        discarded=played.items - counted,
        run=run.plan.run,
        made_by={name: run.plan.identity[name] for name in LIBRARIES if name in run.plan.identity},
        figures=figures,
        undefined=tuple(pairing.undefined),
        order=order,
        wins=_wins(judged, heading.part, order),
    )


def _figure(judged: Judged, part: str, label: str, seconds: float) -> Figure:
    tally = judged.tally(part, label)
    return Figure(tally.hits, tally.total, tally.ties, tally.nonfinite, round(seconds, 3))


def _wins(judged: Judged, part: str, order: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """wins = H^T (1 - H) for the hits H [documents that count, methods]."""
    vectors = judged.vectors(part)
    hits = np.stack([vectors[label] for label in order], 1)
    right = hits[~np.isnan(hits).any(1)].astype(np.int64)
    return tuple(tuple(row) for row in (right.T @ (1 - right)).tolist())


# ---------------------------------------------------------------------------------------------------------------------


def save(result: ColumnResult, folder: Path) -> None:
    """Write COLUMN.json, whole or not at all."""
    body = asdict(result) | {"wins": [" ".join(map(str, row)) for row in result.wins]}
    text = json.dumps(body, indent=1, ensure_ascii=False) + "\n"
    commit(folder, f"{result.column}.json", text.encode("utf8"))
    sweep(folder)


def read_results(folder: Path) -> dict[str, ColumnResult]:
    """Every column in a results folder, by name, in order."""
    results = [_read(path) for path in sorted(folder.glob("[A-Z][0-9][0-9].json"))]
    return {result.column: result for result in results}


def _read(path: Path) -> ColumnResult:
    try:
        body: dict[str, Any] = json.loads(path.read_text(encoding="utf8"))
        if body["format"] != FORMAT:
            raise InputError(f"{path}: not a {FORMAT!r}")
        figures = {label: Figure(**figure) for label, figure in body["figures"].items()}
        wins = tuple(tuple(map(int, row.split())) for row in body["wins"])
        lists = {"order": tuple(body["order"]), "undefined": tuple(body["undefined"])}
        return ColumnResult(**body | {"figures": figures, "wins": wins} | lists)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(f"{path}: not the result of a column: {error}") from None
