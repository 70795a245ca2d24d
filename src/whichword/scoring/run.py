"""Judge a pairing: read its shards one after the other, and write their hits in the order of the set.

Explain once, score many times: a judgement that is stored is read where it fits the shards and the rules.
"""

import secrets
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any, BinaryIO, TypeVar

import numpy as np
import pyarrow
import pyarrow.parquet
from numpy.typing import NDArray

from whichword.base.typed import plain
from whichword.errors import DamagedError, InputError
from whichword.games import GAMES
from whichword.games.columns import mean_counted
from whichword.games.game import Game, Measured
from whichword.games.noise import LEVELS
from whichword.games.scorers import SCORERS
from whichword.method_names import BASELINES
from whichword.models.loaders import foreign_code
from whichword.runs.records import Pairing
from whichword.runs.run import Run
from whichword.runs.sealed import canonical, commit, commit_by, sealed, sha256
from whichword.runs.shards import HashingFile, judged_schema, whole
from whichword.runs.sources import games_code
from whichword.scoring.checks import sound_judgement
from whichword.scoring.hits import BLOCK, Hits, Lost, ShardScorer, in_order, united
from whichword.scoring.outcomes import Degraded, Judged, degraded, degraded_of
from whichword.scoring.shard import Floats, item_rows, read_shard

THREADS = 2  # numpy and Arrow compute beside Python, which makes the items
KEPT = 2**24  # relevances that stay in memory until noise is mixed in; shards beyond them are read once more

T = TypeVar("T")
Facts = dict[str, Any]  # figures of all items of a pairing together: see `Judged`


def judge(run: Run, pairing_id: str) -> Judged:
    """Read the stored judgement where it fits the shards and the rules, else judge anew."""
    pairing = run.plan.pairing(pairing_id)
    try:
        return _of_table(pairing, *_stored(run, pairing))
    except DamagedError:
        return judge_in_memory(run, pairing)


def store_judgement(run: Run, pairing_id: str) -> None:
    """Judge and commit; only under the run's lock. A judgement that fits already is left alone."""
    pairing = run.plan.pairing(pairing_id)
    try:
        _stored(run, pairing)
    except DamagedError:
        facts, checksum = commit_by(run.folder, f"judged/{pairing.id}.parquet", partial(_write, run, pairing))
        parts = _game(run, pairing).parts
        body = _named(run, pairing) | {"sha256": checksum, "parts": list(parts), **facts}
        body["degraded"] = {part: asdict(curve) for part, curve in facts["degraded"].items()}
        commit(run.folder, f"judged/{pairing.id}.json", sealed(body))


# ---------------------------------------------------------------------------------------------------------------------


def judge_in_memory(run: Run, pairing: Pairing) -> Judged:
    """Judge without storing anything: a run that is only read may be on a disk that cannot be written to."""
    blocks, game = list[Hits](), _game(run, pairing)
    facts = _judged(run, pairing, blocks.append)
    rows = Hits.joined(blocks)
    names = (tuple(rows.keys.tolist()), tuple(rows.predicted.tolist()))
    return Judged(pairing.labels, game.parts, *names, rows.rmax, rows.ties, rows.nonfinite, rows.hits, **facts)


def _write(run: Run, pairing: Pairing, file: BinaryIO) -> tuple[Facts, str]:
    """Write a row group per block; return the figures of all items, and the file's checksum."""
    schema, hashed = judged_schema(tuple(_game(run, pairing).columns)), HashingFile(file)
    with pyarrow.parquet.ParquetWriter(hashed.sink, schema, compression="zstd") as writer:

        def keep(block: Hits) -> None:
            table = pyarrow.table(_columns(block, pairing.labels), schema=schema)
            writer.write_table(table, row_group_size=max(1, table.num_rows))

        facts = _judged(run, pairing, keep)
    return facts, hashed.digest.hexdigest()


def _columns(block: Hits, methods: Sequence[str]) -> dict[str, Any]:
    """Build columns with a row per item and method, and no Python object per row."""
    size, width, rmax = len(block.keys), len(methods), block.rmax.ravel()
    items = np.repeat(np.arange(size), width)
    return {
        "key": pyarrow.array(block.keys, pyarrow.string()).take(items),
        "method": pyarrow.array(methods, pyarrow.string()).take(np.tile(np.arange(width), size)),
        "predicted": pyarrow.array(block.predicted, pyarrow.string()).take(items),
        "rmax": pyarrow.array(rmax.astype(np.int32), mask=rmax < 0),
        "tie": block.ties.ravel(),
        "nonfinite": block.nonfinite.ravel(),
    } | {part: pyarrow.array(hits.ravel(), from_pandas=True) for part, hits in block.hits.items()}  # NaN becomes null


