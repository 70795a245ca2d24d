"""Explain once, score many times: from stored relevances to hits, by the rules of the set's game."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow
import pyarrow.parquet

from whichword import games
from whichword.errors import InputError
from whichword.experiment import formats
from whichword.experiment.canonical import canonical, sha256
from whichword.experiment.degrading import degraded_of
from whichword.experiment.judged import Judged, JudgedFacts
from whichword.experiment.judgement_checks import sound_judgement
from whichword.experiment.judging_fresh import columns_of, judge_afresh
from whichword.experiment.judging_rows import ScoredRows
from whichword.experiment.judging_work import Judges
from whichword.experiment.plan import Pairing
from whichword.experiment.reading import Run
from whichword.experiment.seal import DamagedError, commit, commit_by, sealed
from whichword.models.sources import foreign_code


def judge(run: Run, pairing_id: str) -> Judged:
    """The stored judgement where it fits the shards and the rules, else a fresh one."""
    pairing = run.plan.pairing(pairing_id)
    try:
        return _of_table(pairing, *_stored(run, pairing))
    except DamagedError:
        return _fresh(run, pairing)


def store_judgement(run: Run, pairing_id: str, judges: Judges = Judges()) -> None:  # noqa: B008 - frozen
    """Judge and commit; only under the run's lock. A judgement that fits already is left alone."""
    pairing = run.plan.pairing(pairing_id)
    try:
        _stored(run, pairing)
    except DamagedError:
        _store(run, pairing, judges)


# ---------------------------------------------------------------------------------------------------------------------


def _fresh(run: Run, pairing: Pairing) -> Judged:
    """In memory."""
    blocks: list[ScoredRows] = []
    facts = judge_afresh(run, pairing, blocks.append, Judges())
    rows = ScoredRows.joined(blocks or [ScoredRows.blank(0, len(pairing.methods), facts.chance)])
    game = games.GAMES[run.plan.set(pairing.set).game]
    names = (tuple(rows.keys.tolist()), tuple(rows.predicted.tolist()))
    fixed = (pairing.labels, game.parts, *names, rows.rmax, rows.ties, rows.nonfinite, rows.hits)
    return Judged(*fixed, facts.chance, facts.degraded, facts.ceiling, facts.unfamiliar)


def _store(run: Run, pairing: Pairing, judges: Judges) -> None:
    """Block by block onto the disk: nothing but sums is held of all of them."""
    parts = games.GAMES[run.plan.set(pairing.set).game].parts
    facts, checksum = commit_by(run.folder, f"judged/{pairing.id}.parquet", partial(_write, run, pairing, judges))
    body = _named(run, pairing) | {"sha256": checksum, "parts": list(parts), **asdict(facts)}
    commit(run.folder, f"judged/{pairing.id}.json", sealed(body))


def _write(run: Run, pairing: Pairing, judges: Judges, file: BinaryIO) -> tuple[JudgedFacts, str]:
    """A row group per block; returns what is told of all items, and the file's checksum."""
    schema = formats.judged_schema(columns_of(games.GAMES[run.plan.set(pairing.set).game]))
    hashed = formats.HashingFile(file)
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


def _stored(run: Run, pairing: Pairing) -> tuple[dict[str, Any], Any]:
    """The receipt and the file, opened; `DamagedError` where they are not what judging now would give."""
    body, file = sound_judgement(run.store, pairing)
    expected = _named(run, pairing)
    if {name: body.get(name) for name in expected} != expected:
        raise DamagedError("the judgement is of other shards or by other rules")
    if not {"parts", "degraded", "ceiling", "unfamiliar"} <= body.keys():
        raise DamagedError("the judgement lacks what is told today")
    return body, file


def _of_table(pairing: Pairing, body: Mapping[str, Any], file: Any) -> Judged:
    table = formats.whole(file, f"judged/{pairing.id}.parquet")
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
