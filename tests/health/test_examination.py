"""What is suspicious about a method is found, and nothing else."""

import numpy as np
import pytest

from whichword.health.examination import Examination


def examined(**rows):
    """Each method's relevances over some documents."""
    examination = Examination(list(rows))
    for values in zip(*rows.values(), strict=True):
        examination.add(np.array(values, dtype=np.float64))
    return {one.method: one for one in examination.health()}


HEALTHY = [[0.1, 0.5, -0.3, 0.2], [0.3, -0.2, 0.4, 0.1]]


def test_a_healthy_method_has_no_complaint():
    found = examined(one=HEALTHY, other=[[0.2, -0.4, 0.3, 0.1], [0.1, 0.3, 0.2, -0.4]])
    assert found["one"].complaints == found["other"].complaints == ()


def test_not_finite():
    found = examined(one=[[np.nan, 0.5, 0.2, 0.3], HEALTHY[1]], two=HEALTHY)["one"]
    assert (found.nonfinite, found.documents) == (1, 2)
    assert found.complaints == ("not finite in 1 of 2 documents",)


def test_constant_documents_need_two_words():
    found = examined(one=[[0.7, 0.7, 0.7, 0.7], [0.1, 0.2, 0.7, 0.7]])["one"]
    assert found.constant == 1
    single = Examination(["one"])
    single.add(np.array([[3.0]]))
    assert single.health()[0].constant == 0


def test_twins_are_found_up_to_a_factor_and_by_every_document():
    scaled = [[2 * value for value in row] for row in HEALTHY]
    nearly = [HEALTHY[0], [0.3, -0.2, 0.4, 0.2]]
    found = examined(one=HEALTHY, two=scaled, three=nearly)
    assert found["one"].same_as == ("two",)
    assert found["two"].same_as == ("one",)
    assert found["three"].same_as == ()
    assert found["one"].complaints == ()
    assert found["two"].complaints == ("the same heat maps as one",)


def test_a_nan_makes_no_twin():
    found = examined(one=[[0.0, 1.0]], two=[[np.nan, 1.0]])
    assert found["one"].same_as == ()


def test_mass_on_the_edges():
    found = examined(one=[[3.0, 0.0, 0.5, -0.5, 0.0, 0.0, 0.0, 6.0]])["one"]
    assert found.edges == pytest.approx(0.9)
    assert found.if_even == pytest.approx(0.25)
    assert found.complaints == ("90 % of the relevance on the first and last word (evenly spread: 25 %)",)


def test_documents_too_short_or_without_relevance_say_nothing_about_edges():
    found = examined(one=[[1.0, 2.0, 3.0]], two=[[0.0, 1.0, 0.0]])
    assert found["one"].edges is None
    assert examined(one=[[0.0, 0.0, 0.0, 0.0, 0.0]])["one"].edges is None


def test_huge_values_do_not_overflow():
    found = examined(one=[[1e308, 1e308, 1e308, 1e308]])["one"]
    assert found.edges == pytest.approx(0.5)


def test_an_empty_document():
    examination = Examination(["one", "two"])
    examination.add(np.zeros((2, 0)))
    assert [one.documents for one in examination.health()] == [1, 1]
