"""What is said before a run starts."""

import pytest

from whichword.reporting.screen import _points


@pytest.mark.parametrize(
    ("apart", "words"),
    [(13.4, "some 13 points"), (1.6, "some 2 points"), (1.0, "about a point"), (0.2, "less than a point")],
)
def test_a_distance_in_words_is_never_some_0_points(apart, words):
    assert _points(apart) == words
