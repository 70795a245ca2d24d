"""Scores of games that ask about edited copies: read from the shards' third files.

A pairing judged: blocks of items are handed on as they are scored, and what is told of all of them is added up.

A judgement made: in memory, or block by block onto the disk.

Explain once, score many times: from stored relevances to hits, by the rules of the set's game.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, BinaryIO

import numpy as np
import pyarrow
import pyarrow.parquet
from numpy.typing import NDArray

from whichword import games
from whichword.base.typed import plain
from whichword.errors import DamagedError, InputError
from whichword.games import GAMES
from whichword.games.columns import mean_counted
from whichword.games.game import Game, Measured
from whichword.games.noise import LEVELS
from whichword.games.scorers import SCORERS
from whichword.method_names import BASELINES
from whichword.models.loaders import foreign_code
from whichword.runs.records import Pairing, Shard
from whichword.runs.run import Run
from whichword.runs.sealed import canonical, commit, commit_by, sealed, sha256
from whichword.runs.shards import MEASURED, HashingFile, judged_schema, whole
from whichword.runs.sources import games_code
from whichword.scoring.checks import sound_judgement
from whichword.scoring.jobs import JudgedShards, Judges
from whichword.scoring.outcomes import Degraded, Judged, JudgedFacts, degraded, degraded_of
from whichword.scoring.shard import Floats, Lost, ScoredRows, names_of


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
    joined = ScoredRows.joined(blocks or [ScoredRows.blank(0, len(pairing.methods), ())])
    copies = MeasuredSheet.of(shards.run, pairing, game, joined.places)
    keep(joined.with_hits(copies.hits()))
    unfamiliar = copies.unfamiliar(joined.confidence)
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


def judge_in_memory(run: Run, pairing: Pairing) -> Judged:
    """Nothing is stored: whoever only reads a run has no right to write."""
    blocks: list[ScoredRows] = []
    facts = judge_afresh(run, pairing, blocks.append, Judges())
    rows = ScoredRows.joined(blocks or [ScoredRows.blank(0, len(pairing.methods), facts.chance)])
    game = games.GAMES[run.plan.set(pairing.set).game]
    names = (tuple(rows.keys.tolist()), tuple(rows.predicted.tolist()))
    fixed = (pairing.labels, game.parts, *names, rows.rmax, rows.ties, rows.nonfinite, rows.hits)
    return Judged(*fixed, facts.chance, facts.degraded, facts.ceiling, facts.unfamiliar)


def judge_onto_disk(run: Run, pairing: Pairing, judges: Judges, named: Mapping[str, Any]) -> None:
    """Block by block onto the disk: nothing but sums is held of all of them."""
    parts = games.GAMES[run.plan.set(pairing.set).game].parts
    facts, checksum = commit_by(run.folder, f"judged/{pairing.id}.parquet", partial(_write, run, pairing, judges))
    body = {**named} | {"sha256": checksum, "parts": list(parts), **asdict(facts)}
    commit(run.folder, f"judged/{pairing.id}.json", sealed(body))


# ---------------------------------------------------------------------------------------------------------------------


def _write(run: Run, pairing: Pairing, judges: Judges, file: BinaryIO) -> tuple[JudgedFacts, str]:
    """A row group per block; returns what is told of all items, and the file's checksum."""
    schema = judged_schema(columns_of(games.GAMES[run.plan.set(pairing.set).game]))
    hashed = HashingFile(file)
    with pyarrow.parquet.ParquetWriter(hashed.sink, schema, compression="zstd") as writer:

        def keep(block: ScoredRows) -> None:
            table = pyarrow.table(_columns(block, pairing.labels), schema=schema)
            writer.write_table(table, row_group_size=max(1, table.num_rows))

        facts = judge_afresh(run, pairing, keep, judges)
    return facts, hashed.digest.hexdigest()


