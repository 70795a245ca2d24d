"""How many documents it would take."""

import math

import pytest

from whichword.statistics.bounds import reach
from whichword.statistics.needed import POWER, documents_to_show


@pytest.mark.parametrize("level", [0.01, 0.05 / 78])
@pytest.mark.parametrize("spread", [0.0, 0.01, 0.1, 0.4])
@pytest.mark.parametrize("distance", [0.01, 0.05, 0.2])
def test_so_many_are_enough_and_not_far_too_many(distance, spread, level):
    def left(documents: float) -> float:
        return distance - float(reach(spread / documents, documents, level)) - POWER * math.sqrt(spread / documents)

    documents = documents_to_show(distance, spread, level)
    assert left(documents) >= -1e-6
    assert left(documents / 1.5) < 0


def test_what_points_the_other_way_is_never_shown():
    assert documents_to_show(0.0, 0.1, 0.01) == math.inf
