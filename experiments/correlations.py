"""``python -m experiments.correlations``: how often the interval of a rank correlation holds the true one, as a table.

Two judges of 19 methods whose true scores are known give hits on documents of their own. The truths are drawn anew in
every trial: ``spreads`` are their standard deviations, ``correlation`` is theirs before ranks are taken. Beside the
interval of `whichword agree` stands the percentile interval, the usual one.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from experiments.verdict.worlds import METHODS, World
from whichword.cli.app import main
from whichword.statistics.judges import Ballot, correlation_interval, rank_correlations, resampled
from whichword.statistics.tests import Interval

SIZES = (50, 200, 1000)
STEEP, FLAT = 0.12, 0.02  # of true scores from method to method
MIDDLE, LOWEST, HIGHEST = 0.7, 0.02, 0.98

Floats = NDArray[np.float64]
app = typer.Typer(add_completion=False, rich_markup_mode=None)


@dataclass(frozen=True)
class Judges:
    """Two judges, and the shape of what is true."""

    name: str
    correlation: float
    spreads: tuple[float, float]
    shape: str = "bell"

    def truths(self, dice: np.random.Generator) -> list[Floats]:
        first, second = _standard(dice), _standard(dice)
        mixed = self.correlation * first + np.sqrt(1 - self.correlation**2) * second
        shaped = SHAPES[self.shape]((first, mixed), dice)
        pairs = zip(self.spreads, shaped, strict=True)
        return [np.clip(MIDDLE + spread * scores, LOWEST, HIGHEST) for spread, scores in pairs]


def _standard(dice: np.random.Generator) -> Floats:
    scores = dice.standard_normal(METHODS)
    return np.asarray((scores - scores.mean()) / scores.std())


Scores = tuple[Floats, Floats]


def _bell(scores: Scores, dice: np.random.Generator) -> Scores:
    return scores


def _outlier(scores: Scores, dice: np.random.Generator) -> Scores:
    """One method is far worse than all others by both judges."""
    behind = 12.0 * (np.arange(METHODS) == dice.integers(METHODS))
    return scores[0] - behind, scores[1] - behind


def _groups(scores: Scores, dice: np.random.Generator) -> Scores:
    """Good and bad methods, hardly told apart among themselves."""
    return np.sign(scores[0]) + 0.1 * scores[0], np.sign(scores[1]) + 0.1 * scores[1]


SHAPES: Mapping[str, Callable[[Scores, np.random.Generator], Scores]] = {
    "bell": _bell,
    "outlier": _outlier,
    "groups": _groups,
}
JUDGES = (
    Judges("the same truth, steep", 1.0, (STEEP, STEEP)),
    Judges("the same truth, flat for one", 1.0, (STEEP, FLAT)),
    Judges("alike, steep", 0.7, (STEEP, STEEP)),
    Judges("alike, flat for one", 0.7, (STEEP, FLAT)),
    Judges("alike, flat", 0.7, (FLAT, FLAT)),
    Judges("alike, flat but for one method", 0.7, (FLAT, FLAT), "outlier"),
    Judges("alike, two groups", 0.7, (STEEP, STEEP), "groups"),
    Judges("strangers, steep", 0.0, (STEEP, STEEP)),
    Judges("strangers, flat", 0.0, (FLAT, FLAT)),
    Judges("strangers, flat but for one method", 0.0, (FLAT, FLAT), "outlier"),
    Judges("opposite, flat for one", -0.7, (STEEP, FLAT)),
)


@dataclass(frozen=True)
class Trial:
    """The truth, what the tables show, and both intervals."""

    truth: float
    seen: float
    percentile: Interval
    ours: Interval


def trial(judges: Judges, documents: int, dice: np.random.Generator) -> Trial:
    """Draw truths and documents, and ask for the intervals."""
    truths = judges.truths(dice)
    ballots = [_ballot(f"judge {i}", truth, documents, dice) for i, truth in enumerate(truths)]
    drawn = rank_correlations(*resampled(ballots, 1000, int(dice.integers(2**32))))
    tables = [ballot.scores.mean(0) for ballot in ballots]
    seen, truth = (float(rank_correlations(first[None], second[None])[0]) for first, second in (tables, truths))
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Trial(truth, seen, Interval(low, high), correlation_interval(seen, drawn))


def _ballot(judge: str, truth: Floats, documents: int, dice: np.random.Generator) -> Ballot:
    outcomes = World(judge, tuple(truth)).draw(documents, dice)
    sources = tuple(f"{judge}, document {n}" for n in range(documents))
    return Ballot(judge, outcomes.names[:METHODS], outcomes.hits[:, :METHODS], sources)


@app.command()
def simulate(
    trials: Annotated[int, typer.Option(help="Per kind of judges and number of documents.")] = 200,
    seed: Annotated[int, typer.Option(help="Same seed, same table.")] = 0,
) -> None:
    """Print a row per kind of judges."""
    print(f"| judges | {' | '.join(f'{size:,} documents' for size in SIZES)} |")
    print(f"|---|{'---|' * len(SIZES)}")
    for judges in JUDGES:
        print(f"| {judges.name} | {' | '.join(_cells(judges, trials, seed))} |", flush=True)


def _cells(judges: Judges, trials: int, seed: int) -> Iterator[str]:
    """The truth and what is seen of it; then of each interval how often it holds the truth, and its width."""
    for size in SIZES:
        dice = np.random.default_rng([seed, size])
        played = [trial(judges, size, dice) for _ in range(trials)]
        truth, seen = (np.mean([getattr(outcome, name) for outcome in played]) for name in ("truth", "seen"))
        yield f"{truth:.2f}, seen {seen:.2f}: {_holds(played, 'ours')}; percentile {_holds(played, 'percentile')}"


def _holds(played: list[Trial], name: str) -> str:
    intervals = [(getattr(outcome, name), outcome.truth) for outcome in played]
    held = np.mean([interval.low - 1e-9 <= truth <= interval.high + 1e-9 for interval, truth in intervals])
    return f"{100 * held:.0f} % ({np.mean([interval.high - interval.low for interval, _ in intervals]):.2f})"


if __name__ == "__main__":
    main(app)
