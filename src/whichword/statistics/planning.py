"""How many documents it would take."""

import math
from statistics import NormalDist

import numpy as np
from scipy import stats

from whichword.errors import InputError

_MOST = 10_000_000


def needed_documents(only_first: float, only_second: float, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """An N that suffices (and N - 1 does not): the exact McNemar test at ``alpha`` tells two methods apart with
    probability ``power``.

    ``only_first`` and ``only_second`` are the shares of documents that only one of the methods gets right. The search
    starts from the normal approximation (d = b - c, s = b + c)

        N = (z_(1 - alpha/2) sqrt(s) + z_power sqrt(s - d^2))^2 / d^2.

    None where the shares are equal, or so close that ten million documents would not do.
    """
    if min(only_first, only_second) < 0 or only_first + only_second > 1 + 1e-9:
        raise InputError(f"{only_first} and {only_second} are no shares of one set of documents")
    start = _approximation(only_first, only_second, alpha, power)
    if start > _MOST:
        return None
    low, high = 0, math.ceil(start)
    while exact_power(high, only_first, only_second, alpha) < power:
        low, high = high, high + max(1, high // 8)
    while high - low > 1:
        middle = (low + high) // 2
        enough = exact_power(middle, only_first, only_second, alpha) >= power
        low, high = (low, middle) if enough else (middle, high)
    return high


def exact_power(documents: int, only_first: float, only_second: float, alpha: float = 0.05) -> float:
    """P[McNemar's p < alpha]: m of N documents are discordant, m ~ Binomial(N, b + c); of these the first method wins
    w ~ Binomial(m, b / (b + c)); the test rejects where w or m - w is at most the critical count of m.
    """
    either = min(1.0, only_first + only_second)
    if not either:
        return 0.0
    spread = 10 * math.sqrt(documents * either * (1 - either)) + 10
    middle = documents * either
    m = np.arange(max(0, math.floor(middle - spread)), min(documents, math.ceil(middle + spread)) + 1)
    # the largest w with 2 P[X <= w] < alpha is the one before the first w with P[X <= w] >= alpha/2
    critical = stats.binom.ppf(alpha / 2, m, 0.5) - 1
    share = only_first / either
    rejects = stats.binom.cdf(critical, m, share) + stats.binom.cdf(critical, m, 1 - share)
    return float(np.sum(stats.binom.pmf(m, documents, either) * rejects))


def _approximation(b: float, c: float, alpha: float, power: float) -> float:
    apart, either = abs(b - c), b + c
    if apart == 0:
        return math.inf
    z, z_power = (NormalDist().inv_cdf(level) for level in (1 - alpha / 2, power))
    return (z * math.sqrt(either) + z_power * math.sqrt(either - apart * apart)) ** 2 / apart**2
