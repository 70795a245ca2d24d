"""Check the files of judged/ against their receipts: damaged ones can be made again from the shards, but not read."""

from typing import Any

from whichword.base.typed import typed
from whichword.errors import DamagedError
from whichword.runs import shards
from whichword.runs.items import file_sha256
from whichword.runs.records import Judgement, Pairing
from whichword.runs.sealed import unsealed
from whichword.runs.store import Store


def judgement_troubles(store: Store) -> tuple[list[str], list[str]]:
    """List what is not made yet, and what is damaged; a judgement by older rules of a game is sound."""
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
        # `unsealed` names a file without its folder
        return f"judged/{damage}" if not str(damage).startswith("judged/") else str(damage)
    return None


def sound_judgement(store: Store, pairing: Pairing) -> tuple[dict[str, Any], Any]:
    """Open a pairing's judgement: its receipt and its file, or `DamagedError` where one is not what the other says."""
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
    judgement = typed(Judgement, body, f"{receipt}: not the receipt of a judgement", DamagedError)
    if trouble := _misshapen(file.metadata.num_rows, file.schema_arrow, store, pairing, judgement):
        raise DamagedError(f"{name}: {trouble}")
    return body, file


def _misshapen(rows: int, schema: Any, store: Store, pairing: Pairing, judgement: Judgement) -> str | None:
    """Say which rows, columns or parts are other than the receipt and the plan promise."""
    if rows != _answered(store, pairing) * len(pairing.methods):
        return "not the planned number of rows"
    if not schema.equals(shards.judged_schema(tuple(judgement.chance))):  # chance has a value for every column of hits
        return "not the planned columns"
    parts = set(judgement.parts)
    sound = judgement.parts == store.plan.set(pairing.set).parts and set(judgement.degraded) <= parts
    return None if sound and parts <= set(judgement.chance) else "its receipt is not of the parts of the plan"


def _answered(store: Store, pairing: Pairing) -> int:
    """Count the pairing's items without those that failed; damaged receipts are reported elsewhere and count as 0."""
    return store.plan.set(pairing.set).items - sum(_failed(store, shard.name) for shard in pairing.shards)


def _failed(store: Store, shard: str) -> int:
    try:
        return store.receipt(shard).shortfall.failed
    except DamagedError:
        return 0
