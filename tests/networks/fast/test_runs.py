"""Crops in the order in which the kernels read them, written out."""

from itertools import pairwise

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from whichword.base import kernels
from whichword.networks.fast.recurrent import Runs
from whichword.reading import Edits
from whichword.sequences import Sequences

WIDTH = 7
places = st.tuples(st.integers(0, 3), st.integers(0, WIDTH), st.integers(0, WIDTH)).map(
    lambda place: (place[0], min(place[1:]), max(place[1:]))
)


@pytest.mark.skipif(kernels.library() is None, reason="the kernels were not built")
@given(st.lists(places, min_size=1, max_size=40))
@settings(max_examples=200, deadline=None)
def test_crops_with_one_start_are_one_run(crops: list[tuple[int, int, int]]) -> None:
    """Equal crops may occur, and empty ones; a document may have none."""
    rows, start, stop = torch.tensor(crops).unbind(1)
    runs = Runs.nested(Edits("crop", rows, start, stop), Sequences.of([[0] * WIDTH] * 4))
    nested: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for number, (row, begin, end) in enumerate(crops):
        nested.setdefault((row, begin), []).append((end, number))
    expected = sorted(nested.items(), key=lambda run: (run[0][1] - max(run[1])[0], run[0]))
    assert list(zip(runs.row.tolist(), runs.begin.tolist(), strict=True)) == [name for name, _ in expected]
    bounds = runs.offset.tolist()
    copies = list(zip(runs.stop.tolist(), runs.slot.tolist(), strict=True))
    parts = [copies[first:last] for first, last in pairwise(bounds)]
    assert parts == [sorted(ends) for _, ends in expected]
    assert not runs.dark.any()
    assert not runs.init.any()
    assert len(runs.dark) == len(runs.init) == len(expected)
