"""Differences and their variances, against sums written out."""

from itertools import product

import numpy as np
import pytest

from whichword.errors import InputError
from whichword.statistics import leads
from whichword.statistics.bounds import Outcomes
from whichword.statistics.decision import decide


def outcomes(sources, seed=0, columns=3):
    dice = np.random.default_rng(seed)
    hits = (dice.random((len(sources), columns)) < 0.6).astype(float)
    return Outcomes(tuple("abcdef"[:columns]), hits, sources)


def slow_variance(made, i, j):
    """Straight from the formula: every row, then every two rows that share texts, once for each text."""
    difference = made.hits[:, i] - made.hits[:, j]
    u = (difference - difference.mean()) / len(difference)
    pairs = product(range(len(u)), repeat=2)
    shared = sum(u[m] * u[n] * len({*made.sources[m]} & {*made.sources[n]}) for m, n in pairs if m != n)
    return float(u @ u) + max(0.0, shared)


@pytest.mark.parametrize(
    "sources",
    [
        [(n,) for n in range(30)],
        [(n // 3,) for n in range(30)],
        [(n % 7, 7 + n % 5, 20 + n // 2) for n in range(30)],
    ],
    ids=["a text each", "three rows per text", "texts that several rows share"],
)
def test_variances(sources):
    for seed in range(5):
        made = outcomes(sources, seed)
        seen = leads(made)
        for i, j in product(range(3), repeat=2):
            assert seen.lead[i, j] == pytest.approx(made.hits[:, i].mean() - made.hits[:, j].mean())
            assert seen.variance[i, j] == pytest.approx(slow_variance(made, i, j), abs=1e-15)
            assert seen.documents[i, j] == min(30, len({text for texts in sources for text in texts}))


def test_no_variance_is_below_zero_and_equal_columns_have_a_verdict():
    """Sums of products round otherwise than sums of squares; a root of -1e-20 is no number."""
    for seed in range(20):
        made = outcomes([(n,) for n in range(60)], seed, columns=6)
        twins = Outcomes(tuple(f"m{n}" for n in range(30)), made.hits[:, np.arange(30) % 6], made.sources)
        assert leads(twins).variance.min() >= 0.0
        assert decide(twins, {}).status == "undecided"


def test_rows_of_one_text_give_the_variance_by_cluster():
    """All rows of a text equal: nothing but the texts counts."""
    single = outcomes([(n,) for n in range(20)])
    double = Outcomes(single.names, np.repeat(single.hits, 4, axis=0), [(n // 4,) for n in range(80)])
    assert leads(double).variance == pytest.approx(leads(single).variance)
    assert leads(double).documents == pytest.approx(leads(single).documents)


def test_columns_are_compared_on_the_rows_that_both_played():
    made = outcomes([(n,) for n in range(40)])
    made.hits[25:, 1] = np.nan
    made.hits[10:, 2] = np.nan
    seen = leads(made)
    for (i, j), size in {(0, 1): 25, (1, 2): 10, (2, 0): 10, (0, 0): 40}.items():
        part = Outcomes(made.names, made.hits[:size], made.sources[:size])
        assert seen.documents[i, j] == size
        assert seen.lead[i, j] == pytest.approx(np.mean(part.hits[:, i] - part.hits[:, j]))
        assert seen.variance[i, j] == pytest.approx(slow_variance(part, i, j), abs=1e-15)


def test_columns_without_a_common_row():
    made = outcomes([(n,) for n in range(4)])
    made.hits[:2, 0] = np.nan
    made.hits[2:, 1] = np.nan
    assert leads(made).documents[0, 1] == 0


def test_equal_columns_have_no_variance_below_zero():
    """For which rounding would be enough, and which has no root."""
    for hits in range(1, 100):
        column = (np.arange(100) < hits).astype(float)
        alike = Outcomes(tuple(f"m{i}" for i in range(20)), np.tile(column[:, None], 20), [(n,) for n in range(100)])
        assert (leads(alike).variance >= 0).all()


def test_hits_of_another_shape_are_refused():
    with pytest.raises(InputError, match="3 rows of 2 columns"):
        Outcomes(("a", "b"), np.zeros((3, 3)), [(0,), (1,), (2,)])


def test_rounding_makes_no_variance_negative():
    """Equal columns differ by nothing; sums of their products, block by block, may."""
    for count in range(2, 120):
        single = outcomes([(n,) for n in range(count)], seed=count, columns=1)
        equal = Outcomes(tuple("abcdefghijklmnopqrs"), np.repeat(single.hits, 19, axis=1), single.sources)
        assert leads(equal).variance.min() >= 0.0
