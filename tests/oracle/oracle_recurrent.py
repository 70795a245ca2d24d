"""torch's LSTM, GRU and RNN in stacks, both directions, with their read-outs: any-model.md's equations, step by step.

Complex numbers pass through, and leading axes carry many texts of one length, so that derivatives are exact.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from oracle_sums import Array, Pair, chord, linear_back, share, sigmoid, softmax

Step = dict[str, Array]
Trace = list[Step]  # one direction of one layer, in its own reading order


@dataclass(frozen=True)
class RecurrentOracle:
    """layers[number][direction] = {W, U, b_ih, b_hh}, torch's own layout; out: w, b; attention pooling: a, a_b."""

    kind: str
    layers: list[list[dict[str, Array]]]
    read_out: str
    out: dict[str, Array]

    def trace(self, E: Array) -> list[list[Trace]]:
        """Every step of every layer and direction."""
        traces, x = [], [E[..., t, :] for t in range(E.shape[-2])]
        for directions in self.layers:
            both = [run(self.kind, a, x if n == 0 else x[::-1]) for n, a in enumerate(directions)]
            traces.append(both)
            x = joined(both)
        return traces

    def read(self, E: Array) -> tuple[list[list[Trace]], Array]:
        """All steps, and s."""
        traces = self.trace(E)
        h = READ_OUTS[self.read_out](self, joined(traces[-1]), traces[-1])
        return traces, h @ self.out["w"].T + self.out["b"]

    def scores(self, E: Array) -> Array:
        return self.read(E)[1]


def joined(both: list[Trace]) -> list[Array]:
    """h_t of both directions side by side, in the order of the text."""
    in_order = [trace if n == 0 else trace[::-1] for n, trace in enumerate(both)]
    return [np.concatenate([step["h"] for step in steps], axis=-1) for steps in zip(*in_order, strict=True)]


