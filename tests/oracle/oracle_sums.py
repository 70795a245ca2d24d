"""What the rules of any-model.md say of one sum, one activation, one norm: G = R/a, in numpy.

A `Pair` is a value of the pass over the input and the difference that relevance is shared out by: the value itself in
LRP, and in DeepLIFT what it is more than in the pass over the reference. Weights are always those of the input pass.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Array = np.ndarray
Function = Callable[[Array], Array]
EPSILON = 0.001


@dataclass(frozen=True)
class Pair:
    """value: of the input pass; d: the value (LRP) or its difference to the reference (DeepLIFT)."""

    value: Array
    d: Array

    @staticmethod
    def of(value: Array, reference: Array | None) -> "Pair":
        return Pair(value, value if reference is None else value - reference)


def sigmoid(x: Array) -> Array:
    return 1.0 / (1.0 + np.exp(-x))


def share(z: Pair) -> Array:
    """z / (z + esign z), esign(0) = +epsilon: what epsilon leaves of a sum's relevance."""
    return z.d / (z.d + np.where(z.d < 0, -EPSILON, EPSILON))


def chord(z: Pair, f: Pair) -> Array:
    """(f(z) - f(z_ref)) / (z - z_ref), 0 where z = z_ref."""
    still = z.d == 0
    return np.where(still, 0.0, f.d / np.where(still, 1.0, z.d))


def linear_back(G: Array, z: Pair, W: Array) -> Array:
    """G(in) = W^T [G(z) z/(z + esign z)] for z = W x + b, rows of any shape [..., out]."""
    return (G * share(z)) @ W


def layer_norm(x: Array, w: Array, b: Array, eps: float) -> Array:
    centred = x - x.mean(-1, keepdims=True)
    return centred * scale_of(x, eps) * w + b


def scale_of(x: Array, eps: float) -> Array:
    centred = x - x.mean(-1, keepdims=True)
    return 1.0 / np.sqrt((centred * centred).mean(-1, keepdims=True) + eps)


def layer_norm_back(G: Array, x: Array, w: Array, eps: float) -> Array:
    """(x - mean) * w * scale + b: linear in x, the scale being a weight."""
    scaled = G * w * scale_of(x, eps)
    return scaled - scaled.mean(-1, keepdims=True)


def softmax(z: Array, axis: int = -1) -> Array:
    e = np.exp(z - z.real.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
