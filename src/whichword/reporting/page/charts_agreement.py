"""Which methods agree with each other: rank correlation of their relevances, and the same most relevant word."""

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.cluster import hierarchy


class RankCorrelation:
    """Adds up Spearman's correlation of every two methods, document by document."""

    def __init__(self, methods: int) -> None:
        self.sums = np.zeros((methods, methods))
        self.counts = np.zeros((methods, methods), np.int64)

    def add(self, phi: NDArray[np.float64]) -> None:
        """phi [M, T]; a method that is constant or not finite takes no part in this document."""
        if phi.shape[1] < 2:
            return
        usable = np.isfinite(phi).all(axis=1) & (phi != phi[:, :1]).any(axis=1)
        rows = np.flatnonzero(usable)
        ranks = stats.rankdata(phi[rows], axis=1)
        centred = ranks - ranks.mean(axis=1, keepdims=True)
        unit = centred / np.linalg.norm(centred, axis=1, keepdims=True)
        self.sums[np.ix_(rows, rows)] += unit @ unit.T
        self.counts[np.ix_(rows, rows)] += 1

    def mean(self) -> NDArray[np.float64]:
        """[M, M], NaN where two methods never met."""
        nothing = np.full_like(self.sums, np.nan)
        return np.divide(self.sums, self.counts, out=nothing, where=self.counts > 0)


def same_rmax(rmax: NDArray[np.int64]) -> NDArray[np.float64]:
    """rmax [D, M], -1 for none -> [M, M]: of the documents where both have one, the share where it is the same."""
    pointed = (rmax >= 0).astype(np.float64)
    met = pointed.T @ pointed
    width = rmax.shape[1]
    equal = [((rmax == rmax[:, [column]]) & (rmax >= 0)).sum(axis=0) for column in range(width)]
    shares = np.full((width, width), np.nan)
    np.divide(np.array(equal, dtype=np.float64), met, out=shares, where=met > 0)
    return shares


def neighbours(correlation: NDArray[np.float64]) -> list[int]:
    """An order of the methods that puts similar ones side by side: the leaves of an average-linkage tree."""
    size = len(correlation)
    if size < 3:
        return list(range(size))
    distance = np.clip(1 - np.nan_to_num(correlation), 0, 2)
    upper = ((distance + distance.T) / 2)[np.triu_indices(size, 1)]
    return [int(leaf) for leaf in hierarchy.leaves_list(hierarchy.linkage(upper, "average", optimal_ordering=True))]
