"""A network on disk: ``config.json``, ``vocabulary.txt``, ``weights.safetensors`` (docs/checkpoint.md). No pickle."""

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load as tensors_of
from safetensors.torch import save_file

from whichword.base import files
from whichword.errors import FileError, InputError
from whichword.networks.network import Config, Network
from whichword.text import Vocabulary

FORMAT = "whichword network 1"
DTYPES = {"float32": torch.float32, "float64": torch.float64}
SEAL = "sha256"  # among the metadata of the weights; the frozen suites' networks have none
LARGEST_CONFIG = 16 * 2**20  # bytes: a config is a page, not a corpus


def save(network: Network, path: Path) -> None:
    """Write beside the target, then rename: a reader sees the old folder or the new one, never a half."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.parent / f"{files.PART}{secrets.token_hex(6)}"  # beside it: a rename stays in one file system
    part.mkdir()
    try:
        arrays = {name: value.detach().cpu().contiguous() for name, value in network.arrays().items()}
        dtype = str(network.w.dtype).removeprefix("torch.")
        config = {"format": FORMAT, "dtype": dtype} | asdict(network.config)
        text = json.dumps(config, indent=2, ensure_ascii=False) + "\n"
        files.write(part / "config.json", text.encode("utf8"))
        network.vocabulary.save(part / "vocabulary.txt")
        save_tensors(part / "weights.safetensors", arrays, {SEAL: _seal(network.vocabulary, arrays)})
        _replace(part, path)
    finally:
        shutil.rmtree(part, ignore_errors=True)  # renamed, it is not there any more


def save_tensors(path: Path, tensors: Mapping[str, torch.Tensor], metadata: dict[str, str] | None = None) -> None:
    """Write a safetensors file, whole or not at all."""
    with files.replacing(path) as part:
        try:
            save_file(dict(tensors), part, metadata=metadata)
        except SafetensorError as error:  # what it says of a full disk
            raise OSError(0, str(error)) from None


def metadata(data: bytes) -> dict[str, str]:
    """Return what `save_tensors` was given besides the arrays, from the head of the file: its length, then JSON."""
    head = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    return dict(head.get("__metadata__", {}))


def checksum(text: str, tensors: Mapping[str, torch.Tensor]) -> str:
    """Hash the text and every array's name, type, shape and bits by SHA-256."""
    digest = hashlib.sha256(text.encode())
    for name, tensor in sorted(tensors.items()):  # whatever order they come in
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        digest.update(tensor.detach().reshape(-1).view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()


def _seal(vocabulary: Vocabulary, tensors: Mapping[str, torch.Tensor]) -> str:
    """Hash the words in their order and the arrays: a flipped bit or two lines exchanged would go unseen."""
    return checksum("\n".join(vocabulary.words), tensors)


def _replace(part: Path, path: Path) -> None:
    """Put a new folder there at once; in an old one config.json goes first and comes last, so no mix is ever read."""
    if not path.exists():
        os.rename(part, path)
        return
    (path / "config.json").unlink(missing_ok=True)
    for name in ("weights.safetensors", "vocabulary.txt", "config.json"):
        os.replace(part / name, path / name)


def load(path: str | Path) -> Network:
    """Read a saved network; anything that is not exactly one is refused with an `InputError`."""
    folder = Path(path)
    config = _config(folder / "config.json")
    dtype = DTYPES.get(config.pop("dtype"))
    if dtype is None:
        raise FileError(f"{folder / 'config.json'}: dtype must be one of {', '.join(DTYPES)}")
    vocabulary = Vocabulary.load(folder / "vocabulary.txt")
    settings = Config(**(config | {"classes": tuple(config["classes"])}))
    tensors, sealed = _weights(folder / "weights.safetensors")
    try:
        network = Network.from_arrays(
            settings.kind,
            tensors,
            classes=settings.classes,
            vocabulary=vocabulary,
            bidirectional=settings.bidirectional,
            dtype=dtype,
        )
    except InputError as error:
        raise FileError(f"{folder}: {error}") from None
    if network.config != settings:  # sizes were taken from the arrays
        raise FileError(f"{folder}: config.json and weights.safetensors do not fit together")
    if sealed is not None and sealed != _seal(vocabulary, tensors):
        raise FileError(
            f"{folder}: weights.safetensors or vocabulary.txt is not what was saved: the checksum is another"
        )
    return network


def _config(path: Path) -> dict[str, Any]:
    try:
        read = json.loads(files.read(path, LARGEST_CONFIG).decode("utf8"))
    except OSError as error:
        raise FileError(f"{path.parent} is not a saved network: {path.name}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:  # thousands of brackets
        raise FileError(f"{path}: not JSON: {error}") from None
    if not isinstance(read, dict) or read.pop("format", None) != FORMAT:
        raise FileError(f"{path}: not the configuration of a {FORMAT!r}")
    _check_types(path, read)
    return read


def _check_types(path: Path, read: Mapping[str, Any]) -> None:
    expected: dict[str, type] = {
        "kind": str,
        "classes": list,
        "embedding": int,
        "hidden": int,
        "bidirectional": bool,
    }
    wanted = {field.name for field in fields(Config)} | {"dtype"}
    if read.keys() != wanted:
        raise FileError(f"{path}: keys must be {', '.join(sorted(wanted))}; found {', '.join(sorted(read))}")
    for name, kind in (expected | {"dtype": str}).items():
        if type(read[name]) is not kind:  # True is an int, but no size
            raise FileError(f"{path}: {name} must be of type {kind.__name__}")
    if not all(isinstance(name, str) for name in read["classes"]):
        raise FileError(f"{path}: classes must be text")


def _weights(path: Path) -> tuple[dict[str, torch.Tensor], str | None]:
    """Read the arrays, and the checksum that they were saved with."""
    try:
        data = files.read(path)  # not by its name: safetensors takes none that is not UTF-8
        return tensors_of(data), metadata(data).get(SEAL)
    except (SafetensorError, OSError) as error:
        raise FileError(f"{path}: not a safetensors file: {error}") from None
