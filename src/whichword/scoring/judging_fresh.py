"""A pairing judged: blocks of items are handed on as they are scored, and what is told of all of them is added up."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from whichword.games import GAMES
from whichword.games.game import Game, Measured
from whichword.games.noise import LEVELS
from whichword.method_names import BASELINES
from whichword.runs.plan import Pairing
from whichword.runs.run import Run
from whichword.scoring.jobs import JudgedShards, Judges
from whichword.scoring.judging_measured import MeasuredSheet
from whichword.scoring.judging_page import Floats, names_of
from whichword.scoring.judging_rows import Lost, ScoredRows
from whichword.scoring.outcomes import Degraded, JudgedFacts, degraded

Keep = Callable[[ScoredRows], object]


def columns_of(game: Game) -> tuple[str, ...]:
    """The columns of hits: the game's parts first."""
    return game.parts if isinstance(game, Measured) else tuple(names_of(game))


def judge_afresh(run: Run, pairing: Pairing, keep: Keep, judges: Judges) -> JudgedFacts:
    """Every block goes to ``keep``: neither items nor relevances nor outcomes of a run have to fit in memory."""
    game = GAMES[run.plan.set(pairing.set).game]
    shards = JudgedShards(run, pairing, game, judges)
    if isinstance(game, Measured):
        return _measured(shards, game, keep)
    totals, lost = Totals(pairing, game), shards.lost()
    for block in shards.blocks(lost):
        totals.add(block)
        keep(block)
    return JudgedFacts(totals.chance(), _noise(shards, totals.best(), lost))


def _measured(shards: JudgedShards, game: Measured, keep: Keep) -> JudgedFacts:
    """Whoever asks about hundreds of copies of a document has few enough to hold what came of them."""
    pairing, blocks = shards.pairing, list(shards.blocks({}))
    whole = ScoredRows.joined(blocks or [ScoredRows.blank(0, len(pairing.methods), ())])
    copies = MeasuredSheet.of(shards.run, pairing, game, whole.places)
    keep(whole.with_hits(copies.hits()))
    unfamiliar = copies.unfamiliar(whole.confidence)
    return JudgedFacts(copies.chance(), copies.noise(), copies.ceiling(), unfamiliar)


class Totals:
    """Sums over blocks: what random order gets per column, what each method gets per part where all of them count."""

    def __init__(self, pairing: Pairing, game: Game) -> None:
        self.labels, self.parts = pairing.labels, game.parts
        self.shares = dict.fromkeys(names_of(game), (0.0, 0))
        self.hits = {part: (np.zeros(len(pairing.labels)), 0) for part in game.parts}

    def add(self, block: ScoredRows) -> None:
        for name, values in block.shares.items():
            counted = values[~np.isnan(values)]
            total, count = self.shares[name]
            self.shares[name] = (total + float(counted.sum()), count + len(counted))
        for part in self.parts:
            rows = block.hits[part][~np.isnan(block.hits[part]).any(axis=1)]
            sums, count = self.hits[part]
            self.hits[part] = (sums + [rows[:, column].sum() for column in range(len(sums))], count + len(rows))

    def chance(self) -> dict[str, float | None]:
        """What random order gets in every column; None where nothing counts."""
        return {name: total / count if count else None for name, (total, count) in self.shares.items()}

    def best(self) -> dict[str, int]:
        """Part -> the column of the method with the best mean, baselines left out; without parts in which none has."""
        columns = [column for column, label in enumerate(self.labels) if label not in BASELINES]
        counted = {part: sums for part, (sums, count) in self.hits.items() if count and columns}
        return {part: max(columns, key=sums.__getitem__) for part, sums in counted.items()}


def _noise(shards: JudgedShards, best: Mapping[str, int], lost: Lost) -> dict[str, Degraded]:
    """The best method of every part, mixed with noise."""
    seen: dict[str, list[tuple[Floats, NDArray[np.int64]]]] = {part: [] for part in best}
    for mixed in shards.mixed(lost, best) if best else ():
        for part, distinct in mixed.items():
            seen[part].append(distinct)
    joined = {part: [np.concatenate(arrays) for arrays in zip(*pairs, strict=True)] for part, pairs in seen.items()}
    labels = shards.pairing.labels
    curves = {part: degraded(labels[best[part]], LEVELS, *arrays) for part, arrays in joined.items()}
    return {part: curve for part, curve in curves.items() if curve is not None}
