"""Epsilon LRP and DeepLIFT: the appendix's recursions, one sum at a time.

DeepLIFT replaces h, g, g', e, c by their differences to the pass over zero embeddings and keeps the gates of
the input pass, so one set of recursions serves both; `Signals` holds whichever values apply. t counts from 1.
LRP also keeps what biases and epsilon take, so that relevance + bias + epsilon = s(k, X).
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from oracle_networks import PADDING, WIDTH, Array, OracleNetwork, Values, read

EPSILON = 0.001


@dataclass
class Ledger:
    """What biases and epsilon take, and the smallest sum that was divided by: esign jumps at 0."""

    epsilon: float
    bias_share: float = 0.0
    epsilon_share: float = 0.0
    smallest: float = field(default=np.inf)

    def divide(self, relevance: float, total: float, bias: float = 0.0) -> float:
        """R(j) / (a'_j + esign(a'_j)); call it once a sum, for it books the shares of that sum."""
        esign = -self.epsilon if total < 0 else self.epsilon
        quotient = relevance / (total + esign)
        self.bias_share += quotient * bias
        self.epsilon_share += quotient * esign
        if relevance != 0.0:  # a sum that hands on nothing may be 0
            self.smallest = min(self.smallest, abs(total))
        return quotient


@dataclass(frozen=True)
class Signals:
    """Activations (LRP) or differences (DeepLIFT) of one direction, with the gates of the input pass."""

    activations: Values
    gates: Values
    tanh_c: list[Array]
    biased: bool

    def bias(self, a: dict[str, Array], j: int) -> float:
        """The bias inside g'_j; differences have none."""
        return float(a["b"][j]) if self.biased else 0.0


def spread_recurrent(
    x: Signals, a: dict[str, Array], t: int, R_g: Array, R_e: Array, R_h: Array, ledger: Ledger
) -> None:
    """From g_t to e_t and h_(t-1): the last two lines of the GRU and the LSTM (r is 1 in the LSTM)."""
    e, h, gp = x.activations["e"], x.activations["h"], x.activations["gp"]
    for j in range(R_g.shape[1]):
        quotient = ledger.divide(R_g[t, j], gp[t][j], x.bias(a, j))
        for d in range(R_e.shape[1]):
            R_e[t, d] += quotient * e[t][d] * a["V"][j, d]
        for d in range(R_h.shape[1]):
            r = x.gates["r"][t][d] if "r" in x.gates else 1.0
            R_h[t - 1, d] += quotient * h[t - 1][d] * r * a["U"][j, d]


def spread_kernel(
    x: Signals, a: dict[str, Array], shift: int, R_g: Array, R_e: Array, ledger: Ledger, spread: Array
) -> None:
    """R(e_t,d) = sum_j sum_k R(g_(t+k),j) e_t,d v_k,d,j / (g'_(t+k),j + esign): kernel row k + shift."""
    e, gp = x.activations["e"], x.activations["gp"]
    T = len(e) - 1
    quotient = np.zeros_like(R_g)
    for t, j in np.argwhere(spread):
        quotient[t, j] = ledger.divide(R_g[t, j], gp[t][j], x.bias(a, j))
    for t in range(1, T + 1):
        for d in range(R_e.shape[1]):
            for j in range(R_g.shape[1]):
                for k in range(-shift, WIDTH - shift):
                    if 1 <= t + k <= T:
                        R_e[t, d] += quotient[t + k, j] * e[t][d] * a["V"][k + shift, d, j]


def gated_gru(x: Signals, a: dict[str, Array], R_last: Array, R_e: Array, ledger: Ledger) -> None:
    """GRU and QGRU: the carry and the candidate share h_t; the Q-network's candidate sees no h_(t-1)."""
    h, g, z = x.activations["h"], x.activations["g"], x.gates["z"]
    R_h, R_g = np.zeros((len(h), len(R_last))), np.zeros((len(h), len(R_last)))
    R_h[-1] = R_last
    for t in range(len(h) - 1, 0, -1):
        for d in range(len(R_last)):
            quotient = ledger.divide(R_h[t, d], h[t][d])
            R_g[t, d] = quotient * g[t][d] * (1.0 - z[t][d])
            R_h[t - 1, d] += quotient * h[t - 1][d] * z[t][d]
        if "U" in a:
            spread_recurrent(x, a, t, R_g, R_e, R_h, ledger)
    if "U" not in a:
        spread_kernel(x, a, 0, R_g, R_e, ledger, every_step(R_g))


def gated_lstm(x: Signals, a: dict[str, Array], R_last: Array, R_e: Array, ledger: Ledger) -> None:
    """LSTM and QLSTM: R(c_t) comes from h_t and from c_(t+1); R(c_(T+1)) = 0."""
    h, c, g = x.activations["h"], x.activations["c"], x.activations["g"]
    i, f, o = x.gates["i"], x.gates["f"], x.gates["o"]
    R_h, R_g, R_c = (np.zeros((len(h), len(R_last))) for _ in range(3))
    R_h[-1] = R_last
    for t in range(len(h) - 1, 0, -1):
        for d in range(len(R_last)):
            R_c[t, d] += ledger.divide(R_h[t, d], h[t][d]) * x.tanh_c[t][d] * o[t][d]
            quotient = ledger.divide(R_c[t, d], c[t][d])
            R_g[t, d] = quotient * g[t][d] * i[t][d]
            R_c[t - 1, d] += quotient * c[t - 1][d] * f[t][d]
        if "U" in a:
            spread_recurrent(x, a, t, R_g, R_e, R_h, ledger)
    if "U" not in a:
        spread_kernel(x, a, 0, R_g, R_e, ledger, every_step(R_g))


