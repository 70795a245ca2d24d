"""What a shard's writer vouches for, and the shard in bytes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from whichword.base.typed import misfit
from whichword.runs.plan import Pairing, Shard
from whichword.runs.sealed import sha256
from whichword.types import Item

MEASURED = "measured"  # a third file, of games that ask about edited copies


@dataclass(frozen=True)
class Timing:
    """Seconds of a shard by method. ``together``: its share of what its family took, asked as one.

    ``alone``: what it took when nobody shared its passes, on ``alone_documents`` of the shard's documents.
    ``beside``: what the shard took but for ``together``: reading, predicting, tables, edited copies, ``alone``.
    """

    together: Mapping[str, float]
    alone: Mapping[str, float]
    alone_documents: int
    beside: float = 0.0


@dataclass(frozen=True)
class Shortfall:
    """What a shard has no answer for: ``failed`` documents, and ``unread`` words of the ``cut`` documents.

    A document is cut where it is longer than the model's longest input.
    """

    failed: int = 0
    cut: int = 0
    unread: int = 0


def shortfall_of(items: Sequence[Item], predictions: Any) -> Shortfall:
    """What a table of predictions has no answer for; its rows are the items."""
    predicted, seen = predictions["predicted"].to_pylist(), predictions["seen"].to_pylist()
    rows = zip(items, predicted, seen, strict=True)
    unread = [len(item.words) - count for item, answer, count in rows if answer is not None]
    return Shortfall(predicted.count(None), sum(map(bool, unread)), sum(unread))


@dataclass(frozen=True)
class Receipt:
    """What a shard's writer vouches for. Seconds are measured, so they are here and not in the results.

    ``together``, ``alone``, ``alone_documents``, ``beside``: see `Timing`; ``shortfall``: `Shortfall`. ``arithmetic``
    is that of the process that computed it.
    """

    run: str
    shard: str
    files: Mapping[str, Mapping[str, Any]]  # kind -> sha256, rows
    together: Mapping[str, float]
    alone: Mapping[str, float]
    alone_documents: int
    documents: int
    arithmetic: str
    shortfall: Mapping[str, int]
    beside: float


@dataclass(frozen=True)
class Made:
    """A computed shard in bytes, with the receipt of whoever computed it; nothing of it is on disk."""

    receipt: Receipt
    tables: Mapping[str, bytes]

    @staticmethod
    def of(
        run: str,
        shard: str,
        tables: Mapping[str, bytes],
        rows: Mapping[str, int],
        timing: Timing,
        arithmetic: str,
        shortfall: Shortfall = Shortfall(),  # noqa: B008 - frozen
    ) -> "Made":
        files = {kind: {"sha256": sha256(tables[kind]), "rows": rows[kind]} for kind in tables}
        body = {"run": run, "shard": shard, "files": files, **asdict(timing), "shortfall": asdict(shortfall)}
        return Made(Receipt(**body, documents=rows["predictions"], arithmetic=arithmetic), tables)


def planned_rows(pairing: Pairing, shard: Shard) -> dict[str, int]:
    """Of every file of a shard."""
    counts = {"predictions": len(shard.items), "relevances": len(shard.items) * len(pairing.methods)}
    if pairing.measured:
        counts[MEASURED] = len(shard.items) * (len(pairing.methods) + len(pairing.measured))
    return counts


def receipt_trouble(receipt: Receipt, run: str, pairing: Pairing, shard: Shard) -> str | None:
    """What is not as it was planned; None: nothing."""
    if wrong := misfit(receipt):
        return f"not a receipt: {wrong}"
    if receipt.run != run or receipt.shard != shard.name:
        return "it belongs to another run or shard"
    if {kind: entry["rows"] for kind, entry in receipt.files.items()} != planned_rows(pairing, shard):
        return "not the planned number of rows"
    timings = [receipt.together, *([receipt.alone] if receipt.alone_documents else [])]
    if not all(set(timing) == set(pairing.labels) and all(map(math.isfinite, timing.values())) for timing in timings):
        return "not the planned methods"
    if not 0.0 <= receipt.beside < math.inf:
        return "not possible seconds"
    return None if _counts(receipt, len(shard.items)) else "not the planned number of documents"


def _counts(receipt: Receipt, documents: int) -> bool:
    """Whether its numbers of documents are possible."""
    shortfall = receipt.shortfall
    if receipt.documents != documents or not 0 <= receipt.alone_documents <= documents:
        return False
    known = shortfall.keys() == asdict(Shortfall()).keys() and min(shortfall.values()) >= 0
    return known and shortfall["failed"] + shortfall["cut"] <= documents
