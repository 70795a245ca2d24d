"""How many documents it would take."""

import math

import numpy as np
import pytest

from whichword.statistics.bounds import reach
from whichword.statistics.decision import POWER, distance_shown, documents_to_show


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


def test_eight_times_in_ten_is_0_84_standard_errors() -> None:
    """On top of the 1.645 for an error of a twentieth: the numbers of any table of the normal distribution."""
    assert distance_shown(10**18, 1.0, 0.05) * 10**9 == pytest.approx(1.6448536270 + 0.8416212336, abs=1e-8)


def shown(distance: float, spread: float, documents: int, level: float) -> float:
    """How often so many documents show a lead that is ``distance`` in truth, of 40,000 games.

    Of two methods each wins some documents that the other does not win: the lead is wins minus losses.
    """
    chance = np.random.default_rng(0)
    both = spread + distance**2  # of documents, on which the two differ
    wins, losses, _ = chance.multinomial(documents, [(both + distance) / 2, (both - distance) / 2, 1 - both], 40_000).T
    lead = (wins - losses) / documents
    variance = ((wins + losses) / documents - lead**2) / documents
    return float((lead > reach(variance, documents, level)).mean())


@pytest.mark.parametrize("level", [0.01, 0.05 / 21])
@pytest.mark.parametrize("spread", [0.1, 0.2, 0.5])
def test_so_many_documents_show_a_lead_eight_times_in_ten(spread: float, level: float) -> None:
    """And hardly more often, where a lead is small: there nothing is lost by being on the safe side."""
    documents = math.ceil(documents_to_show(0.005, spread, level))
    for distance in (0.005, distance_shown(documents, spread, level)):
        assert 0.795 < shown(distance, spread, documents, level) < 0.815
