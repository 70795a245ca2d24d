"""Explain once, score many times: from stored relevances to hits, by the rules of the set's game."""

import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np

from whichword import games
from whichword.errors import InputError
from whichword.models.loaders import foreign_code
from whichword.runs import shards as formats
from whichword.runs.plan import Pairing
from whichword.runs.run import Run
from whichword.runs.sealed import DamagedError, canonical, sha256
from whichword.runs.sources import games_code
from whichword.scoring.checks import sound_judgement
from whichword.scoring.jobs import Judges
from whichword.scoring.outcomes import Judged, degraded_of


def judge(run: Run, pairing_id: str) -> Judged:
    """The stored judgement where it fits the shards and the rules, else a fresh one."""
    pairing = run.plan.pairing(pairing_id)
    try:
        return _of_table(pairing, *_stored(run, pairing))
    except DamagedError:
        from whichword.scoring.judging_making import judge_in_memory  # a judgement that is there needs none of it

        return judge_in_memory(run, pairing)


def store_judgement(run: Run, pairing_id: str, judges: Judges = Judges()) -> None:  # noqa: B008 - frozen
    """Judge and commit; only under the run's lock. A judgement that fits already is left alone."""
    pairing = run.plan.pairing(pairing_id)
    try:
        _stored(run, pairing)
    except DamagedError:
        from whichword.scoring.judging_making import judge_onto_disk

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
    """Hash the shards' checksums and the sources of our games."""
    receipts = [dict(run.store.receipt(shard.name).files) for shard in pairing.shards]
    return sha256(canonical([receipts, games_code()]))
