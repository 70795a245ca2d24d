"""The folder of a training: whose it is, what is needed to resume after a kill, the record of one that is finished.

The state is one safetensors file, replaced as a whole.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load as tensors_of
from torch import Tensor

from whichword.base import files
from whichword.errors import FileError
from whichword.networks import Network
from whichword.networks.checkpoint import checksum, metadata, save_tensors
from whichword.networks.network import assign
from whichword.training.adam import Adam


@dataclass(frozen=True)
class Epoch:
    """One line of the log."""

    number: int
    loss: float
    heldout: float
    learning_rate: float


@dataclass(frozen=True)
class Position:
    """Where training stands: ``steps`` batches into epoch ``epoch`` (from 0). ``loss`` is their sum.

    ``arithmetics``: of the machines that had a part in it, in order. The same training by another is another network.
    """

    identity: Mapping[str, str]
    learning_rate: float
    epoch: int = 0
    steps: int = 0
    loss: float = 0.0
    best: float = -1.0  # below any accuracy
    best_epoch: int = 0
    stagnant: int = 0  # epochs since the best
    waiting: int = 0  # stagnant epochs since the learning rate was last halved
    done: bool = False
    log: tuple[Epoch, ...] = field(default=())
    arithmetics: tuple[str, ...] = ()

    def computed_by(self, arithmetic: str) -> "Position":
        """Return the same position, continued by this arithmetic."""
        return replace(self, arithmetics=tuple(dict.fromkeys((*self.arithmetics, arithmetic))))

    def after_epoch(self, heldout: float, halve: int, patience: int, epochs: int) -> "Position":
        """Start the next epoch: the learning rate halved or training done where there was no progress."""
        better = heldout > self.best
        stagnant, waiting = (0, 0) if better else (self.stagnant + 1, self.waiting + 1)
        halved = waiting >= halve
        line = Epoch(self.epoch + 1, self.loss / max(1, self.steps), heldout, self.learning_rate)
        return replace(
            self,
            epoch=self.epoch + 1,
            steps=0,
            loss=0.0,
            best=heldout if better else self.best,
            best_epoch=self.epoch + 1 if better else self.best_epoch,
            stagnant=stagnant,
            waiting=0 if halved else waiting,
            learning_rate=self.learning_rate * (0.5 if halved else 1.0),
            done=stagnant >= patience or self.epoch + 1 >= epochs,
            log=(*self.log, line),
        )


def write_state(path: Path, position: Position, network: Network, adam: Adam, best: dict[str, Tensor]) -> None:
    """Write weights, Adam's moments and the best epoch's weights, with the position as metadata; and a checksum."""
    tensors = {f"now.{name}": value.detach().clone() for name, value in network.arrays().items()}
    tensors |= {f"best.{name}": value for name, value in best.items()}
    tensors |= {f"mean.{name}": value for name, value in adam.mean.items()}
    tensors |= {f"square.{name}": value for name, value in adam.square.items()}
    tensors |= {"seen": adam.seen, "step": torch.tensor(adam.step)}
    stored = json.dumps(asdict(position))
    save_tensors(path, tensors, {"position": stored, "sha256": checksum(stored, tensors)})


def read_state(path: Path, network: Network, adam: Adam) -> tuple[Position, dict[str, Tensor]]:
    """Put weights and moments back; return the position and the best epoch's weights."""
    try:
        data = files.read(path)
        tensors, stored = tensors_of(data), metadata(data)
        if stored["sha256"] != checksum(stored["position"], tensors):  # one flipped bit would train on unseen
            raise ValueError("the checksum does not fit")
        position = stored_position(json.loads(stored["position"]))
    except (SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
        raise FileError(f"{path}: not the state of a training: {error}; remove it to begin anew") from None
    assign(network, {name.removeprefix("now."): value for name, value in tensors.items() if name.startswith("now.")})
    _put_back(adam, tensors, path)
    return position, {name.removeprefix("best."): v for name, v in tensors.items() if name.startswith("best.")}


def _put_back(adam: Adam, tensors: Mapping[str, Tensor], path: Path) -> None:
    current = {f"mean.{name}": value for name, value in adam.mean.items()}
    current |= {f"square.{name}": value for name, value in adam.square.items()} | {"seen": adam.seen}
    for name, value in current.items():
        if name not in tensors or tensors[name].shape != value.shape:
            raise FileError(f"{path}: not the state of this training: {name}; remove it to begin anew")
        value.copy_(tensors[name])
    adam.step = int(tensors["step"])


def stored_position(stored: dict[str, Any]) -> Position:
    """Make a position of its JSON."""
    log, arithmetics = tuple(Epoch(**line) for line in stored["log"]), tuple(stored.get("arithmetics", ()))
    return Position(**(stored | {"log": log, "arithmetics": arithmetics}))


NETWORK = frozenset({"config.json", "vocabulary.txt", "weights.safetensors"})  # what a finished training leaves
TRAINING = "training"


@dataclass(frozen=True)
class TrainingRecord:
    """What is known of a finished training; ``test`` None: the corpus has no test part."""

    identity: Mapping[str, str]
    position: Position
    heldout: float
    test: float | None


def refuse_other(folder: Path) -> None:
    """Refuse a folder unless it is new, empty, or one that a training has begun to fill."""
    if folder.exists() and not folder.is_dir():
        raise FileError(f"{folder} is a file: a network needs a folder of its own")
    entries = {path.name for path in folder.iterdir() if not path.name.startswith(".")} if folder.exists() else set()
    if unrelated := sorted(entries - NETWORK - {TRAINING}):
        raise FileError(f"{folder} holds other files ({unrelated[0]}): a network needs a folder of its own")
    if entries and TRAINING not in entries:
        raise FileError(f"{folder} holds a network that was not trained there: choose another folder or remove it")


def read_record(path: Path) -> TrainingRecord:
    """Read the record of a finished training."""
    try:
        data = files.read(path)
    except OSError:
        data = b""  # refused below, as any damage is
    try:
        body = json.loads(data.decode("utf8", "surrogatepass"))
        heldout, test = float(body["heldout"]), body["test"]
        position = stored_position(body["position"])
        return TrainingRecord(dict(body["identity"]), position, heldout, None if test is None else float(test))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):  # JSON of another form
        advice = "remove the folder to train again, or choose another"
        raise FileError(f"{path}: not the record of a training; {advice}") from None