# ---------------------------------------------------------------------------------------------------------------------


def _game(run: Run, pairing: Pairing) -> Game:
    return GAMES[run.plan.set(pairing.set).game]


def _judged(run: Run, pairing: Pairing, keep: Callable[[Hits], object]) -> Facts:
    """Hand every block to ``keep``: neither items nor relevances nor outcomes of a run have to fit in memory."""
    game = _game(run, pairing)
    if pairing.measured != game.rows or not pairing.shards:
        raise InputError(f"{run.folder}: pairing {pairing.id} is none of the game {run.plan.set(pairing.set).game}")
    shards, totals = _Shards(run, pairing, game), _Totals(pairing, game)
    lost = shards.lost()
    # a game that asks about edited copies asks hundreds per document, so there are few enough documents to hold
    for block in in_order(shards.hits(lost), np.inf if pairing.measured else BLOCK):
        totals.add(block)
        keep(block)
    facts: Facts = {"chance": totals.chance(), "degraded": {}, "ceiling": {}, "unfamiliar": None}
    if isinstance(game, Measured):
        return facts | _told(block, pairing, game) | {"unfamiliar": shards.unfamiliar()}
    return facts | {"degraded": _noise(shards, totals.best(), lost)}


@dataclass(frozen=True, eq=False)
class _Shards:
    """The shards of a pairing, read when they are asked for; what noise needs of them is kept."""

    run: Run
    pairing: Pairing
    game: Game
    kept: dict[str, ShardScorer] = field(default_factory=dict)
    texts: list[Floats] = field(default_factory=list)  # probabilities of the class that is explained, as written
    copies: list[Floats] = field(default_factory=list)  # and in edited copies

    def lost(self) -> Lost:
        """Find lost companions in a pass of its own, for games whose items count together: they may be in any shard."""
        return united(self.each(ShardScorer.lost)) if self.game.together else {}

    def hits(self, lost: Lost) -> Iterator[tuple[NDArray[np.int64], Hits]]:
        """Yield the places of each shard's items and their hits, in the order of the plan."""
        room, both = KEPT, self.each(lambda scorer: (scorer.hits(self.pairing, lost), scorer.kept()))
        for shard, (hits, scorer) in zip(self.pairing.shards, both, strict=True):
            room -= scorer.shard.relevances.size  # below 0 for good, so that all later shards are read again
            if self.pairing.measured:
                self.texts.append(scorer.confidence)
                self.copies.append(scorer.shard.edited)
            elif room >= 0:
                self.kept[shard.name] = scorer
            yield scorer.shard.places, hits

    def unfamiliar(self) -> float | None:
        """Compute the share of copies whose class has a probability that it has in no original text."""
        texts, copies = (np.concatenate([np.zeros(0), *arrays]) for arrays in (self.texts, self.copies))
        if not len(texts) or not len(copies):
            return None
        return float(np.mean((copies < texts.min()) | (copies > texts.max())))

    def each(self, act: Callable[[ShardScorer], T]) -> Iterator[T]:
        """Yield ``act`` of every shard, in order, in threads; as few shards in memory as there are threads."""
        with ThreadPoolExecutor(THREADS) as pool:
            under_way: deque[Future[T]] = deque()  # results are taken in order, whichever is ready first
            for call in self._calls(act):
                under_way.append(pool.submit(call))
                if len(under_way) >= THREADS:
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()

    def _calls(self, act: Callable[[ShardScorer], T]) -> Iterator[Callable[[], T]]:
        for shard in self.pairing.shards:
            if shard.name in self.kept:
                yield partial(act, self.kept[shard.name])
            else:  # this thread reads the items: shards share row groups of their file
                read = partial(read_shard, self.run, self.pairing, shard, item_rows(self.run, self.pairing, shard))
                yield lambda read=read: act(ShardScorer.of(read(), self.game))  # type: ignore[misc]


def _noise(shards: _Shards, best: Mapping[str, int], lost: Lost) -> dict[str, Degraded]:
    """Mix the best method of every part with noise; of equal outcomes at all levels only the number is held."""
    seen = list(shards.each(lambda scorer: scorer.mixed(best, lost))) if best else []
    labels = shards.pairing.labels
    curves = {
        part: degraded(labels[column], LEVELS, *map(np.concatenate, zip(*(mixed[part] for mixed in seen), strict=True)))
        for part, column in best.items()
    }
    return {part: curve for part, curve in curves.items() if curve is not None}


