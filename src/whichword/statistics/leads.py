"""Every column against every other on the documents that both played, with errors by source text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whichword.statistics.outcomes import Outcomes

Matrix = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Leads:
    """lead[i, j] = mean_i - mean_j over the rows that both played, its ``variance``, the independent ``documents``.

    All are [M, M]; where two columns have no row in common all three are 0.
    """

    names: tuple[str, ...]
    lead: Matrix
    variance: Matrix
    documents: Matrix


def leads(outcomes: Outcomes) -> Leads:
    """All pairs. Columns with the same rows are worked through together."""
    size = len(outcomes.names)
    result = Leads(outcomes.names, *(np.zeros((size, size)) for _ in range(3)))
    for rows, first, second in _overlaps(~np.isnan(outcomes.hits)):
        part, both = outcomes.rows(rows), np.union1d(first, second)
        block = _block(part.hits[:, both], part.sources)
        a, b = np.searchsorted(both, first), np.searchsorted(both, second)
        for target, values in zip((result.lead, result.variance, result.documents), block, strict=True):
            target[np.ix_(first, second)] = values[np.ix_(a, b)]
    return result


Overlap = tuple[NDArray[np.bool_], NDArray[np.int64], NDArray[np.int64]]


def _overlaps(played: NDArray[np.bool_]) -> Iterator[Overlap]:
    """Rows that two kinds of columns have in common, with the columns of either kind; no row in common: left out."""
    kinds: dict[bytes, list[int]] = {}
    for column in range(played.shape[1]):
        kinds.setdefault(played[:, column].tobytes(), []).append(column)
    groups = [np.array(columns) for columns in kinds.values()]
    for first in groups:
        for second in groups:
            rows = played[:, first[0]] & played[:, second[0]]
            if rows.any():
                yield rows, first, second


def _block(hits: Matrix, sources: Sequence[tuple[int, ...]]) -> tuple[Matrix, Matrix, Matrix]:
    """Leads, variances and documents of columns without a gap.

    With u_n = (x_n - mean) / N, the variance of a lead is

        sum_n du_n^2 + max(0, sum over n != n' that share a text of du_n du_n'),   du = u_i - u_j.

    For rows that come from one text each this is the usual variance by cluster, except that a negative covariance
    within texts is not believed. Documents = min(rows, texts).
    """
    count = len(hits)
    means = hits.mean(axis=0)
    u = (hits - means) / count
    row, text = _membership(sources)
    documents = min(count, int(text.max()) + 1)
    variance = np.maximum(0.0, _of_differences(u.T @ u))  # rounding alone makes it negative, where columns are equal
    if documents < len(row):  # else every text is in one row only
        variance += _of_differences(_shared(u, row, text))
    return means[:, None] - means[None, :], variance, np.full_like(variance, documents)


def _shared(u: Matrix, row: NDArray[np.int64], text: NDArray[np.int64]) -> Matrix:
    """Sums of u_n u_n' over the rows n != n' that share a text, once for every text that they share."""
    sums = np.zeros((int(text.max()) + 1, u.shape[1]))
    np.add.at(sums, text, u[row])
    products: Matrix = sums.T @ sums - (u * np.bincount(row, minlength=len(u))[:, None]).T @ u
    return products


def _membership(sources: Sequence[tuple[int, ...]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(row, text) for every text of every row, texts numbered from 0."""
    row = np.repeat(np.arange(len(sources)), [len(texts) for texts in sources])
    text = np.array([text for texts in sources for text in texts], dtype=np.int64)
    return row, np.unique(text, return_inverse=True)[1]


def _of_differences(products: Matrix) -> Matrix:
    """g_ii + g_jj - 2 g_ij, not below 0: the sums of squares of differences, from the sums of products.

    For equal columns rounding leaves something on either side of 0. A negative covariance within texts is not believed.
    """
    squares = np.diag(products)
    differences: Matrix = np.maximum(0.0, squares[:, None] + squares[None, :] - 2 * products)
    return differences
