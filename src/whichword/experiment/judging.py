"""Explain once, score many times: from stored relevances to hits, by the rules of the set's game."""

import secrets
from collections.abc import Mapping
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow

from whichword import games
from whichword.errors import InputError
from whichword.experiment import formats
from whichword.experiment.canonical import canonical, sha256
from whichword.experiment.degrading import Degraded, degraded, degraded_of
from whichword.experiment.judged import Judged
from whichword.experiment.judgement_checks import misshapen
from whichword.experiment.judging_measured import MeasuredSheet
from whichword.experiment.judging_sheet import Floats, ScoreSheet
from whichword.experiment.plan import Pairing
from whichword.experiment.reading import Run
from whichword.experiment.seal import DamagedError, commit, sealed, unsealed
from whichword.experiment.shard_tables import ShardTables
from whichword.files import read
from whichword.games import Measured
from whichword.games.mixing import LEVELS
from whichword.games.scorers import SCORERS
from whichword.models.sources import foreign_code
from whichword.statistics.outcomes import BASELINES


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
    data = formats.parquet(_columns(judged), formats.judged_schema(tuple(judged.hits)))
    commit(run.folder, f"judged/{pairing.id}.parquet", data)
    facts: dict[str, Any] = {"parts": list(judged.parts), "chance": dict(judged.chance)}
    facts["degraded"] = {part: asdict(noise) for part, noise in judged.degraded.items()}
    facts |= {"ceiling": dict(judged.ceiling), "unfamiliar": judged.unfamiliar}
    body = _named(run, pairing) | {"sha256": sha256(data), **facts}
    commit(run.folder, f"judged/{pairing.id}.json", sealed(body))
    return judged


# ---------------------------------------------------------------------------------------------------------------------


def _fresh(run: Run, pairing: Pairing) -> Judged:
    """Shard by shard, so that neither the items nor the relevances of a run have to fit in memory."""
    played = run.plan.set(pairing.set)
    game = games.GAMES[played.game]
    sheet = ScoreSheet(pairing, played.items, game, run.plan.model(pairing.model).classes)
    for shard in pairing.shards:
        sheet.enter(shard, ShardTables.read(run, pairing, shard))
    sheet.settle()
    return _judged(run, sheet)


def _judged(run: Run, sheet: ScoreSheet) -> Judged:
    """Without the items that failed."""
    rows = np.flatnonzero(sheet.answered)
    taken = slice(None) if sheet.answered.all() else rows  # mostly all: then nothing is copied
    keys, predicted = (tuple(names[row] for row in rows.tolist()) for names in (sheet.keys, sheet.predicted))
    arrays = (sheet.rmax[taken], sheet.ties[taken], sheet.nonfinite[taken])
    fixed = (sheet.pairing.labels, sheet.game.parts, keys, predicted, *arrays)
    if not isinstance(sheet.game, Measured):
        hits = {name: values[taken] for name, values in sheet.hits.items()}
        return Judged(*fixed, hits, sheet.chance(), _noise(run, sheet))
    copies = MeasuredSheet.of(run, sheet.pairing, sheet.game, rows)
    unfamiliar = copies.unfamiliar(sheet.confidence[rows])
    return Judged(*fixed, copies.hits(), copies.chance(), copies.noise(), copies.ceiling(), unfamiliar)


def _noise(run: Run, sheet: ScoreSheet) -> dict[str, Degraded]:
    """The best method of every part, mixed with noise; parts in which nothing counts are left out."""
    best = {part: column for part in sheet.game.parts if (column := _best(sheet, part)) >= 0}
    scores = {part: {0.0: sheet.hits[part][:, column].copy()} for part, column in best.items()}
    for by_level in scores.values():
        by_level |= {level: np.full(len(sheet.keys), np.nan) for level in LEVELS[1:]}
    for shard in sheet.pairing.shards if best else ():
        page = sheet.page(ShardTables.read(run, sheet.pairing, shard))
        for column, level in product(set(best.values()), LEVELS[1:]):  # often one method is best in all parts
            ranking = page.with_noise(column, level)
            for part in (part for part in best if best[part] == column):
                scorer = SCORERS[sheet.game.part(part).scorer]
                scores[part][level][page.answered.places] = scorer.scores(ranking, page.gold[part])
    curves = {part: _curve(sheet.pairing.labels[best[part]], by_level) for part, by_level in scores.items()}
    return {part: curve for part, curve in curves.items() if curve is not None}


def _curve(method: str, scores: Mapping[float, Floats]) -> Degraded | None:
    """At all levels over the items that count without noise."""
    counted = ~np.isnan(scores[0.0])
    return degraded(method, {level: values[counted] for level, values in scores.items()})


def _best(sheet: ScoreSheet, part: str) -> int:
    """The column of the method with the best mean, baselines left out; -1 where there is none."""
    labels = sheet.pairing.labels
    counted = sheet.hits[part][~np.isnan(sheet.hits[part]).any(axis=1)]
    columns = [column for column, label in enumerate(labels) if label not in BASELINES] if len(counted) else []
    return max(columns, key=lambda column: float(counted[:, column].mean()), default=-1)


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
    } | {part: pyarrow.array(hits.ravel(), from_pandas=True) for part, hits in judged.hits.items()}


def _stored(run: Run, pairing: Pairing) -> Judged:
    body = unsealed(run.folder / f"judged/{pairing.id}.json")
    expected = _named(run, pairing)
    if {name: body.get(name) for name in expected} != expected:
        raise DamagedError("the judgement is of other shards or by other rules")
    path = run.folder / f"judged/{pairing.id}.parquet"
    try:
        data = read(path)
    except OSError as error:
        raise DamagedError(f"{path.name}: {error.strerror}") from None
    if sha256(data) != body.get("sha256"):
        raise DamagedError(f"{path.name}: the checksum does not fit")
    table = formats.table(data, path.name)
    if not {"parts", "degraded", "ceiling", "unfamiliar"} <= body.keys():
        raise DamagedError("the judgement lacks what is told today")
    if trouble := misshapen(table, run.store, pairing, body, path.name):
        raise DamagedError(trouble)
    return _of_table(table, pairing, body)


def _of_table(table: Any, pairing: Pairing, body: Mapping[str, Any]) -> Judged:
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