def run(kind: str, a: dict[str, Array], xs: list[Array]) -> Trace:
    sizes = {"h": a["U"].shape[1], "c": a["U"].shape[0] // 4}
    state = {name: np.zeros((*xs[0].shape[:-1], size)) for name, size in sizes.items()}
    trace = []
    for x in xs:
        state = STEPS[kind](a, x, state)
        trace.append(state)
    return trace


def lstm(a: dict[str, Array], x: Array, before: Step) -> Step:
    """i f g o in torch's order, both biases added."""
    z = x @ a["W"].T + before["h"] @ a["U"].T + a["b_ih"] + a["b_hh"]
    i, f, gp, o = np.split(z, 4, axis=-1)
    i, f, o, g = sigmoid(i), sigmoid(f), sigmoid(o), np.tanh(gp)
    c = f * before["c"] + i * g
    m = o * np.tanh(c)
    h = m @ a["W_hr"].T if "W_hr" in a else m
    return {"x": x, "i": i, "f": f, "o": o, "gp": gp, "g": g, "c": c, "tanh_c": np.tanh(c), "m": m, "h": h}


def gru(a: dict[str, Array], x: Array, before: Step) -> Step:
    """n' = W_n x + b_in + r (U_n h + b_hn)."""
    from_x, from_h = x @ a["W"].T + a["b_ih"], before["h"] @ a["U"].T + a["b_hh"]
    (x_r, x_z, x_n), (h_r, h_z, h_n) = np.split(from_x, 3, axis=-1), np.split(from_h, 3, axis=-1)
    r, z = sigmoid(x_r + h_r), sigmoid(x_z + h_z)
    gp = x_n + r * h_n
    g = np.tanh(gp)
    return {"x": x, "r": r, "z": z, "gp": gp, "g": g, "h": (1.0 - z) * g + z * before["h"]}


def rnn(a: dict[str, Array], x: Array, before: Step) -> Step:
    gp = x @ a["W"].T + before["h"] @ a["U"].T + a["b_ih"] + a["b_hh"]
    return {"x": x, "gp": gp, "h": np.tanh(gp)}


STEPS: dict[str, Callable[[dict[str, Array], Array, Step], Step]] = {"lstm": lstm, "gru": gru, "rnn": rnn}


# ------------------------------------------------------------------------------------------------------------ read-outs


def weights_of(oracle: RecurrentOracle, states: list[Array]) -> Array:
    """Attention pooling: A_t = softmax over t of a . tanh(h_t) + a_b, [..., T, 1]."""
    z = np.stack([np.tanh(h) @ oracle.out["a"].T + oracle.out["a_b"] for h in states], axis=-2)
    return softmax(z, axis=-2)


def attended(oracle: RecurrentOracle, states: list[Array], both: list[Trace]) -> Array:
    return (weights_of(oracle, states) * np.stack(states, axis=-2)).sum(axis=-2)


def largest(oracle: RecurrentOracle, states: list[Array], both: list[Trace]) -> Array:
    stack = np.stack(states, axis=-2)
    first = np.argmax(stack.real, axis=-2)[..., None, :]
    return np.take_along_axis(stack, first, axis=-2)[..., 0, :]


READ_OUTS: dict[str, Callable[[RecurrentOracle, list[Array], list[Trace]], Array]] = {
    "last": lambda oracle, states, both: states[-1],
    "h_n": lambda oracle, states, both: np.concatenate([trace[-1]["h"] for trace in both], axis=-1),
    "mean": lambda oracle, states, both: sum(states) / len(states),
    "max": largest,
    "attention": attended,
}


def read_out_back(oracle: RecurrentOracle, G: Array, states: list[Array]) -> list[Array]:
    """G(h_t) of every step from G(h)."""
    T, H = len(states), len(G) // len(oracle.layers[-1])
    back = [np.zeros(len(G)) for _ in states]
    if oracle.read_out == "last":
        back[-1] += G
    elif oracle.read_out == "h_n":  # the backward direction's last step is at the first word
        back[-1][:H] += G[:H]
        back[0][H:] += G[H:]
    elif oracle.read_out == "mean":
        back = [G / T for _ in states]
    elif oracle.read_out == "attention":
        back = [A * G for A in weights_of(oracle, states)[:, 0]]
    else:
        for d in range(len(G)):
            back[int(np.argmax([h[d] for h in states]))][d] += G[d]
    return back


# ------------------------------------------------------------------------------------------------------------ relevance


def relevance(oracle: RecurrentOracle, E: Array, k: int, deeplift: bool = False, rescale: bool = False) -> Array:
    """phi(t), [T]: LRP of s_k, or DeepLIFT against zero vectors."""
    traces, s = oracle.read(E)
    base = oracle.read(np.zeros_like(E)) if deeplift else None
    score = Pair.of(s[k], base[1][k] if base else None)
    G_h = share(score) * oracle.out["w"][k]
    G = read_out_back(oracle, G_h, joined(traces[-1]))
    for number in range(len(oracle.layers) - 1, -1, -1):
        G = layer_back(oracle, number, traces, base[0] if base else None, G, rescale)
    return np.array([e @ g for e, g in zip(E, G, strict=True)])


def layer_back(
    oracle: RecurrentOracle,
    number: int,
    traces: list[list[Trace]],
    base: list[list[Trace]] | None,
    G: list[Array],
    rescale: bool,
) -> list[Array]:
    """G of a layer's inputs from G of its outputs; the directions' are added."""
    directions, H = oracle.layers[number], len(G[0]) // len(oracle.layers[number])
    total = None
    for n, a in enumerate(directions):
        halves = [g[n * H : (n + 1) * H] for g in G]
        trace, reference = traces[number][n], base[number][n] if base else None
        back = steps_back(oracle.kind, a, trace, reference, halves if n == 0 else halves[::-1], rescale)
        in_order = back if n == 0 else back[::-1]
        total = in_order if total is None else [x + y for x, y in zip(total, in_order, strict=True)]
    return total


def steps_back(
    kind: str, a: dict[str, Array], trace: Trace, reference: Trace | None, G: list[Array], rescale: bool
) -> list[Array]:
    G_h, G_c, back = np.zeros(a["U"].shape[1]), np.zeros(a["U"].shape[0] // 4), [np.zeros(0)] * len(trace)
    for t in range(len(trace) - 1, -1, -1):
        step = {name: Pair.of(trace[t][name], reference[t][name] if reference else None) for name in trace[t]}
        back[t], G_h, G_c = BACK[kind](a, step, G[t] + G_h, G_c, rescale)
    return back


def lstm_back(a: dict[str, Array], step: dict[str, Pair], G_h: Array, G_c: Array, rescale: bool) -> tuple[Array, ...]:
    """m = o tanh(c), c = f c + i g, g = tanh(g'), h = m or W_hr m: epsilon at every one of these sums.

    DeepLIFT reads tanh(c) literally as tanh(c - c_ref); rescale: tanh(c) - tanh(c_ref).
    """
    c, rows = step["c"], slice(2 * len(G_c), 3 * len(G_c))
    G_m = linear_back(G_h, step["h"], a["W_hr"]) if "W_hr" in a else G_h
    read = step["tanh_c"] if rescale else Pair(np.tanh(c.value), np.tanh(c.d))
    at_c = (G_c + G_m * share(step["m"]) * step["o"].value * chord(c, read)) * share(c)
    at_gp = at_c * step["i"].value * chord(step["gp"], step["g"])
    G_x, G_before = (linear_back(at_gp, step["gp"], a[name][rows]) for name in ("W", "U"))
    return G_x, G_before, at_c * step["f"].value


def gru_back(a: dict[str, Array], step: dict[str, Pair], G_h: Array, G_c: Array, rescale: bool) -> tuple[Array, ...]:
    """h = (1 - z) n + z h, n = tanh(n'), n' one sum: r, z are weights."""
    rows = slice(2 * len(G_h), 3 * len(G_h))
    at_h = G_h * share(step["h"])
    at_gp = at_h * (1.0 - step["z"].value) * chord(step["gp"], step["g"])
    G_x = linear_back(at_gp, step["gp"], a["W"][rows])
    G_before = linear_back(at_gp, step["gp"], step["r"].value[:, None] * a["U"][rows])
    return G_x, G_before + at_h * step["z"].value, G_c


def rnn_back(a: dict[str, Array], step: dict[str, Pair], G_h: Array, G_c: Array, rescale: bool) -> tuple[Array, ...]:
    """h = tanh(W x + U h + b)."""
    at_gp = G_h * chord(step["gp"], step["h"])
    return linear_back(at_gp, step["gp"], a["W"]), linear_back(at_gp, step["gp"], a["U"]), G_c


BACK = {"lstm": lstm_back, "gru": gru_back, "rnn": rnn_back}


def decomp(oracle: RecurrentOracle, E: Array, k: int) -> Array:
    """nl(t) - nl(t-1) of each direction in its own order, added; s_k = w . h_n + b."""
    phi, H = np.zeros(len(E)), oracle.layers[0][0]["U"].shape[1]
    for n, trace in enumerate(oracle.trace(E)[0]):
        w, load, gains = oracle.out["w"][k][n * H : (n + 1) * H], 0.0, []
        for t in range(len(trace)):
            survives = np.ones(H)
            for later in trace[t + 1 :]:
                survives = survives * later["f" if oracle.kind == "lstm" else "z"]
            if oracle.kind == "lstm":
                now = w @ (trace[-1]["o"] * np.tanh(survives * trace[t]["c"]))
            else:
                now = w @ (survives * trace[t]["h"])
            gains.append(now - load)
            load = now
        phi += np.array(gains if n == 0 else gains[::-1])
    return phi
