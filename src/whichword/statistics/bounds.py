"""How far apart columns are for certain: lower limits of leads, after one look or at every look together.

`Outcomes` is what methods did on the same documents, all that a verdict is made from. `leads` compares every column
with every other on the documents that both played, with errors by source text. `bounds` is for one look at all
documents, `sequence` for looking again and again: its bounds hold at every look together, whenever one stops.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from whichword.errors import InputError
from whichword.method_names import BASELINES

__all__ = ["BASELINES", "CHANCE", "Outcomes"]

CHANCE = "chance"  # the column of what a random word gets


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Hits [N, M] of M columns (methods, baselines, chance); nan: the method did not play that row.

    A row is a document in a part of the game that counts it: parts of one game on the same documents are one family,
    and a part weighs what it counts. ``sources[n]`` are the numbers of the texts that row n was made from; rows with
    a text in common are not independent.
    """

    names: tuple[str, ...]
    hits: NDArray[np.float64]
    sources: Sequence[tuple[int, ...]]

    def __post_init__(self) -> None:
        if self.hits.shape != (len(self.sources), len(self.names)):
            raise InputError(f"{len(self.sources)} rows of {len(self.names)} columns, but hits {self.hits.shape}")

    @property
    def methods(self) -> tuple[str, ...]:
        """The columns that can be chosen."""
        return tuple(name for name in self.names if name not in (*BASELINES, CHANCE))

    @property
    def baselines(self) -> tuple[str, ...]:
        """The columns that a method has to beat."""
        return tuple(name for name in self.names if name in (*BASELINES, CHANCE))

    def rows(self, mask: NDArray[np.bool_]) -> "Outcomes":
        """Select these rows."""
        return Outcomes(self.names, self.hits[mask], [self.sources[n] for n in np.flatnonzero(mask).tolist()])


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
    """Compute the leads of all pairs. Columns with the same rows are worked through together."""
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
    """Yield rows that two kinds of columns have in common, with the columns of either kind; never no rows."""
    kinds: dict[bytes, list[int]] = {}
    for column in range(played.shape[1]):
        kinds.setdefault(played[:, column].tobytes(), []).append(column)  # in a run all columns are of one or two kinds
    groups = [np.array(columns) for columns in kinds.values()]
    for first in groups:
        for second in groups:
            rows = played[:, first[0]] & played[:, second[0]]
            if rows.any():
                yield rows, first, second


