"""Are the files of judged/ what their receipts say? They can be made again from the shards, but not read if broken."""

import numbers
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from whichword.base.typed import misfit
from whichword.runs import shards
from whichword.runs.items import file_sha256
from whichword.runs.plan import Pairing
from whichword.runs.sealed import DamagedError, unsealed
from whichword.runs.store import Store
from whichword.scoring.outcomes import degraded_of


def judgement_troubles(store: Store) -> tuple[list[str], list[str]]:
    """(what is not made yet, what is damaged), in words; one that is by older rules of a game is sound."""
    absent, damaged = [], []
    for pairing in store.plan.pairings:
        if not any((store.folder / name).exists() for name in _names(pairing)):
            absent.append(f"{_names(pairing)[0]}: the judgement is missing")
        elif trouble := _trouble(store, pairing):
            damaged.append(trouble)
    return absent, damaged


def _names(pairing: Pairing) -> tuple[str, str]:
    return f"judged/{pairing.id}.json", f"judged/{pairing.id}.parquet"


def _trouble(store: Store, pairing: Pairing) -> str | None:
    try:
        _, file = sound_judgement(store, pairing)
        for _ in shards.row_groups(file, _names(pairing)[1]):  # every byte can be read, but not all at once
            pass
    except DamagedError as damage:
        return f"judged/{damage}" if not str(damage).startswith("judged/") else str(damage)
    return None


def sound_judgement(store: Store, pairing: Pairing) -> tuple[dict[str, Any], Any]:
    """The receipt and the opened file of a pairing; `DamagedError` where one is none, or is not what the other says."""
    receipt, name = _names(pairing)
    body = unsealed(store.folder / receipt)
    if (body.get("run"), body.get("pairing")) != (store.plan.run, pairing.id):
        raise DamagedError(f"{receipt}: it belongs to another run or pairing")
    try:
        checksum = file_sha256(store.folder / name)
    except OSError as error:
        raise DamagedError(f"{name}: {error.strerror}") from None
    if checksum != body.get("sha256"):
        raise DamagedError(f"{name}: the checksum does not fit")
    file = shards.opened(store.folder / name)
    if trouble := _misshapen(file.metadata.num_rows, file.schema_arrow, store, pairing, body):
        raise DamagedError(f"{name}: {trouble}")
    return body, file


def _misshapen(rows: int, schema: Any, store: Store, pairing: Pairing, body: Mapping[str, Any]) -> str | None:
    """Other rows, columns or facts than the receipt and the plan promise."""
    chance = body.get("chance")
    if not isinstance(chance, dict) or not all(v is None or isinstance(v, numbers.Real) for v in chance.values()):
        return "its receipt says nothing of chance"
    if rows != _answered(store, pairing) * len(pairing.methods):
        return "not the planned number of rows"
    if not schema.equals(shards.judged_schema(tuple(chance))):
        return "not the planned columns"
    wrong = _facts_trouble(body, store.plan.set(pairing.set).parts)
    return None if wrong is None else f"its receipt is none: {wrong}"


@dataclass(frozen=True)
class JudgementFacts:
    """What the receipt of a judgement says besides: see `Judged`."""

    parts: tuple[str, ...]
    ceiling: Mapping[str, float | None]
    unfamiliar: float | None


def _facts_trouble(body: Mapping[str, Any], parts: Sequence[str]) -> str | None:
    if lacking := {"parts", "degraded", "ceiling", "unfamiliar"} - body.keys():
        return f"it lacks {', '.join(sorted(lacking))}"
    stored, noise = body["parts"], body["degraded"]
    if stored != list(parts) or not set(parts) <= body["chance"].keys():
        return "not the parts of the plan"
    if not isinstance(noise, dict) or not noise.keys() <= set(parts):
        return "degraded is not by part"
    facts = JudgementFacts(tuple(stored), body["ceiling"], body["unfamiliar"])
    return misfit(facts) or next((wrong for fields in noise.values() if (wrong := _noise_trouble(fields))), None)


def _noise_trouble(fields: Any) -> str | None:
    try:
        curve = degraded_of(fields)
    except (TypeError, LookupError):
        return "degraded is no curve"
    return misfit(curve) or (None if len(curve.levels) == len(curve.scores) else "degraded is no curve")


def _answered(store: Store, pairing: Pairing) -> int:
    """The pairing's items without those that failed; of a damaged receipt, which is told apart, none did."""
    return store.plan.set(pairing.set).items - sum(_failed(store, shard.name) for shard in pairing.shards)


def _failed(store: Store, shard: str) -> int:
    try:
        return store.receipt(shard).shortfall["failed"]
    except DamagedError:
        return 0
