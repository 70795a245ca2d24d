"""Networks and documents whose relevances are kept: drawn from raw bits, so that no library's version matters.

`python tests/kept/make_kept.py` wrote `relevances.npz` before the models got a contract of their own; the file is a
witness and is not made again when the code changes.
"""

import hashlib

import numpy as np
import torch

from whichword import Network

NETWORKS = [(kind, both) for kind in ("gru", "qgru", "lstm", "qlstm") for both in (False, True)]
NETWORKS += [("cnn", False), ("linear", False)]
CLASSES = ("a", "b", "c")
EMBEDDING, HIDDEN, ROWS, WIDTH = 6, 5, 40, 5
GATES = {"gru": ("_z", "_r", ""), "lstm": ("_i", "_f", "_o", ""), "qgru": ("_z", ""), "qlstm": ("_i", "_f", "_o", "")}
WORDS = [f"word{number}" for number in range(ROWS - 1)]


def uniform(name: str, *shape: int) -> np.ndarray:
    """Numbers in -1..1 that belong to a name."""
    seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little")
    bits = np.random.PCG64(seed).random_raw(int(np.prod(shape, dtype=int)))
    return (bits >> np.uint64(11)).astype(np.float64).reshape(shape) * 2.0**-52 - 1.0


def title(kind: str, both: bool) -> str:
    return f"bi{kind}" if both else kind


def arrays(kind: str, both: bool) -> dict[str, np.ndarray]:
    named = {"embedding": 1.5 * uniform(f"{kind} embedding", ROWS, EMBEDDING)}
    for prefix in ("forward.", "backward.")[: 1 + both]:
        for gate in GATES.get(kind, ("",) if kind == "cnn" else ()):
            V = (WIDTH, EMBEDDING, HIDDEN) if kind in ("cnn", "qgru", "qlstm") else (HIDDEN, EMBEDDING)
            shapes = {"V": V, "U": (HIDDEN, HIDDEN), "b": (HIDDEN,)}
            for letter in "VUb" if kind in ("gru", "lstm") else "Vb":
                name = f"{prefix}{letter}{gate}"
                named[name] = 0.6 * uniform(f"{kind} {both} {name}", *shapes[letter])
    size = EMBEDDING if kind == "linear" else HIDDEN * (1 + both)
    readout = {"w": uniform(f"{kind} {both} w", 3, size), "readout_b": uniform(f"{kind} {both} readout_b", 3)}
    return named | readout


def network(kind: str, both: bool) -> Network:
    return Network.from_arrays(
        kind, arrays(kind, both), classes=CLASSES, vocabulary=WORDS, bidirectional=both, dtype=torch.float64
    )


def documents() -> list[list[str]]:
    """Forty lists of words, of 0 to 39 words, some of them unknown."""
    return [[_word(length, place) for place in range(length)] for length in range(40)]


def _word(length: int, place: int) -> str:
    number = int((uniform(f"word {length} {place}", 1)[0] + 1.0) / 2.0 * ROWS)
    return WORDS[number] if number < len(WORDS) else "unheard-of"
