"""The folder of a training: whose it is, and the record of one that is finished."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from whichword.base import files
from whichword.errors import InputError
from whichword.training.state import Position, stored_position

NETWORK = frozenset({"config.json", "vocabulary.txt", "weights.safetensors"})
TRAINING = "training"


@dataclass(frozen=True)
class Record:
    """What is known of a finished training; ``test`` None: the corpus has no test part."""

    identity: Mapping[str, str]
    position: Position
    heldout: float
    test: float | None


def refuse_other(folder: Path) -> None:
    """`InputError` unless the folder is new, empty, or one that a training has begun to fill."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file: a network needs a folder of its own")
    entries = {path.name for path in folder.iterdir() if not path.name.startswith(".")} if folder.exists() else set()
    if unrelated := sorted(entries - NETWORK - {TRAINING}):
        raise InputError(f"{folder} holds other files ({unrelated[0]}): a network needs a folder of its own")
    if entries and TRAINING not in entries:
        raise InputError(f"{folder} holds a network that was not trained there: choose another folder or remove it")


def read_record(path: Path) -> Record:
    """The record of a finished training."""
    try:
        data = files.read(path)
    except OSError:
        data = b""
    try:
        body = json.loads(data.decode("utf8", "surrogatepass"))
        heldout, test = float(body["heldout"]), body["test"]
        position = stored_position(body["position"])
        return Record(dict(body["identity"]), position, heldout, None if test is None else float(test))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        advice = "remove the folder to train again, or choose another"
        raise InputError(f"{path}: not the record of a training; {advice}") from None
