"""The twenty methods, from the paper's formulas (Section 3) and the definitions page.

A `Document` is one network, one array of embedding vectors and one class; it keeps what methods share.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from oracle_limsse import Substrings, limsse_bb, limsse_ms, substrings
from oracle_networks import Array, OracleNetwork, read, scores
from oracle_propagation import deeplift, lrp

STEP = 1e-30  # of the complex-step derivative: no subtraction, hence exact to the last digits
M = 50


@dataclass(frozen=True)
class Document:
    """E = [e_1 .. e_T] read by a network and explained for class k."""

    network: OracleNetwork
    E: Array
    k: int

    @property
    def T(self) -> int:
        return len(self.E)

    @cached_property
    def s(self) -> float:
        return float(read(self.network, self.E).s[self.k])

    @cached_property
    def grad_1(self) -> dict[str, Array]:
        return gradients(self.network, self.E, self.k)

    @cached_property
    def grad_int(self) -> dict[str, Array]:
        """The mean of the gradients at alpha = m / M, m = 1 .. M."""
        total = {"s": np.zeros(self.E.shape), "p": np.zeros(self.E.shape)}
        for m in range(1, M + 1):
            gradient = gradients(self.network, m / M * self.E, self.k)
            total = {o: total[o] + gradient[o] for o in total}
        return {o: total[o] / M for o in total}

    @cached_property
    def substrings(self) -> Substrings:
        return substrings(self.network, self.E, self.k)


def gradients(network: OracleNetwork, E: Array, k: int) -> dict[str, Array]:
    """d s(k) / d E and d p(k) / d E, [T, E]: the imaginary part after one entry moved by i times STEP."""
    T, dim = E.shape
    moved = np.zeros((T * dim, T, dim), dtype=complex) + E
    for t in range(T):
        for d in range(dim):
            moved[t * dim + d, t, d] += 1j * STEP
    run = read(network, moved)
    return {o: x[:, k].imag.reshape(T, dim) / STEP for o, x in (("s", run.s), ("p", run.p))}


def l2(gradient: Array) -> Array:
    return np.array([np.sqrt(sum(x * x for x in row)) for row in gradient])


def dot(E: Array, gradient: Array) -> Array:
    return np.array([sum(x * e for x, e in zip(row, e_t, strict=True)) for row, e_t in zip(gradient, E, strict=True)])


def window(t: int, N: int, j: int) -> tuple[int, int]:
    """Window j = 1 .. N of word t: first and last word, counted from 1, before clipping."""
    return t - N + j, t - 1 + j


def without(E: Array, first: int, last: int, occlude: bool) -> Array:
    """E with the words first .. last as zero vectors, or without them; what hangs over an edge is clipped."""
    inside = [first <= n <= last for n in range(1, len(E) + 1)]
    if occlude:
        return np.array([0.0 * e if hit else e for e, hit in zip(E, inside, strict=True)])
    return E[[not hit for hit in inside]]


def perturbation(x: Document, N: int, occlude: bool, right: bool = False) -> Array:
    """The mean change of s over the N windows of each word; right: windows before the start are no change."""
    spans = sorted({window(t, N, j) for t in range(1, x.T + 1) for j in range(1, N + 1)})
    logits = scores(x.network, [without(x.E, *span, occlude) for span in spans])
    changed = {span: s[x.k] for span, s in zip(spans, logits, strict=True)}
    phi = np.zeros(x.T)
    for t in range(1, x.T + 1):
        for j in range(1, N + 1):
            span = window(t, N, j)
            if not (right and span[0] < 1):
                phi[t - 1] += (x.s - changed[span]) / N
    return phi


def decomp(x: Document) -> Array:
    """nl(t) - nl(t-1), nl(0) = 0, each direction in its own reading order, then added."""
    phi, w = np.zeros(x.T), x.network.arrays["w"][x.k]
    H = x.network.size
    for n, values in enumerate(read(x.network, x.E).values):
        w_half = w[n * H : (n + 1) * H]
        nl = [0.0] + [net_load(values, w_half, t) for t in range(1, x.T + 1)]
        gain = np.array([nl[t] - nl[t - 1] for t in range(1, x.T + 1)])
        phi += gain if n == 0 else gain[::-1]
    return phi


def net_load(values: dict[str, list[Array]], w: Array, t: int) -> float:
    """w . (o_T * tanh(prod f * c_t)) for LSTM and QLSTM, w . (prod z * h_t) for GRU and QGRU."""
    T = len(values["h"]) - 1
    survives = np.ones(len(w))
    for j in range(t + 1, T + 1):
        survives = survives * (values["f"] if "c" in values else values["z"])[j]
    if "c" in values:
        return float(w @ (values["o"][T] * np.tanh(survives * values["c"][t])))
    return float(w @ (survives * values["h"][t]))


METHODS: dict[str, Callable[[Document], Array]] = {
    "grad_1_s_l2": lambda x: l2(x.grad_1["s"]),
    "grad_1_p_l2": lambda x: l2(x.grad_1["p"]),
    "grad_int_s_l2": lambda x: l2(x.grad_int["s"]),
    "grad_int_p_l2": lambda x: l2(x.grad_int["p"]),
    "grad_1_s_dot": lambda x: dot(x.E, x.grad_1["s"]),
    "grad_1_p_dot": lambda x: dot(x.E, x.grad_1["p"]),
    "grad_int_s_dot": lambda x: dot(x.E, x.grad_int["s"]),
    "grad_int_p_dot": lambda x: dot(x.E, x.grad_int["p"]),
    "omit_1": lambda x: perturbation(x, 1, occlude=False),
    "omit_3": lambda x: perturbation(x, 3, occlude=False),
    "omit_7": lambda x: perturbation(x, 7, occlude=False),
    "occ_1": lambda x: perturbation(x, 1, occlude=True),
    "occ_3": lambda x: perturbation(x, 3, occlude=True),
    "occ_7": lambda x: perturbation(x, 7, occlude=True),
    "decomp": decomp,
    "lrp": lambda x: lrp(x.network, x.E, x.k)[0],
    "deeplift": lambda x: deeplift(x.network, x.E, x.k)[0],
    "limsse_bb": lambda x: limsse_bb(x.substrings),
    "limsse_ms_s": lambda x: limsse_ms(x.substrings, "s"),
    "limsse_ms_p": lambda x: limsse_ms(x.substrings, "p"),
}
SETTINGS: dict[str, Callable[[Document], Array]] = {
    "omit_2": lambda x: perturbation(x, 2, occlude=False),
    "omit_9": lambda x: perturbation(x, 9, occlude=False),
    "omit_3[edges=right]": lambda x: perturbation(x, 3, occlude=False, right=True),
    "occ_3[edges=right]": lambda x: perturbation(x, 3, occlude=True, right=True),
    "occ_4[edges=right]": lambda x: perturbation(x, 4, occlude=True, right=True),
    "lrp[eps=1e-6]": lambda x: lrp(x.network, x.E, x.k, 1e-6)[0],
    "deeplift[readout=rescale]": lambda x: deeplift(x.network, x.E, x.k, rescale=True)[0],
}