def max_cnn(x: Signals, a: dict[str, Array], R_last: Array, R_e: Array, ledger: Ledger) -> None:
    """CNN: R(h_d) goes whole to the first maximum of g in the input pass; max and relu take no epsilon."""
    R_g = np.zeros((len(R_e), len(R_last)))
    chosen = np.zeros(R_g.shape, dtype=bool)
    for d in range(len(R_last)):
        t = x.gates["argmax"][0][d]
        R_g[t, d] = R_last[d]
        chosen[t, d] = R_last[d] != 0.0
    spread_kernel(x, a, PADDING, R_g, R_e, ledger, chosen)


def sum_linear(x: Signals, a: dict[str, Array], R_last: Array, R_e: Array, ledger: Ledger) -> None:
    """linear: h_d = sum over t of e_t,d."""
    e, h = x.activations["e"], x.activations["h"][-1]
    for d in range(len(R_last)):
        quotient = ledger.divide(R_last[d], h[d])
        for t in range(1, len(e)):
            R_e[t, d] += quotient * e[t][d]


def every_step(R_g: Array) -> Array:
    """Which g take part: all but the start at index 0."""
    steps = np.ones(R_g.shape, dtype=bool)
    steps[0] = False
    return steps


RECURSIONS: dict[str, Callable[[Signals, dict[str, Array], Array, Array, Ledger], None]] = {
    "gru": gated_gru,
    "qgru": gated_gru,
    "lstm": gated_lstm,
    "qlstm": gated_lstm,
    "cnn": max_cnn,
    "linear": sum_linear,
}


def readout(network: OracleNetwork, k: int, start: float, h: Array, biased: bool, ledger: Ledger) -> Array:
    """R(h_d) = R(L_k) h_d w_k,d / (s + esign(s)), for the whole logit (LRP) or its difference (DeepLIFT)."""
    bias = float(network.arrays["readout_b"][k]) if biased else 0.0
    quotient = ledger.divide(start, start, bias)
    return np.array([quotient * h[d] * network.arrays["w"][k, d] for d in range(len(h))])


def propagate(network: OracleNetwork, signals: list[Signals], R_h: Array, shape: tuple, ledger: Ledger) -> Array:
    """Both directions' relevances, each put back in the document's order, summed over embedding entries."""
    phi = np.zeros(shape[0])
    for n, (prefix, x) in enumerate(zip(network.directions, signals, strict=True)):
        R_e = np.zeros((shape[0] + 1, shape[1]))
        half = R_h[n * network.size : (n + 1) * network.size]
        RECURSIONS[network.kind](x, network.of(prefix), half, R_e, ledger)
        in_order = R_e[1:].sum(axis=1)
        phi += in_order if prefix == "forward." else in_order[::-1]
    return phi


def lrp(network: OracleNetwork, E: Array, k: int, epsilon: float = EPSILON) -> tuple[Array, Ledger]:
    """phi_lrp and the ledger; for T = 0 no word can take anything."""
    ledger = Ledger(epsilon)
    run = read(network, E)
    if len(E) == 0:
        return np.zeros(0), ledger
    signals = [Signals(v, v, [np.tanh(c) for c in v.get("c", [])], biased=True) for v in run.values]
    R_h = readout(network, k, float(run.s[k]), run.h, True, ledger)
    return propagate(network, signals, R_h, E.shape, ledger), ledger


def deeplift(
    network: OracleNetwork, E: Array, k: int, epsilon: float = EPSILON, rescale: bool = False
) -> tuple[Array, Ledger]:
    """phi_deeplift against zero embeddings of the same length; rescale: tanh(c) - tanh(c_ref)."""
    ledger = Ledger(epsilon)
    run, base = read(network, E), read(network, np.zeros_like(E))
    if len(E) == 0:
        return np.zeros(0), ledger
    signals = [difference(v, b, rescale) for v, b in zip(run.values, base.values, strict=True)]
    R_h = readout(network, k, float(run.s[k] - base.s[k]), run.h - base.h, False, ledger)
    return propagate(network, signals, R_h, E.shape, ledger), ledger


def difference(values: Values, base: Values, rescale: bool) -> Signals:
    """h, g, g', e, c minus their baselines; tanh(c) becomes tanh(c - c_ref) unless rescaled."""
    names = [n for n in ("h", "g", "gp", "e", "c") if n in values]
    delta = {n: [x - y for x, y in zip(values[n], base[n], strict=True)] for n in names}
    tanh_c = [np.tanh(c) for c in delta.get("c", [])]
    if rescale:
        tanh_c = [np.tanh(c) - np.tanh(b) for c, b in zip(values.get("c", []), base.get("c", []), strict=True)]
    return Signals(delta, values, tanh_c, biased=False)
