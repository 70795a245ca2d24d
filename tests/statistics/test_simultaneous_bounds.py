"""How far the truth may lie from what was seen."""

from itertools import pairwise

import numpy as np
import pytest
from decision_cases import first_hits, random_hits
from scipy import stats

from whichword.statistics import bounds, leads, sequence
from whichword.statistics.bounds import reach
from whichword.statistics.decision import decide_by
from whichword.statistics.outcomes import Outcomes


@pytest.mark.parametrize("differing", [0, 1, 4, 25])
def test_reach_is_exact_where_one_method_wins_every_document_on_which_two_differ(differing):
    """A Poisson mean of D (seen + reach) gives as few as were seen with probability ``level``."""
    level, documents = 0.003, 200
    limit = differing + documents * float(reach(differing / documents**2, documents, level))
    assert stats.poisson.cdf(differing, limit) == pytest.approx(level)


def test_reach_is_the_normal_one_for_many_documents():
    assert float(reach(0.25 / 1e6, 1e6, 0.025)) == pytest.approx(1.96 * 0.5e-3, rel=0.01)


def test_bounds_are_two_sided_and_antisymmetric():
    limits = bounds(leads(random_hits({"a": 0.5, "b": 0.6}, 300, 0.2)))
    assert np.allclose(limits.low, -limits.high.T)
    assert (limits.low <= limits.latest.lead).all()
    assert (np.diag(limits.high) == 0).all()


def test_more_columns_cost_width():
    few, many = (bounds(leads(random_hits({f"m{i}": 0.5 for i in range(n)}, 300, 0.2))) for n in (2, 20))
    assert many.level < few.level
    assert many.high[0, 1] > few.high[0, 1]


def test_what_a_look_has_shown_stays():
    whole = random_hits({"a": 0.7, "b": 0.6, "c": 0.4}, 800, 0.2)
    parts = [whole.rows(np.arange(800) < size) for size in (100, 200, 400, 800)]
    limits = sequence(leads(part) for part in parts)
    for before, after in pairwise(limits):
        assert (after.low >= before.low).all()
        assert (after.high <= before.high).all()
    shown = [set(decide_by(limit, part, {}).group) for limit, part in zip(limits, parts, strict=True)]
    assert shown[-1] == {"a", "b"} or shown[-1] == {"a"}
    assert "c" not in shown[-1]


def test_the_error_is_spent_once():
    """Over all looks and all pairs of three columns: two methods and chance."""
    looks = [leads(first_hits({"a": 50, "b": 40}))] * 60
    spent = sum(6 * limit.level for limit in sequence(looks))
    assert 0.0498 < spent < 0.05


def test_one_look_of_many_is_wider_than_the_only_one():
    look = leads(first_hits({"a": 50, "b": 40}))
    assert sequence([look])[0].high[0, 1] > bounds(look).high[0, 1]


def test_a_stopped_method_keeps_its_bounds():
    whole = first_hits({"a": 300, "b": 290, "c": 100}, 400)
    early, late = whole.rows(np.arange(400) < 100), Outcomes(whole.names, whole.hits.copy(), whole.sources)
    late.hits[100:, 2] = np.nan
    first, second = sequence([leads(early), leads(late)])
    assert second.low[0, 2] >= first.low[0, 2]
    assert second.latest.documents[0, 2] == 100
