"""Explain once, score many times: from stored relevances to hits, by the rules of the set's game."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whichword import games
from whichword.errors import InputError
from whichword.experiment import formats
from whichword.experiment.plan import Pairing, Shard
from whichword.experiment.reading import Prediction, Run
from whichword.experiment.seal import DamagedError, canonical, commit, sealed, sha256, unsealed
from whichword.games.columns import Points, Positions, count, hits, of_seen, point, rewarded, shares
from whichword.models.sources import foreign_code
from whichword.types import Item, Tally


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
    played = run.plan.set(pairing.set)
    answered = Answered.of(run.items(played.id), run.predictions(pairing.id))
    turns = zip(answered.items, answered.predicted, strict=True)
    right = {
        name: of_seen(by_item, answered.seen) for name, by_item in rewarded(turns, games.GAMES[played.game]).items()
    }
    sheet = _Sheet(pairing, answered, right)
    for shard in pairing.shards:
        sheet.enter(shard, run.table(shard, "relevances"), run.items(played.id))
    return sheet.judged(answered.predicted)


@dataclass(frozen=True, eq=False)
class Answered:
    """The items of a set that a model gave an answer for: in order, with its predictions and how many words it read.

    ``rows`` is where an item stands among them, by its place in the set.
    """

    items: tuple[Item, ...]
    predicted: tuple[str, ...]
    seen: NDArray[np.int64]
    rows: Mapping[int, int]

    @staticmethod
    def of(items: Sequence[Item], predictions: Mapping[str, Prediction]) -> "Answered":
        places = [place for place, item in enumerate(items) if item.key in predictions]
        answered = tuple(items[place] for place in places)
        entries = [predictions[item.key] for item in answered]
        seen = [
            len(item.words) if entry.seen is None else entry.seen for item, entry in zip(answered, entries, strict=True)
        ]
        rows = {place: row for row, place in enumerate(places)}
        return Answered(answered, tuple(entry.predicted for entry in entries), np.array(seen, dtype=np.int64), rows)


class _Sheet:
    """Arrays being filled in, shard by shard."""

    def __init__(self, pairing: Pairing, answered: Answered, rewarded: Mapping[str, Positions]) -> None:
        self.pairing, self.answered, self.rewarded = pairing, answered, rewarded
        shape = (len(answered.items), len(pairing.methods))
        self.rmax = np.full(shape, -1, np.int64)
        self.ties, self.nonfinite = np.zeros(shape, bool), np.zeros(shape, bool)
        self.hits = {part: np.full(shape, np.nan) for part in rewarded}

    def enter(self, shard: Shard, table: Any, items: Sequence[Item]) -> None:
        width = len(self.pairing.methods)
        self._check(shard, table, width, items)
        places = np.array([n for n, i in enumerate(shard.items) if i in self.answered.rows], dtype=np.int64)
        rows = [self.answered.rows[shard.items[n]] for n in places]
        lengths = np.array([len(self.answered.items[row].words) for row in rows], dtype=np.int64)
        lists, seen = table.column("relevances").combine_chunks(), self.answered.seen[rows]
        for column, method in enumerate(self.pairing.methods):
            relevances = lists.take(places * width + column).flatten().to_numpy()
            self._write(rows, column, point(relevances[_first(seen, lengths)], seen), seen, method.uniform)

    def _check(self, shard: Shard, table: Any, width: int, items: Sequence[Item]) -> None:
        """The rows are those of the plan, in its order."""
        keys = [items[i].key for i in shard.items for _ in range(width)]
        methods = list(self.pairing.labels) * len(shard.items)
        if table.column("key").to_pylist() != keys or table.column("method").to_pylist() != methods:
            raise InputError(f"shard {shard.name}: its rows are not those of the plan")

    def _write(self, rows: list[int], column: int, points: Points, seen: NDArray[np.int64], uniform: bool) -> None:
        self.rmax[rows, column] = points.rmax
        if not uniform:  # the draw is for heat maps; it is not what is counted
            self.ties[rows, column], self.nonfinite[rows, column] = points.tie, points.nonfinite
        for part, by_item in self.rewarded.items():
            positions = [by_item[i] for i in rows]
            self.hits[part][rows, column] = shares(seen, positions) if uniform else hits(points, positions)

    def judged(self, predicted: tuple[str, ...]) -> Judged:
        keys = tuple(item.key for item in self.answered.items)
        arrays = (self.rmax, self.ties, self.nonfinite, self.hits)
        return Judged(self.pairing.labels, tuple(self.rewarded), keys, predicted, *arrays, self._chance())

    def _chance(self) -> dict[str, float | None]:
        tallies = {part: count(shares(self.answered.seen, positions)) for part, positions in self.rewarded.items()}
        return {part: tally.hits / tally.total if tally.total else None for part, tally in tallies.items()}


def _first(seen: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of the items' words, end to end, are among the first ``seen`` of their item."""
    starts = np.cumsum(lengths) - lengths
    return np.asarray(np.arange(lengths.sum()) - np.repeat(starts, lengths) < np.repeat(seen, lengths))


def _columns(judged: Judged) -> dict[str, Any]:
    width = len(judged.methods)
    return {
        "key": [key for key in judged.keys for _ in range(width)],
        "method": list(judged.methods) * len(judged.keys),
        "predicted": [name for name in judged.predicted for _ in range(width)],
        "rmax": [None if position < 0 else position for position in judged.rmax.ravel().tolist()],
        "tie": judged.ties.ravel(),
        "nonfinite": judged.nonfinite.ravel(),
    } | {part: [None if hit != hit else hit for hit in judged.hits[part].ravel().tolist()] for part in judged.parts}


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
