"""How far the truth may lie from what was seen."""

import numpy as np
import pytest
from decision_cases import random_hits
from scipy import stats

from whichword.statistics import bounds, leads
from whichword.statistics.bounds import reach


@pytest.mark.parametrize("differing", [0, 1, 4, 25])
def test_reach_is_exact_where_one_method_wins_every_document_on_which_two_differ(differing):
    """A Poisson mean of D (seen + reach) gives as few as were seen with probability ``level``."""
    level, documents = 0.003, 200
    limit = differing + documents * float(reach(differing / documents**2, documents, level))
    assert stats.poisson.cdf(differing, limit) == pytest.approx(level)


def test_reach_is_the_normal_one_for_many_documents():
    assert float(reach(0.25 / 1e6, 1e6, 0.025)) == pytest.approx(1.96 * 0.5e-3, rel=0.01)


def test_a_lead_lies_between_its_limits():
    limits = bounds(leads(random_hits({"a": 0.5, "b": 0.6}, 300, 0.2)))
    assert (limits.rivals <= limits.latest.lead).all()
    assert (limits.latest.lead <= -limits.rivals.T).all()
    assert (np.diag(limits.rivals) == 0).all()


def test_more_columns_cost_width():
    few, many = (bounds(leads(random_hits({f"m{i}": 0.5 for i in range(n)}, 300, 0.2))) for n in (2, 20))
    assert many.level < few.level
    assert many.rivals[0, 1] < few.rivals[0, 1]
