"""LIMSSE: a linear model of the network's answers on substrings (Section 3.6), fitted to the last digit."""

from dataclasses import dataclass

import numpy as np
from oracle_networks import Array, OracleNetwork, scores, softmax

LONGEST = 6
SAMPLES = 3000


@dataclass(frozen=True)
class Substrings:
    """Every substring of up to six words: rows z, outputs s and p, label f = k, and its probability.

    margin is the smallest lead of the best class over the second: a label may flip by rounding only near 0.
    """

    spans: list[tuple[int, int]]
    z: Array
    s: Array
    p: Array
    label: Array
    probability: Array
    margin: float

    @property
    def T(self) -> int:
        return self.z.shape[1]

    def weights(self, counts: dict[tuple[int, int], int] | None, total: float) -> Array:
        """Probabilities scaled to sum to `total`, or given counts by (first word, length), from 1."""
        if counts is None:
            return self.probability * total
        return np.array([float(counts.get(span, 0)) for span in self.spans])


def substrings(network: OracleNetwork, E: Array, k: int) -> Substrings:
    """Length uniform on 1 .. L = min(6, T), start uniform on the T - l + 1 that fit."""
    T, L = len(E), min(LONGEST, len(E))
    spans = [(start, length) for length in range(1, L + 1) for start in range(1, T - length + 2)]
    z = np.array([[float(a <= t < a + n) for t in range(1, T + 1)] for a, n in spans]).reshape(len(spans), T)
    logits = scores(network, [E[a - 1 : a - 1 + n] for a, n in spans])
    s = np.array(logits).reshape(len(spans), network.classes)
    p, label = softmax(s)[:, k], (np.argmax(s, axis=1) == k).astype(float)
    probability = np.array([1.0 / L / (T - n + 1) for _, n in spans])
    gaps = np.diff(np.sort(s, axis=1))[:, -1]
    return Substrings(spans, z, s[:, k], p, label, probability, float(min(gaps, default=np.inf)))


def limsse_ms(sub: Substrings, output: str, counts: dict[tuple[int, int], int] | None = None) -> Array:
    """argmin over v of sum of weight (z . v - o)^2, the minimum-norm answer where there are many."""
    if sub.T == 0:
        return np.zeros(0)
    weights = sub.weights(counts, 1.0)
    drawn = weights > 0  # the rank rule looks at the shape of the design, so rows never drawn stay out
    root = np.sqrt(weights[drawn])
    target = (sub.s if output == "s" else sub.p)[drawn]
    return np.linalg.lstsq(root[:, None] * sub.z[drawn], root * target, rcond=None)[0]


def limsse_bb(sub: Substrings, counts: dict[tuple[int, int], int] | None = None) -> Array:
    """argmin over v of the summed logistic loss plus |v|^2 / 2, by Newton steps with halving."""
    if sub.T == 0:
        return np.zeros(0)
    weights, v = sub.weights(counts, float(SAMPLES)), np.zeros(sub.T)
    for _ in range(200):
        sigma = 1.0 / (1.0 + np.exp(-sub.z @ v))
        gradient = sub.z.T @ (weights * (sigma - sub.label)) + v
        if np.abs(gradient).max() < 1e-12:
            break
        hessian = (sub.z.T * (weights * sigma * (1.0 - sigma))) @ sub.z + np.eye(sub.T)
        v = downhill(sub, weights, v, np.linalg.solve(hessian, gradient))
    return v


def downhill(sub: Substrings, weights: Array, v: Array, step: Array) -> Array:
    """v - step, the step halved while the loss would rise by more than rounding."""
    start = bb_loss(sub, weights, v)
    for _ in range(60):
        if bb_loss(sub, weights, v - step) <= start + 1e-12 * abs(start):
            break
        step = step / 2.0
    return v - step


def bb_loss(sub: Substrings, weights: Array, v: Array) -> float:
    a = sub.z @ v
    loss = sub.label * np.logaddexp(0.0, -a) + (1.0 - sub.label) * np.logaddexp(0.0, a)
    return float((weights * loss).sum() + 0.5 * v @ v)
