"""phi' = phi / (1.1 max|phi|), and what is marked."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whichword.errors import InputError
from whichword.render.heatmap import WordCell, heatmap


def test_the_definition():
    cells = heatmap(["a", "b", "c"], [2.0, -4.0, 0.0], marks={1}, rmax=0, unknown=[False, False, True])
    assert cells == [
        WordCell("a", 2.0, 0.0, pytest.approx(2 / 4.4), True, False, False),
        WordCell("b", -4.0, pytest.approx(4 / 4.4), 0.0, False, True, False, " "),
        WordCell("c", 0.0, 0.0, 0.0, False, False, True, " "),
    ]


def test_gaps_and_tail_are_the_texts():
    cells = heatmap(["do", "n't", "."], [0, 0, 0], text="\t don't\n. \n")
    assert [cell.gap for cell in cells] == ["\t ", "", "\n"]
    assert [cell.tail for cell in cells] == ["", "", " \n"]


def test_words_that_are_not_in_the_text():
    with pytest.raises(InputError, match="the word 'b' does not stand in the text"):
        heatmap(["b"], [0], text="a")


def test_all_zero_has_no_colour():
    assert [(c.red, c.green) for c in heatmap(["a", "b"], [0.0, -0.0])] == [(0, 0), (0, 0)]


def test_empty_document():
    assert heatmap([], []) == []


def test_not_finite_takes_no_part_and_is_shown():
    cells = heatmap(list("abcd"), [math.nan, math.inf, -math.inf, -1.0])
    assert [(c.red, c.green) for c in cells] == [(0, 0), (0, 0), (0, 0), (pytest.approx(1 / 1.1), 0)]
    assert [c.remark for c in cells] == ["nan", "inf", "-inf", ""]


def test_nothing_finite_has_no_colour():
    assert [(c.red, c.green) for c in heatmap(["a"], [math.nan])] == [(0, 0)]


@pytest.mark.parametrize("largest", [5e-324, 1e-300, 1.0, 1.7e308])
def test_extreme_scales_give_the_same_colour(largest):
    assert heatmap(["a"], [largest])[0].green == pytest.approx(1 / 1.1)


def test_rmax_zero_is_a_position_and_none_is_not():
    assert [c.bold for c in heatmap(["a", "b"], [1, 2], rmax=0)] == [True, False]
    assert [c.bold for c in heatmap(["a", "b"], [1, 2])] == [False, False]


@pytest.mark.parametrize("relevances", [[1.0], [1.0, 2.0, 3.0], [[1.0, 2.0]]])
def test_wrong_number_of_relevances(relevances):
    with pytest.raises(InputError, match="2 words needs as many relevances"):
        heatmap(["a", "b"], relevances)


def test_wrong_number_of_flags():
    with pytest.raises(InputError, match="2 words needs as many unknown flags, not 1"):
        heatmap(["a", "b"], [1.0, 2.0], unknown=[True])


@given(st.lists(st.floats(width=32), max_size=12))
def test_at_most_one_colour_and_never_above_one(values):
    cells = heatmap(["w"] * len(values), np.array(values))
    finite = [abs(v) for v in values if math.isfinite(v)]
    for cell, value in zip(cells, values, strict=True):
        assert 0 <= cell.red <= 1
        assert 0 <= cell.green <= 1
        assert cell.red == 0 or cell.green == 0
        if math.isfinite(value) and value != 0:
            shade = abs(value) / max(finite) / 1.1
            assert (cell.green if value > 0 else cell.red) == pytest.approx(shade)