def _block(hits: Matrix, sources: Sequence[tuple[int, ...]]) -> tuple[Matrix, Matrix, Matrix]:
    """Compute leads, variances and documents of columns without a gap.

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
    """Sum u_n u_n' over the rows n != n' that share a text, once for every text that they share."""
    sums = np.zeros((int(text.max()) + 1, u.shape[1]))
    np.add.at(sums, text, u[row])
    products: Matrix = sums.T @ sums - (u * np.bincount(row, minlength=len(u))[:, None]).T @ u
    return products


def _membership(sources: Sequence[tuple[int, ...]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """List (row, text) for every text of every row, texts numbered from 0."""
    row = np.repeat(np.arange(len(sources)), [len(texts) for texts in sources])
    text = np.array([text for texts in sources for text in texts], dtype=np.int64)
    return row, np.unique(text, return_inverse=True)[1]


def _of_differences(products: Matrix) -> Matrix:
    """Compute g_ii + g_jj - 2 g_ij, not below 0: the sums of squares of differences, from the sums of products.

    For equal columns rounding leaves something on either side of 0. A negative covariance within texts is not believed.
    """
    squares = np.diag(products)
    differences: Matrix = np.maximum(0.0, squares[:, None] + squares[None, :] - 2 * products)
    return differences


ALPHA = 0.05  # the error of a decision: of all its statements of one kind together


@dataclass(frozen=True, eq=False)
class Bounds:
    """Lower limits of the true leads mean_i - mean_j, [M, M] each; by antisymmetry they are upper limits too.

    ``rivals[i, b]`` hold for all i together where b is the best column, whichever that is: no column is overrated
    against it. So a column that is shown to be beaten is not the best, and -rivals[i, j] is the most that j, if it is
    the best, leads i by. ``above[i, a]`` hold for all methods i, whichever of the baselines a is the one that i does
    not beat. ``leads``: if ``pairwise``, all hold together, so a column that is shown to be worse than any other is
    that much worse than the best; else those hold together that the best is in. ``latest`` is the last that was seen of
    every pair; ``level`` the error of one comparison with the best.
    """

    rivals: Matrix
    above: Matrix
    leads: Matrix
    latest: Leads
    level: float
    pairwise: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return self.latest.names


def bounds(leads: Leads, alpha: float = ALPHA) -> Bounds:
    """Bound leads by lead - reach: each kind of statement of a decision is wrong with probability alpha at most.

    Of M columns one is the best, whichever: if none of the M - 1 others is overrated against it by more than its reach
    (union bound, alpha / (M - 1) each), then the best is in the group and all upper bounds of distances to it hold,
    for all columns together: Hsu's multiple comparisons with the best. The same from the other side holds for what is
    to be avoided, and for each baseline for what is above it.
    """
    level = level_of(len(leads.names), alpha)
    low = lower_limits(leads, level)
    return Bounds(low, low, low, leads, level)


def level_of(columns: int, alpha: float = ALPHA) -> float:
    """Divide the error among the comparisons with the best."""
    return alpha / max(1, columns - 1)


def lower_limits(leads: Leads, level: float | Matrix) -> Matrix:
    """Compute what every lead is at least, at an error of ``level`` or of its own [M, M]; 0 over the column itself."""
    low: Matrix = leads.lead - reach(leads.variance, leads.documents, level)
    np.fill_diagonal(low, 0.0)
    return low


def reach(variance: ArrayLike, documents: ArrayLike, level: ArrayLike) -> Matrix:
    """Compute how far the true difference may lie from the seen one, on one side, at an error of ``level``.

    With k = D^2 variance (for hits of 0 and 1: the documents on which two methods differ, roughly) it is
    (q - k) / D, where q is the exact upper limit of a Poisson count k, the quantile of a gamma distribution with
    k + 1 degrees of freedom. For large k that is z sqrt(k) / D, the normal limit. For small k it is right in the worst
    case, where one method wins all documents on which the two differ: there a normal limit errs far too often, and
    two methods that were never seen to differ (k = 0) would look certain to be equal.
    """
    size = np.asarray(documents, dtype=np.float64)
    k = np.asarray(variance, dtype=np.float64) * size**2
    with np.errstate(divide="ignore"):  # columns without a common document: infinity
        apart: Matrix = (special.gammainccinv(k + 1, level) - k) / size
    return apart


RIVALS, ABOVE, PAIRS = 0.7, 0.2, 0.1  # of the error, by kind of statement: most for who may be the best
EXPECTED = 0.5  # of the error of a comparison, for the round that both methods are expected to reach
COMPLETE = 0.25  # and for that on all documents; the rounds before share the rest equally
TELLING = 4  # the first round that can show something: on 16 documents every reach is more than a half


def sequence(
    looks: Iterable[Leads], rounds: int, alpha: float = ALPHA, expected: Mapping[str, int] | None = None
) -> Bounds:
    """Bound leads at every look; ``looks[r - 1]`` are those of the first r of ``rounds`` rounds, of columns so far.

    Documents are played in one order and rounds are the same for all, so for each pair of columns and each r there is
    one lead, whenever it is looked at. Which of them are ever seen depends on the time and on what was seen before;
    what they are does not. So it is enough that the limits of all of them hold together, seen or not (union bound),
    and they do with probability 1 - alpha:

    - ``rivals``: M - 1 comparisons with the best, in every round (Hsu);
    - ``above``: one per method and round, with a baseline that it truly does not beat, for it has to beat all of them;
    - ``leads``: all ordered pairs in every round, for what is to be avoided, and for what is said of those methods
      alone that had the time to play.

    No round is paid for twice however often one looks. Most of a comparison's error is for the round that both are
    ``expected`` to come to in the time there is (a method that is not named: the last), and for all documents, after
    which there can be no other. What is expected may depend on costs and the time, never on hits. What a round has
    shown stays: the limits are the narrowest so far.
    """
    shares = np.array([shares_of_error(rounds, reached) for reached in range(1, rounds + 1)])
    limits = reduce(
        _narrowed,
        (
            _limits(look, alpha * shares[_both_reach(look.names, rounds, expected or {}) - 1, number])
            for number, look in enumerate(looks)
        ),
    )
    return replace(limits, level=level_of(len(limits.names), RIVALS * alpha * float(shares[-1, -1])))


def shares_of_error(rounds: int, expected: int | None = None) -> list[float]:
    """Share the error by round: none where nothing can be shown, most for the expected one (None: the last)."""
    between = max(0, rounds - TELLING)
    if not between:
        return [*[0.0] * (rounds - 1), 1.0]
    shares = [*[0.0] * (TELLING - 1), *[(1 - EXPECTED - COMPLETE) / between] * between, COMPLETE]
    shares[max(TELLING, min(expected or rounds, rounds)) - 1] += EXPECTED
    return shares


def _both_reach(names: Sequence[str], rounds: int, expected: Mapping[str, int]) -> NDArray[np.int64]:
    """Find the round that both of two columns are expected to reach, [M, M]."""
    reach = np.clip([expected.get(name, rounds) for name in names], 1, rounds)
    both: NDArray[np.int64] = np.minimum(reach[:, None], reach[None, :])
    return both


def _limits(look: Leads, alpha: Matrix) -> Bounds:
    """Bound one round; ``alpha`` [M, M] is the error of each comparison in it, of all kinds together."""
    columns = len(look.names)
    methods = sum(name not in (*BASELINES, CHANCE) for name in look.names)
    return Bounds(
        rivals=lower_limits(look, RIVALS * alpha / max(1, columns - 1)),
        above=lower_limits(look, ABOVE * alpha / max(1, methods)),
        leads=lower_limits(look, PAIRS * alpha / max(1, columns * (columns - 1))),
        latest=look,
        level=0.0,  # that of a comparison on all documents, once all rounds are there
        pairwise=True,
    )


def _narrowed(before: Bounds, now: Bounds) -> Bounds:
    """Take the narrower of two bounds; of pairs that did not come so far, what was seen before."""
    limits = {name: np.maximum(getattr(before, name), getattr(now, name)) for name in ("rivals", "above", "leads")}
    came = now.latest.documents > 0
    seen = {
        name: np.where(came, getattr(now.latest, name), getattr(before.latest, name))
        for name in ("lead", "variance", "documents")
    }
    return Bounds(**limits, latest=Leads(now.names, **seen), level=now.level, pairwise=True)
