"""Random networks and documents of moderate size: no gate is shut and no softmax saturated."""

import numpy as np
from oracle_networks import WIDTH, OracleNetwork

GATES = {
    "gru": ("_z", "_r", ""),
    "lstm": ("_i", "_f", "_o", ""),
    "qgru": ("_z", ""),
    "qlstm": ("_i", "_f", "_o", ""),
    "cnn": ("",),
    "linear": (),
}
RECURRENT = ("gru", "lstm")
KINDS = [(kind, two) for kind in ("gru", "lstm", "qgru", "qlstm") for two in (False, True)] + [("cnn", False)]


def random_arrays(
    kind: str,
    *,
    bidirectional: bool = False,
    bias: bool = True,
    E: int = 3,
    H: int = 4,
    K: int = 3,
    V: int = 40,
    seed: int = 0,
) -> dict[str, np.ndarray]:
    """float64 arrays under the names and shapes of the definitions page; without bias every bias is zero."""
    rng = np.random.default_rng(seed)
    h = E if kind == "linear" else H * (2 if bidirectional else 1)
    arrays = {"embedding": rng.normal(0.0, 1.0, (V, E))}
    for prefix in ("forward.", "backward.")[: 2 if bidirectional else 1]:
        for gate in GATES[kind]:
            arrays[f"{prefix}V{gate}"] = _input_weights(rng, kind, E, H)
            if kind in RECURRENT:
                arrays[f"{prefix}U{gate}"] = rng.normal(0.0, 0.7 / np.sqrt(H), (H, H))
            arrays[f"{prefix}b{gate}"] = _bias(rng, H, bias)
    spread = 0.3 if kind == "linear" else 1.5  # h of the linear network grows with the document
    arrays["w"] = rng.normal(0.0, spread / np.sqrt(h), (K, h))
    arrays["readout_b"] = _bias(rng, K, bias)
    return arrays


def random_network(kind: str, *, bidirectional: bool = False, bias: bool = True, seed: int = 0) -> OracleNetwork:
    """A random network of the usual small size."""
    arrays = random_arrays(kind, bidirectional=bidirectional, bias=bias, seed=seed)
    return OracleNetwork(kind, arrays, bidirectional)


def rounded(network: OracleNetwork) -> OracleNetwork:
    """The same network with every array rounded to float32, kept as float64."""
    arrays = {name: a.astype(np.float32).astype(np.float64) for name, a in network.arrays.items()}
    return OracleNetwork(network.kind, arrays, network.bidirectional)


def random_document(length: int, *, V: int = 40, seed: int = 0) -> list[int]:
    """Word numbers; words may repeat."""
    return [int(n) for n in np.random.default_rng([seed, length]).integers(0, V, length)]


def windows_differ(document: list[int]) -> bool:
    """Whether no two windows of the CNN are equal: equal windows tie in the maximum."""
    half = WIDTH // 2
    padded = [-1] * half + document + [-1] * half
    windows = [tuple(padded[t : t + WIDTH]) for t in range(len(document))]
    return len(set(windows)) == len(windows)


def _input_weights(rng: np.random.Generator, kind: str, E: int, H: int) -> np.ndarray:
    if kind in RECURRENT:
        return rng.normal(0.0, 0.8 / np.sqrt(E), (H, E))
    return rng.normal(0.0, 0.8 / np.sqrt(E * WIDTH), (WIDTH, E, H))


def _bias(rng: np.random.Generator, n: int, bias: bool) -> np.ndarray:
    return rng.normal(0.0, 0.3, n) if bias else np.zeros(n)
