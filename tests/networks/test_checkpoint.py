"""Saved networks: the same bits back, and everything that is not one is refused."""

import json
import os
import pickle
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

import whichword
from whichword import InputError, Network
from whichword.networks.network import Config
from whichword.text import Vocabulary

WORDS = ("film", "good", "bad", "\u2028", "naïve")


def network(kind: str = "lstm", both: bool = True, dtype: torch.dtype = torch.float32) -> Network:
    fresh = Network.of(Config(kind, ("no", "yes"), 4, 3, both), Vocabulary(WORDS)).to(dtype)
    return fresh.requires_grad_(False)


@pytest.mark.parametrize("kind", list(whichword.NETWORKS))
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_same_bits_come_back(tmp_path: Path, kind: str, dtype: torch.dtype) -> None:
    saved = network(kind, whichword.NETWORKS[kind].directional, dtype)
    saved.save(tmp_path / "net")
    assert sorted(os.listdir(tmp_path / "net")) == ["config.json", "vocabulary.txt", "weights.safetensors"]
    loaded = whichword.load(tmp_path / "net")
    assert type(loaded) is type(saved)
    assert loaded.config == saved.config
    assert loaded.vocabulary == saved.vocabulary
    for name, value in saved.arrays().items():
        assert torch.equal(loaded.arrays()[name], value)
        assert loaded.arrays()[name].dtype == dtype


def test_saving_over_an_old_one(tmp_path: Path) -> None:
    network("lstm").save(tmp_path / "net")
    second = network("cnn", both=False)
    second.save(tmp_path / "net")
    assert torch.equal(whichword.load(tmp_path / "net").w, second.w)
    assert os.listdir(tmp_path) == ["net"]


def test_names_and_shapes_are_the_documented_ones(tmp_path: Path) -> None:
    expected = {"embedding": [6, 4], "w": [2, 6], "readout_b": [2]}
    for side in ("forward", "backward"):
        for gate in ("_i", "_f", "_o", ""):
            expected |= {f"{side}.V{gate}": [3, 4], f"{side}.U{gate}": [3, 3], f"{side}.b{gate}": [3]}
    network("lstm").save(tmp_path / "net")
    stored = load_file(tmp_path / "net" / "weights.safetensors")
    assert {name: list(value.shape) for name, value in stored.items()} == expected


def test_from_arrays_takes_numpy_and_checks() -> None:
    arrays = {name: value.numpy() for name, value in network("gru", both=False).arrays().items()}
    built = Network.from_arrays("gru", arrays, classes=["no", "yes"], vocabulary=list(WORDS), dtype=torch.float64)
    assert built.w.dtype == torch.float64
    named = Network.from_arrays("gru", arrays, classes=["no", "yes"], vocabulary=[*WORDS, "<oov>"])
    assert named.vocabulary == built.vocabulary
    for change, message in (
        ({"w": np.zeros((2, 7))}, "shape"),
        ({"w": np.zeros(3)}, "two dimensions"),
        ({"forward.V_z": None}, "missing arrays: forward.V_z"),
        ({"forward.V_q": np.zeros(3)}, "unknown arrays: forward.V_q"),
        ({"readout_b": np.array([np.nan, 0])}, "not finite"),
        ({"readout_b": np.array([1, 0])}, "not finite numbers"),
    ):
        broken = {name: value for name, value in (arrays | change).items() if value is not None}
        with pytest.raises(InputError, match=message):
            Network.from_arrays("gru", broken, classes=["no", "yes"], vocabulary=list(WORDS))
    with pytest.raises(InputError, match="rows for 2 words"):
        Network.from_arrays("gru", arrays, classes=["no", "yes"], vocabulary=["a", "b"])
    with pytest.raises(InputError, match="at least two classes"):
        Network.from_arrays("gru", arrays, classes=["no", "no"], vocabulary=list(WORDS))
    with pytest.raises(InputError, match="cannot be bidirectional"):
        Network.from_arrays("cnn", arrays, classes=["no", "yes"], vocabulary=list(WORDS), bidirectional=True)


