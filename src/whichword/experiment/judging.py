"""Explain once, score many times: from stored relevances to hits, by the rules of the set's game."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from numpy.typing import NDArray

from whichword import games
from whichword.errors import InputError
from whichword.experiment import formats
from whichword.experiment.plan import Pairing, Shard
from whichword.experiment.reading import Run
from whichword.experiment.seal import DamagedError, canonical, commit, sealed, sha256, unsealed
from whichword.experiment.shard_tables import AnsweredRows, ShardTables
from whichword.games.columns import Points, Positions, count, hits, point, shares
from whichword.models.sources import foreign_code
from whichword.types import Tally


@dataclass(frozen=True, eq=False)
class Judged:
    """The outcomes of a pairing: rows are the set's items in order, columns the methods. Items that failed have no row.

    ``hits[part]`` is 1 or 0, the exact expectation for a uniform method, NaN where the item is not counted. ``rmax`` is
    -1 where no relevance is finite. ``chance[part]`` is what a random word gets, None where nothing counts.
    """

    methods: tuple[str, ...]
    parts: tuple[str, ...]
    keys: tuple[str, ...]
    predicted: tuple[str, ...]
    rmax: NDArray[np.int64]
    ties: NDArray[np.bool_]
    nonfinite: NDArray[np.bool_]
    hits: Mapping[str, NDArray[np.float64]]
    chance: Mapping[str, float | None]

    def tally(self, part: str, method: str) -> Tally:
        """The counts of one cell of the table."""
        column = self.methods.index(method)
        points = Points(self.rmax[:, column], self.nonfinite[:, column], self.ties[:, column])
        return count(self.hits[part][:, column], points)

    def vectors(self, part: str) -> dict[str, NDArray[np.float64]]:
        """Method -> hits [D], NaN where the item is not counted: what paired comparisons take."""
        return {method: self.hits[part][:, column] for column, method in enumerate(self.methods)}


def judge(run: Run, pairing_id: str) -> Judged:
    """The stored judgement where it fits the shards and the rules, else a fresh one."""
    pairing = run.plan.pairing(pairing_id)
    try:
        return _stored(run, pairing)
    except DamagedError:
        return _fresh(run, pairing)


def store_judgement(run: Run, pairing_id: str) -> Judged:
    """Judge and commit; only under the run's lock. A judgement that fits already is left alone."""
    pairing = run.plan.pairing(pairing_id)
    try:
        return _stored(run, pairing)
    except DamagedError:
        judged = _fresh(run, pairing)
    data = formats.parquet(_columns(judged), formats.judged_schema(judged.parts))
    commit(run.folder, f"judged/{pairing.id}.parquet", data)
    body = _named(run, pairing) | {"sha256": sha256(data), "chance": dict(judged.chance)}
    commit(run.folder, f"judged/{pairing.id}.json", sealed(body))
    return judged


# ---------------------------------------------------------------------------------------------------------------------


def _fresh(run: Run, pairing: Pairing) -> Judged:
    """Shard by shard, so that neither the items nor the relevances of a run have to fit in memory."""
    played = run.plan.set(pairing.set)
    tally = _TallySheet(pairing, played.items, games.GAMES[played.game])
    for shard in pairing.shards:
        tally.enter(shard, ShardTables.read(run, pairing, shard))
    return tally.judged()


class _TallySheet:
    """Arrays [D] or [D, M] being filled in, shard by shard."""

    def __init__(self, pairing: Pairing, size: int, game: games.Game) -> None:
        self.pairing, self.game = pairing, game
        shape = (size, len(pairing.methods))
        self.rmax = np.full(shape, -1, np.int64)
        self.ties, self.nonfinite = np.zeros(shape, bool), np.zeros(shape, bool)
        self.hits = {part: np.full(shape, np.nan) for part in game.parts}
        self.shares = {part: np.full(size, np.nan) for part in game.parts}
        self.keys: list[str] = [""] * size
        self.predicted: list[str] = [""] * size
        self.answered = np.zeros(size, bool)

    def enter(self, shard: Shard, tables: ShardTables) -> None:
        tables.check(shard, self.pairing)
        answered = tables.answered
        positions = answered.rewarded(self.game)
        self._name(answered)
        for part, by_item in positions.items():
            self.shares[part][answered.places] = shares(answered.seen, by_item)
        lists, width = tables.relevances.column("relevances").combine_chunks(), len(self.pairing.methods)
        inside = answered.read_words
        for column in range(width):
            relevances = lists.take(answered.rows * width + column).flatten().to_numpy()
            self._write(answered.places, column, point(relevances[inside], answered.seen), positions)

    def _name(self, answered: AnsweredRows) -> None:
        self.answered[answered.places] = True
        for place, item, name in zip(answered.places.tolist(), answered.items, answered.predicted, strict=True):
            self.keys[place], self.predicted[place] = item.key, name

    def _write(self, rows: NDArray[np.int64], column: int, points: Points, positions: Mapping[str, Positions]) -> None:
        uniform = self.pairing.methods[column].uniform
        self.rmax[rows, column] = points.rmax
        if not uniform:  # the draw is for heat maps; it is not what is counted
            self.ties[rows, column], self.nonfinite[rows, column] = points.tie, points.nonfinite
        for part, by_item in positions.items():
            self.hits[part][rows, column] = self.shares[part][rows] if uniform else hits(points, by_item)

    def judged(self) -> Judged:
        """Without the items that failed."""
        rows = np.flatnonzero(self.answered)
        return Judged(
            methods=self.pairing.labels,
            parts=tuple(self.hits),
            keys=tuple(self.keys[row] for row in rows.tolist()),
            predicted=tuple(self.predicted[row] for row in rows.tolist()),
            rmax=self.rmax[rows],
            ties=self.ties[rows],
            nonfinite=self.nonfinite[rows],
            hits={part: values[rows] for part, values in self.hits.items()},
            chance=self._chance(rows),
        )

    def _chance(self, rows: NDArray[np.int64]) -> dict[str, float | None]:
        tallies = {part: count(values[rows]) for part, values in self.shares.items()}
        return {part: tally.hits / tally.total if tally.total else None for part, tally in tallies.items()}


