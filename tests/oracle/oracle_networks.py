"""Forward passes of the six networks, written straight from the appendix ("Neural networks").

Plain numpy, one loop over t, indices from 1 as in the paper: values[t] belongs to word t, values[0] to the
zero start. A document is an array of embedding vectors [..., T, E]; leading axes carry a stack of documents
of one length, so that many changed copies run in one pass. Complex numbers pass through (relu and max look at
the real part), which makes the complex-step derivative of every network exact.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Array = np.ndarray
Values = dict[str, list[Array]]
WIDTH = 5  # F, the kernel width of the Q-networks and the CNN
PADDING = 2  # F' = (F - 1) / 2 of the CNN


@dataclass(frozen=True)
class OracleNetwork:
    """kind, arrays under the names of the definitions page, and whether a second direction reads back."""

    kind: str
    arrays: dict[str, Array]
    bidirectional: bool = False

    @property
    def directions(self) -> tuple[str, ...]:
        return ("forward.", "backward.") if self.bidirectional else ("forward.",)

    def of(self, prefix: str) -> dict[str, Array]:
        """The arrays of one direction without their prefix."""
        return {name[len(prefix) :]: a for name, a in self.arrays.items() if name.startswith(prefix)}

    @property
    def size(self) -> int:
        """H, the size of one direction (the linear network has h in the space of the embeddings)."""
        return self.arrays["w"].shape[1] // len(self.directions)

    @property
    def classes(self) -> int:
        return self.arrays["w"].shape[0]

    def embed(self, rows: list[int]) -> Array:
        """E = [e_1 .. e_T] of shape [T, E]; rows are word numbers."""
        dim = self.arrays["embedding"].shape[1]
        return np.array([self.arrays["embedding"][r] for r in rows], dtype=np.float64).reshape(len(rows), dim)


@dataclass(frozen=True)
class Pass:
    """Everything a forward pass computes; `values`: one dictionary a direction, in that direction's order."""

    values: list[Values]
    h: Array
    s: Array

    @property
    def p(self) -> Array:
        return softmax(self.s)

    @property
    def f(self) -> Array:
        """f(X): the first maximum of s."""
        return np.argmax(self.s.real, axis=-1)


def sigmoid(x: Array) -> Array:
    return 1.0 / (1.0 + np.exp(-x))


