"""Scores of games that ask about edited copies: read from the shards' third files."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whichword.errors import InputError
from whichword.games.columns import mean_counted
from whichword.games.game import Measured
from whichword.games.noise import LEVELS
from whichword.runs.plan import Pairing, Shard
from whichword.runs.run import Run
from whichword.runs.shards import MEASURED
from whichword.scoring.judging_page import Floats
from whichword.scoring.outcomes import Degraded, degraded


@dataclass(frozen=True, eq=False)
class MeasuredSheet:
    """``values[part]`` [D, M + R], methods first and the game's own rows after them; ``edited``: p of all copies."""

    pairing: Pairing
    game: Measured
    values: dict[str, Floats]
    edited: Floats

    @staticmethod
    def of(run: Run, pairing: Pairing, game: Measured, places: NDArray[np.int64]) -> "MeasuredSheet":
        """``places``: of the items that the model gave an answer for; others have no row."""
        shape = (run.plan.set(pairing.set).items, len(pairing.labels + pairing.measured))
        values = {part: np.full(shape, np.nan) for part in game.parts}
        edited = [np.zeros(0)]
        for shard in pairing.shards:
            table, rows = run.table(shard, MEASURED), run.places(pairing, shard)
            _check(shard, table.column("row").to_pylist(), pairing)
            for part in game.parts:
                column = table.column(part).to_numpy().astype(np.float64)
                values[part][rows] = column.reshape(-1, shape[1])
            edited.append(table.column("edited").combine_chunks().flatten().to_numpy().astype(np.float64))
        answered = {part: scores[places] for part, scores in values.items()}
        return MeasuredSheet(pairing, game, answered, np.concatenate(edited))

    def hits(self) -> dict[str, Floats]:
        """[D, M]; a method that points at random gets what random orders get."""
        uniform = [column for column, method in enumerate(self.pairing.methods) if method.uniform]
        arrays = {part: values[:, : len(self.pairing.methods)].copy() for part, values in self.values.items()}
        for part, array in arrays.items():
            array[:, uniform] = self._row(part, self.game.floor)[:, None]
        return arrays

    def chance(self) -> dict[str, float | None]:
        return {part: mean_counted(self._row(part, self.game.floor)) for part in self.values}

    def ceiling(self) -> dict[str, float | None]:
        return {part: mean_counted(self._row(part, self.game.ceiling)) for part in self.values}

    def noise(self) -> dict[str, Degraded]:
        """The ceiling, mixed with noise: a game that does not notice that cannot judge this model."""
        rows = (self.game.ceiling, *self.game.rows[-len(LEVELS) + 1 :])
        curves = {
            part: degraded(self.game.ceiling, LEVELS, np.column_stack([self._row(part, row) for row in rows]))
            for part in self.values
        }
        return {part: curve for part, curve in curves.items() if curve is not None}

    def unfamiliar(self, confidence: Floats) -> float | None:
        """The share of copies whose class has a probability that it has in no text as it was written [D]."""
        if not len(self.edited) or not len(confidence):
            return None
        return float(np.mean((self.edited < confidence.min()) | (self.edited > confidence.max())))

    def _row(self, part: str, name: str) -> Floats:
        return self.values[part][:, len(self.pairing.methods) + self.pairing.measured.index(name)]


def _check(shard: Shard, rows: list[str], pairing: Pairing) -> None:
    if rows != list(pairing.labels + pairing.measured) * len(shard.items):
        raise InputError(f"shard {shard.name}: its rows are not those of the plan")
