"""A folder of ours: ``config.json``, ``vocabulary.txt``, ``weights.safetensors`` (docs/checkpoint.md)."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from whichword.base import files
from whichword.errors import InputError
from whichword.models.loaders import MODELS, foreign_code

if TYPE_CHECKING:
    from whichword.model import Model

FILES: Mapping[str, str] = {
    "config": "config.json",
    "vocabulary": "vocabulary.txt",
    "weights": "weights.safetensors",
}


@MODELS.register("own")
@dataclass(frozen=True)
class OwnFolder:
    """What `Network.save` and `whichword train` write."""

    form: ClassVar[str] = "a folder that whichword train wrote"

    def opens(self, spelling: str) -> bool:
        return any((Path(spelling) / name).is_file() for name in FILES.values())

    def load(self, spelling: str) -> "Model":
        from whichword.networks.checkpoint import load

        return load(spelling)

    def identity(self, spelling: str) -> dict[str, str]:
        """A hash per file, and the code of the encoder where it is a plug-in's."""
        data = {part: _bytes(Path(spelling), name) for part, name in FILES.items()}
        hashes = {part: hashlib.sha256(content).hexdigest() for part, content in data.items()}
        return hashes | _network_code(data["config"])

    def label(self, spelling: str) -> str:
        return Path(spelling).absolute().name

    def files(self, spelling: str) -> tuple[str, list[str]]:
        """Without the state of its training."""
        return spelling, list(FILES.values())


def _bytes(folder: Path, name: str) -> bytes:
    try:
        return files.read(folder / name)
    except OSError as error:
        raise InputError(f"{folder} is not a saved network: {name}: {error.strerror}") from None


def _network_code(config: bytes) -> dict[str, str]:
    from whichword.networks import NETWORKS

    try:
        kind = json.loads(config)["kind"]
    except (ValueError, LookupError, TypeError):
        return {}  # no network; loading it says why
    code = foreign_code(NETWORKS[kind]) if kind in NETWORKS else ""
    return {f"network {kind}": code} if code else {}
