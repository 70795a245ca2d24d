"""What was decided: one case for every model that played a game on a corpus, all parts of the game together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from whichword.experiment.judging import Judged, judge
from whichword.experiment.plan import Pairing
from whichword.experiment.reading import Run
from whichword.statistics import CHANCE, MARGIN, Decision, Outcomes, decide
from whichword.statistics.decision import Costs
from whichword.types import Item

RANDOM = "random"  # the baseline whose hits are what a random word gets


@dataclass(frozen=True)
class Case:
    """One model in one game on one corpus. Without a ``decision`` no document counts, or only baselines played."""

    run: str
    model: str
    corpus: str
    game: str
    decision: Decision | None
    seconds: Costs  # per document, each method asked alone
    documents: int  # of the set, counted or not
    available: int  # of the corpus
    unplayed: Mapping[str, str] = field(default_factory=dict)  # stopped before the end, or never played, and why


def cases_of(run: Run, name: str, margin: float = MARGIN) -> Iterator[Case]:
    """All cases of one run, which is called ``name``."""
    for pairing in run.plan.pairings:
        played = run.plan.set(pairing.set)
        seconds = {method: cost.seconds for method, cost in run.costs(pairing.id).items()}
        decision = _decision(run, pairing, seconds, margin)
        about = (name, pairing.model, played.corpus, played.game)
        yield Case(*about, decision, seconds, played.items, played.available)


def _decision(run: Run, pairing: Pairing, seconds: Costs, margin: float) -> Decision | None:
    outcomes = outcomes_of(judge(run, pairing.id), run.items(pairing.set))
    return decide(outcomes, seconds, margin) if len(outcomes.hits) and outcomes.methods else None


def outcomes_of(judged: Judged, items: Sequence[Item]) -> Outcomes:
    """The rows of all parts that count, one part after the other, with a column for chance unless `random` played."""
    texts = _texts(items)
    blocks, sources = [], []
    for part in judged.parts:
        hits = judged.hits[part]
        counted = np.flatnonzero(~np.isnan(hits).all(axis=1))
        blocks.append(_with_chance(judged, part, hits[counted]))
        sources += [texts[row] for row in counted]
    names = judged.methods if RANDOM in judged.methods else (*judged.methods, CHANCE)
    return Outcomes(names, np.concatenate(blocks), sources)


def _with_chance(judged: Judged, part: str, hits: NDArray[np.float64]) -> NDArray[np.float64]:
    if RANDOM in judged.methods:
        return hits
    return np.column_stack([hits, np.full(len(hits), judged.chance[part] or 0.0)])


def _texts(items: Sequence[Item]) -> list[tuple[int, ...]]:
    """The number of each item's text, or of the texts it was made from."""
    numbers: dict[str, int] = {}
    keys = [item.sources or (item.key,) for item in items]
    return [tuple({numbers.setdefault(key, len(numbers)): None for key in texts}) for texts in keys]