def _columns(judged: Judged) -> dict[str, Any]:
    """No Python object per row: a row is an item and a method."""
    width, rmax = len(judged.methods), judged.rmax.ravel()
    items = np.repeat(np.arange(len(judged.keys)), width)
    return {
        "key": pyarrow.array(judged.keys, pyarrow.string()).take(items),
        "method": pyarrow.array(judged.methods, pyarrow.string()).take(np.tile(np.arange(width), len(judged.keys))),
        "predicted": pyarrow.array(judged.predicted, pyarrow.string()).take(items),
        "rmax": pyarrow.array(rmax.astype(np.int32), mask=rmax < 0),
        "tie": judged.ties.ravel(),
        "nonfinite": judged.nonfinite.ravel(),
    } | {part: pyarrow.array(hits.ravel(), mask=np.isnan(hits).ravel()) for part, hits in judged.hits.items()}


def _stored(run: Run, pairing: Pairing) -> Judged:
    body = unsealed(run.folder / f"judged/{pairing.id}.json")
    expected = _named(run, pairing)
    if {name: body.get(name) for name in expected} != expected:
        raise DamagedError("the judgement is of other shards or by other rules")
    path = run.folder / f"judged/{pairing.id}.parquet"
    data = path.read_bytes() if path.exists() else b""
    if sha256(data) != body["sha256"]:
        raise DamagedError(f"{path.name}: the checksum does not fit")
    return _of_table(formats.table(data, path.name), pairing, body["chance"])


def _of_table(table: Any, pairing: Pairing, chance: Mapping[str, float | None]) -> Judged:
    shape = (table.num_rows // len(pairing.methods), len(pairing.methods))
    rmax = table.column("rmax").fill_null(-1).to_numpy().astype(np.int64)
    ties, nonfinite = table.column("tie").to_numpy(), table.column("nonfinite").to_numpy()
    firsts = table.take(np.arange(0, table.num_rows, shape[1]))
    hits = {part: table.column(part).to_numpy().astype(np.float64).reshape(shape) for part in chance}
    keys, predicted = tuple(firsts.column("key").to_pylist()), tuple(firsts.column("predicted").to_pylist())
    flags = (ties.reshape(shape), nonfinite.reshape(shape))
    return Judged(pairing.labels, tuple(chance), keys, predicted, rmax.reshape(shape), *flags, hits, chance)


def _named(run: Run, pairing: Pairing) -> dict[str, Any]:
    """What a judgement depends on; of a game that is not installed any more nothing can be asked but what is stored."""
    game = run.plan.set(pairing.set).game
    played = {"game": _code(games.GAMES[game])} if game in games.GAMES else {}
    return {"run": run.plan.run, "pairing": pairing.id, "from": _source(run, pairing), **played}


def _code(game: object) -> str:
    """A plug-in game's own files; one that is in no file (a notebook's) is judged anew every time."""
    try:
        return foreign_code(game)
    except InputError:
        return secrets.token_hex(8)


def _source(run: Run, pairing: Pairing) -> str:
    """A hash over the shards' checksums and the sources of our games."""
    receipts = [dict(run.store.receipt(shard.name).files) for shard in pairing.shards]
    package = Path(games.__file__).parent
    rules = [[file.name, sha256(file.read_bytes())] for file in sorted(package.glob("*.py"))]
    return sha256(canonical([receipts, rules]))