def softmax(s: Array) -> Array:
    """p(k|X) = exp(s_k) / sum over k' of exp(s_k'), over the last axis."""
    e = np.exp(s - s.real.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def times(matrix: Array, x: Array) -> Array:
    """The paper's matrix times column vector, for each vector of a stack [..., n]."""
    return x @ matrix.T


def relu(x: Array) -> Array:
    return np.where(x.real > 0, x, 0.0)


def words(embeddings: Array) -> list[Array]:
    """[zeros, e_1, .., e_T]: numbered from 1."""
    zero = np.zeros_like(embeddings[..., :1, :].sum(axis=-2))
    return [zero] + [embeddings[..., t, :] for t in range(embeddings.shape[-2])]


def gru(e: list[Array], a: dict[str, Array], zero: Array) -> Values:
    h, z, r, gp, g = [zero], [zero], [zero], [zero], [zero]
    for t in range(1, len(e)):
        z.append(sigmoid(times(a["V_z"], e[t]) + times(a["U_z"], h[t - 1]) + a["b_z"]))
        r.append(sigmoid(times(a["V_r"], e[t]) + times(a["U_r"], h[t - 1]) + a["b_r"]))
        gp.append(times(a["V"], e[t]) + times(a["U"], r[t] * h[t - 1]) + a["b"])
        g.append(np.tanh(gp[t]))
        h.append(z[t] * h[t - 1] + (1.0 - z[t]) * g[t])
    return {"e": e, "h": h, "z": z, "r": r, "gp": gp, "g": g}


def lstm(e: list[Array], a: dict[str, Array], zero: Array) -> Values:
    h, c, i, f, o, gp, g = [zero], [zero], [zero], [zero], [zero], [zero], [zero]
    for t in range(1, len(e)):
        i.append(sigmoid(times(a["V_i"], e[t]) + times(a["U_i"], h[t - 1]) + a["b_i"]))
        f.append(sigmoid(times(a["V_f"], e[t]) + times(a["U_f"], h[t - 1]) + a["b_f"]))
        o.append(sigmoid(times(a["V_o"], e[t]) + times(a["U_o"], h[t - 1]) + a["b_o"]))
        gp.append(times(a["V"], e[t]) + times(a["U"], h[t - 1]) + a["b"])
        g.append(np.tanh(gp[t]))
        c.append(f[t] * c[t - 1] + i[t] * g[t])
        h.append(o[t] * np.tanh(c[t]))
    return {"e": e, "h": h, "c": c, "i": i, "f": f, "o": o, "gp": gp, "g": g}


def convolution(kernel: Array, e: list[Array], bias: Array, t: int, shift: int) -> Array:
    """sum over rows j of kernel[j] times e_(t + shift - j), plus bias; words outside the document are 0."""
    total = np.zeros(e[0].shape[:-1] + bias.shape) + bias
    for j in range(WIDTH):
        if 1 <= t + shift - j < len(e):
            total = total + e[t + shift - j] @ kernel[j]
    return total


def qgru(e: list[Array], a: dict[str, Array], zero: Array) -> Values:
    h, z, gp, g = [zero], [zero], [zero], [zero]
    for t in range(1, len(e)):
        z.append(sigmoid(convolution(a["V_z"], e, a["b_z"], t, 0)))
        gp.append(convolution(a["V"], e, a["b"], t, 0))
        g.append(np.tanh(gp[t]))
        h.append(z[t] * h[t - 1] + (1.0 - z[t]) * g[t])
    return {"e": e, "h": h, "z": z, "gp": gp, "g": g}


def qlstm(e: list[Array], a: dict[str, Array], zero: Array) -> Values:
    h, c, i, f, o, gp, g = [zero], [zero], [zero], [zero], [zero], [zero], [zero]
    for t in range(1, len(e)):
        i.append(sigmoid(convolution(a["V_i"], e, a["b_i"], t, 0)))
        f.append(sigmoid(convolution(a["V_f"], e, a["b_f"], t, 0)))
        o.append(sigmoid(convolution(a["V_o"], e, a["b_o"], t, 0)))
        gp.append(convolution(a["V"], e, a["b"], t, 0))
        g.append(np.tanh(gp[t]))
        c.append(f[t] * c[t - 1] + i[t] * g[t])
        h.append(o[t] * np.tanh(c[t]))
    return {"e": e, "h": h, "c": c, "i": i, "f": f, "o": o, "gp": gp, "g": g}


def cnn(e: list[Array], a: dict[str, Array], zero: Array) -> Values:
    """h has one entry, the maximum over t; `argmax` (numbered from 1) is the first maximum of g."""
    gp = [zero] + [convolution(a["V"], e, a["b"], t, PADDING) for t in range(1, len(e))]
    g = [zero] + [relu(gp[t]) for t in range(1, len(e))]
    if len(e) == 1:
        return {"e": e, "gp": gp, "g": g, "h": [zero], "argmax": [np.zeros(zero.shape, dtype=int)]}
    stack = np.stack(g[1:])
    first = np.argmax(stack.real, axis=0)
    h = np.take_along_axis(stack, first[None], axis=0)[0]
    return {"e": e, "gp": gp, "g": g, "h": [h], "argmax": [first + 1]}


def linear(e: list[Array], a: dict[str, Array], zero: Array) -> Values:
    """h is the sum of the embeddings."""
    h = zero
    for t in range(1, len(e)):
        h = h + e[t]
    return {"e": e, "h": [h]}


FORWARD: dict[str, Callable[[list[Array], dict[str, Array], Array], Values]] = {
    "gru": gru,
    "lstm": lstm,
    "qgru": qgru,
    "qlstm": qlstm,
    "cnn": cnn,
    "linear": linear,
}


def read(network: OracleNetwork, embeddings: Array) -> Pass:
    """Run the network on [..., T, E]: each direction in its own order, h joins the last states."""
    zero = np.zeros((*embeddings.shape[:-2], network.size))
    values = []
    for prefix in network.directions:
        in_order = embeddings if prefix == "forward." else embeddings[..., ::-1, :]
        values.append(FORWARD[network.kind](words(in_order), network.of(prefix), zero))
    h = np.concatenate([v["h"][-1] for v in values], axis=-1)
    return Pass(values, h, times(network.arrays["w"], h) + network.arrays["readout_b"])


def scores(network: OracleNetwork, documents: list[Array]) -> list[Array]:
    """s of many documents, those of one length in one pass."""
    by_document: dict[int, Array] = {}
    for length in {len(E) for E in documents}:
        chosen = [n for n, E in enumerate(documents) if len(E) == length]
        by_document |= zip(chosen, read(network, np.stack([documents[n] for n in chosen])).s, strict=True)
    return [by_document[n] for n in range(len(documents))]