def _columns(block: ScoredRows, methods: Sequence[str]) -> dict[str, Any]:
    """No Python object per row: a row is an item and a method."""
    size, width, rmax = len(block.keys), len(methods), block.rmax.ravel()
    items = np.repeat(np.arange(size), width)
    return {
        "key": pyarrow.array(block.keys.tolist(), pyarrow.string()).take(items),
        "method": pyarrow.array(methods, pyarrow.string()).take(np.tile(np.arange(width), size)),
        "predicted": pyarrow.array(block.predicted.tolist(), pyarrow.string()).take(items),
        "rmax": pyarrow.array(rmax.astype(np.int32), mask=rmax < 0),
        "tie": block.ties.ravel(),
        "nonfinite": block.nonfinite.ravel(),
    } | {part: pyarrow.array(hits.ravel(), from_pandas=True) for part, hits in block.hits.items()}


def judge(run: Run, pairing_id: str) -> Judged:
    """The stored judgement where it fits the shards and the rules, else a fresh one."""
    pairing = run.plan.pairing(pairing_id)
    try:
        return _of_table(pairing, *_stored(run, pairing))
    except DamagedError:
        return judge_in_memory(run, pairing)


def store_judgement(run: Run, pairing_id: str, judges: Judges = Judges()) -> None:  # noqa: B008 - frozen
    """Judge and commit; only under the run's lock. A judgement that fits already is left alone."""
    pairing = run.plan.pairing(pairing_id)
    try:
        _stored(run, pairing)
    except DamagedError:
        judge_onto_disk(run, pairing, judges, _named(run, pairing))


# ---------------------------------------------------------------------------------------------------------------------


def _stored(run: Run, pairing: Pairing) -> tuple[dict[str, Any], Any]:
    """The receipt and the file, opened; `DamagedError` where they are not what judging now would give."""
    body, file = sound_judgement(run.store, pairing)
    expected = _named(run, pairing)
    if {name: body.get(name) for name in expected} != expected:
        raise DamagedError("the judgement is of other shards or by other rules")
    return body, file


def _of_table(pairing: Pairing, body: Mapping[str, Any], file: Any) -> Judged:
    table = whole(file, f"judged/{pairing.id}.parquet")
    chance, parts = body["chance"], tuple(body["parts"])
    noise = {part: degraded_of(fields) for part, fields in body["degraded"].items()}
    shape = (table.num_rows // len(pairing.methods), len(pairing.methods))
    rmax = table.column("rmax").fill_null(-1).to_numpy().astype(np.int64)
    ties, nonfinite = table.column("tie").to_numpy(), table.column("nonfinite").to_numpy()
    firsts = table.take(np.arange(0, table.num_rows, shape[1]))
    hits = {part: table.column(part).to_numpy().astype(np.float64).reshape(shape) for part in chance}
    keys, predicted = tuple(firsts.column("key").to_pylist()), tuple(firsts.column("predicted").to_pylist())
    flags = (ties.reshape(shape), nonfinite.reshape(shape))
    fixed = (pairing.labels, parts, keys, predicted, rmax.reshape(shape))
    return Judged(*fixed, *flags, hits, chance, noise, body["ceiling"], body["unfamiliar"])


def _named(run: Run, pairing: Pairing) -> dict[str, Any]:
    """What a judgement depends on; of a game that is not installed any more nothing can be asked but what is stored."""
    game = run.plan.set(pairing.set).game
    played = {"game": _code(games.GAMES[game])} if game in games.GAMES else {}
    return {"run": run.plan.run, "pairing": pairing.id, "from": _source(run, pairing), **played, **_scorers()}


def _scorers() -> dict[str, str]:
    """Those of plug-ins: a judgement has a column by each."""
    return {f"scorer {name}": code for name in SCORERS if (code := _code(SCORERS[name].score))}


def _code(game: object) -> str:
    """The files of a game or scorer from outside; one that is in no file (a notebook's) is judged anew every time."""
    try:
        return foreign_code(game)
    except InputError:
        return secrets.token_hex(8)


def _source(run: Run, pairing: Pairing) -> str:
    """Hash the shards' checksums and the sources of our games."""
    receipts = [plain(run.store.receipt(shard.name).files) for shard in pairing.shards]
    return sha256(canonical([receipts, games_code()]))
