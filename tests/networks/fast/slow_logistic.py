"""LIMSSE's logistic fit of one document, slowly: the twin of `designs.logistic_all`."""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solveh_banded

from whichword.methods.limsse_fits import Numbers, Substrings, banded, collect, dense

Labels = NDArray[np.bool_]


def logistic(design: Substrings, label: Labels) -> Numbers:
    """argmin_v sum_n w_n log(1 + exp(-+ z_n . v)) + |v|^2 / 2, by Newton's method with a banded Hessian."""
    weight, v = design.weight, np.zeros(design.length)
    for _ in range(100):
        sigma = _sigmoid(_sums(design, v))
        slope = collect(design, weight * (sigma - label)) + v
        bands = banded(design, weight * sigma * (1.0 - sigma))
        bands[0] += 1.0
        step: Numbers = solveh_banded(bands, slope, lower=True)
        value, gain, size = _loss(design, label, v), slope @ step, 1.0
        # a gain that drowns in the rounding of the loss cannot be seen in it: there Newton's full step is right
        while gain > 1e-9 * value and _loss(design, label, v - size * step) > value:
            size /= 2.0
        v = v - size * step
        if gain <= 1e-18 * value:
            break
    return v


def _loss(design: Substrings, label: Labels, v: Numbers) -> float:
    margin = np.where(label, 1.0, -1.0) * _sums(design, v)
    return float(design.weight @ np.logaddexp(0.0, -margin) + v @ v / 2.0)


def _sigmoid(z: Numbers) -> Numbers:
    result: Numbers = 0.5 * (1.0 + np.tanh(0.5 * z))
    return result


def _sums(design: Substrings, v: Numbers) -> Numbers:
    """Z v, [n]."""
    return dense(design) @ v
