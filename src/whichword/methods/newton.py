"""LIMSSE's logistic fit by Newton's method, for all documents in one row: what the compiled kernel does, in numpy."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import solveh_banded

from whichword.methods.designs import Designs, Numbers, applied, collected, gram

NEWTON = 100  # steps at the most
CALM = 1e-9  # of the loss: below, its decrease drowns in rounding, and Newton's full step is taken unseen
DONE = 1e-14  # of the loss: nothing left to gain after such a step


def newton(designs: Designs, label: Numbers) -> Numbers:
    """As `designs.logistic_all`."""
    point = _Point.at(designs, label, np.zeros(int(designs.offset[-1])))
    for _ in range(NEWTON):
        slope, step = point.newton(designs.weight, label)
        gain = designs.totals(slope * step)
        point = _descent(designs, label, point.v, step, np.where(gain > CALM * point.loss, point.loss, np.inf))
        if (gain <= DONE * point.loss).all():
            break
    return point.v


@dataclass(frozen=True)
class _Point:
    """v [N], sigma(z_n . v) [6, N] and the penalised loss of each document [D]."""

    v: Numbers
    sigma: Numbers
    loss: Numbers

    @staticmethod
    def at(designs: Designs, label: Numbers, v: Numbers) -> "_Point":
        z = applied(v)
        small = np.exp(-np.abs(z))
        sigma = np.where(z < 0, small, 1.0) / (1.0 + small)
        # -log sigma(+-z) = log(1 + exp(-|z|)) + |z| where z has the wrong sign
        losses = np.log1p(small) + np.maximum(z, 0.0) - label * z
        return _Point(v, sigma, designs.totals((designs.weight * losses).sum(0) + 0.5 * v * v))

    def newton(self, weight: Numbers, label: Numbers) -> tuple[Numbers, Numbers]:
        """The gradient and Newton's step, [N] each; the Hessian is banded and at least the identity."""
        slope = collected(weight * (self.sigma - label)) + self.v
        hessian = gram(weight * self.sigma * (1.0 - self.sigma))
        hessian[0] += 1.0
        return slope, solveh_banded(hessian, slope, lower=True, overwrite_ab=True, check_finite=False)


def _descent(designs: Designs, label: Numbers, v: Numbers, step: Numbers, bound: Numbers) -> _Point:
    """v less the step, which is halved in each document until its loss is not above its ``bound``."""
    size = np.ones(len(bound))
    while True:
        lower = _Point.at(designs, label, v - designs.spread(size) * step)
        if not (high := lower.loss > bound).any():
            return lower
        size[high] /= 2.0