class _Totals:
    """Sums over blocks: what random order gets by column, and each method by part, on items that all of them count."""

    def __init__(self, pairing: Pairing, game: Game) -> None:
        self.labels, self.parts = pairing.labels, game.parts
        self.shares = dict.fromkeys(game.columns, (0.0, 0))
        self.hits = {part: (np.zeros(len(pairing.labels)), 0) for part in game.parts}

    def add(self, block: Hits) -> None:
        for name, values in block.shares.items():
            counted = values[~np.isnan(values)]
            total, count = self.shares[name]
            self.shares[name] = (total + float(counted.sum()), count + len(counted))
        for part in self.parts:
            rows = block.hits[part][~np.isnan(block.hits[part]).any(axis=1)]
            sums, count = self.hits[part]
            self.hits[part] = (sums + [rows[:, column].sum() for column in range(len(sums))], count + len(rows))

    def chance(self) -> dict[str, float | None]:
        """Compute what random order gets in every column; None where nothing counts."""
        return {name: total / count if count else None for name, (total, count) in self.shares.items()}

    def best(self) -> dict[str, int]:
        """Map parts to the method with the best mean, baselines left out; without parts in which none has one."""
        columns = [column for column, label in enumerate(self.labels) if label not in BASELINES]
        counted = {part: sums for part, (sums, count) in self.hits.items() if count and columns}
        return {part: max(columns, key=sums.__getitem__) for part, sums in counted.items()}  # sums of the same items


def _told(block: Hits, pairing: Pairing, game: Measured) -> Facts:
    """Compute a measured game's figures: its ceiling, mixed with noise, is what a judge has to notice."""
    rows = (game.ceiling, *game.rows[-len(LEVELS) + 1 :])  # the ceiling is level 0, its noisy rows are the game's last
    curves, ceiling = {}, {}
    for part, values in block.beside.items():
        best, *noisy = (values[:, pairing.measured.index(row)] for row in rows)
        curves[part] = degraded(game.ceiling, LEVELS, np.column_stack([best, *noisy]))
        ceiling[part] = mean_counted(best)
    return {"degraded": {part: curve for part, curve in curves.items() if curve is not None}, "ceiling": ceiling}


# ---------------------------------------------------------------------------------------------------------------------


def _stored(run: Run, pairing: Pairing) -> tuple[dict[str, Any], Any]:
    """Open the stored judgement; `DamagedError` where it is not what judging now would give."""
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
    rmax = table.column("rmax").fill_null(-1).to_numpy().astype(np.int64)  # stored as null, or -1 would pass for a word
    ties, nonfinite = table.column("tie").to_numpy(), table.column("nonfinite").to_numpy()
    firsts = table.select(["key", "predicted"]).take(np.arange(0, table.num_rows, shape[1]))
    hits = {part: table.column(part).to_numpy().astype(np.float64).reshape(shape) for part in chance}
    keys, predicted = tuple(firsts.column("key").to_pylist()), tuple(firsts.column("predicted").to_pylist())
    flags = (ties.reshape(shape), nonfinite.reshape(shape))
    fixed = (pairing.labels, parts, keys, predicted, rmax.reshape(shape))
    return Judged(*fixed, *flags, hits, chance, noise, body["ceiling"], body["unfamiliar"])


def _named(run: Run, pairing: Pairing) -> dict[str, Any]:
    """Name what a judgement depends on; a game that is not installed any more can be asked nothing."""
    game = run.plan.set(pairing.set).game
    played = {"game": _code(GAMES[game])} if game in GAMES else {}
    return {"run": run.plan.run, "pairing": pairing.id, "from": _source(run, pairing), **played, **_scorers()}


def _scorers() -> dict[str, dict[str, str]]:
    """Identify the scorers of plug-ins: a judgement has a column by each."""
    codes = {name: code for name in SCORERS if (code := _code(SCORERS[name].score))}
    return {"scorers": codes} if codes else {}


def _code(game: object) -> str:
    """Hash the files of a game or scorer from outside; one in no file (a notebook's) is judged anew every time."""
    try:
        return foreign_code(game)
    except InputError:
        return secrets.token_hex(8)  # equal to nothing that is stored


def _source(run: Run, pairing: Pairing) -> str:
    """Hash the shards' checksums and the sources of our games."""
    receipts = [plain(run.store.receipt(shard.name).files) for shard in pairing.shards]
    return sha256(canonical([receipts, games_code()]))