class Trap:
    """Unpickling me would leave a file behind."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[[str], object], tuple[str]]:
        return os.mkdir, (str(self.path),)


def edit(folder: Path, **changes: object) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def weights(folder: Path, **changes: torch.Tensor) -> None:
    path = folder / "weights.safetensors"
    save_file(load_file(path) | changes, path)


def _pickled(folder: Path) -> None:
    (folder / "weights.safetensors").write_bytes(pickle.dumps(Trap(folder / "sprung")))


def _torch_saved(folder: Path) -> None:
    torch.save({"w": Trap(folder / "sprung")}, folder / "weights.safetensors")


def _huge_header(folder: Path) -> None:
    (folder / "weights.safetensors").write_bytes(struct.pack("<Q", 2**62) + b"{}")


def _truncated(folder: Path) -> None:
    path = folder / "weights.safetensors"
    path.write_bytes(path.read_bytes()[:-7])


HOSTILE: dict[str, Callable[[Path], None]] = {
    "a pickle as weights": _pickled,
    "a torch file as weights": _torch_saved,
    "a pickle as configuration": lambda f: (f / "config.json").write_bytes(pickle.dumps(Trap(f / "sprung"))) and None,
    "a huge header": _huge_header,
    "cut weights": _truncated,
    "no weights": lambda f: (f / "weights.safetensors").unlink(),
    "no vocabulary": lambda f: (f / "vocabulary.txt").unlink(),
    "an empty configuration": lambda f: (f / "config.json").write_text("") and None,
    "deep JSON": lambda f: (f / "config.json").write_text("[" * 100_000) and None,
    "another format": lambda f: edit(f, format="whichword network 2"),
    "an unknown key": lambda f: edit(f, hook="os.system"),
    "an unknown network": lambda f: edit(f, kind="os"),
    "a wrong type": lambda f: edit(f, hidden="3"),
    "a truth value for a number": lambda f: edit(f, hidden=True),
    "a huge size": lambda f: edit(f, hidden=10**12),
    "another size": lambda f: edit(f, hidden=4),
    "class names that are numbers": lambda f: edit(f, classes=[1, 2]),
    "another number of classes": lambda f: edit(f, classes=["a", "b", "c"]),
    "another dtype": lambda f: edit(f, dtype="float16"),
    "NaN": lambda f: weights(f, w=torch.full((2, 6), float("nan"))),
    "infinity": lambda f: weights(f, w=torch.full((2, 6), float("inf"))),
    "a wrong shape": lambda f: weights(f, w=torch.zeros(2, 5)),
    "whole numbers": lambda f: weights(f, w=torch.zeros(2, 6, dtype=torch.long)),
    "an extra array": lambda f: weights(f, extra=torch.zeros(1)),
    "one word less": lambda f: (f / "vocabulary.txt").write_text("film\ngood\n") and None,
    "a word twice": lambda f: (f / "vocabulary.txt").write_text("film\nfilm\na\nb\nc\n") and None,
    "not UTF-8": lambda f: (f / "vocabulary.txt").write_bytes(b"film\n\xff\na\nb\nc\n") and None,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_folders_are_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "net"
    network().save(folder)
    HOSTILE[name](folder)
    with pytest.raises(InputError) as caught:
        whichword.load(folder)
    assert str(folder) in str(caught.value)
    assert not (folder / "sprung").exists()


def test_well_formed_changes_to_weights_and_vocabulary_are_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "net"
    network().save(folder)
    sound = {name: (folder / name).read_bytes() for name in ("weights.safetensors", "vocabulary.txt")}
    head = 8 + int.from_bytes(sound["weights.safetensors"][:8], "little")
    for place in range(head, len(sound["weights.safetensors"]), 41):  # the lowest bit of a byte: all stays finite
        damaged = bytearray(sound["weights.safetensors"])
        damaged[place] ^= 1
        (folder / "weights.safetensors").write_bytes(damaged)
        with pytest.raises(InputError, match="checksum"):
            whichword.load(folder)
    (folder / "weights.safetensors").write_bytes(sound["weights.safetensors"])
    for words in (("good", "film", *WORDS[2:]), ("films", *WORDS[1:])):
        (folder / "vocabulary.txt").write_text("".join(f"{word}\n" for word in words))
        with pytest.raises(InputError, match="checksum"):
            whichword.load(folder)
    (folder / "vocabulary.txt").write_bytes(sound["vocabulary.txt"])
    edit(folder, classes=["bad", "good"])  # people rename classes
    assert whichword.load(folder).config.classes == ("bad", "good")


def test_networks_without_a_checksum_are_read(tmp_path: Path) -> None:
    saved = network()
    saved.save(tmp_path / "net")
    weights(tmp_path / "net")  # as the frozen suites have them
    assert torch.equal(whichword.load(tmp_path / "net").w, saved.w)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no model loader opens"):
        whichword.load(tmp_path / "nothing")
