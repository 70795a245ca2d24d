"""The decision of a run that was played in rounds: made while it was played, stored beside it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from whichword.runs.seal import DamagedError, commit, sealed, unsealed
from whichword.statistics.decision import Decision
from whichword.statistics.intervals import Interval

FILE = "verdict.json"


@dataclass(frozen=True)
class StoredVerdict:
    """What was decided about a pairing, and for each method that did not play to the end the reason."""

    decision: Decision | None
    unplayed: Mapping[str, str]


def save_verdicts(folder: Path, run: str, verdicts: Mapping[str, StoredVerdict]) -> None:
    """By pairing; ``run`` is the plan that they belong to."""
    commit(folder, FILE, sealed({"run": run, "pairings": {name: asdict(entry) for name, entry in verdicts.items()}}))


def stored_verdicts(folder: Path, run: str) -> dict[str, StoredVerdict]:
    """What was stored for this plan; nothing where the run was not played in rounds."""
    try:
        body = unsealed(folder / FILE)
    except DamagedError:
        return {}
    if body.get("run") != run:
        return {}
    return {
        name: StoredVerdict(_decision(entry["decision"]), entry["unplayed"]) for name, entry in body["pairings"].items()
    }


def _decision(fields: Mapping[str, Any] | None) -> Decision | None:
    if fields is None:
        return None
    lists = {name: tuple(value) for name, value in fields.items() if isinstance(value, list)}
    distances = {
        kind: {name: Interval(**bounds) for name, bounds in fields.get(kind, {}).items()} for kind in ("behind", "over")
    }
    return Decision(**{**fields, **lists, **distances})
