"""Beginnings of documents, handed out to a call: the same states as if they were joined anew, in the same memory."""

import pytest
import torch
from torch import Tensor
from torch.nn import functional

pytest.importorskip("transformers", reason="needs transformers: pip install 'whichword[transformers]'")

from whichword.models.past import Room

CALLS = [([3, 5, 4], 6), ([3, 5, 4], 6), ([5, 3, 5], 6), ([0, 0], 2), ([7], 1), ([0, 9, 2], 4)]


def states(*shape: int) -> Tensor:
    return torch.randn(shape, dtype=torch.float64)


def joined_anew(beginnings: list[Tensor], endings: Tensor) -> Tensor:
    """Zeros, a copy's beginning, its ending."""
    width = max(part.shape[1] for part in beginnings)
    padded = [functional.pad(part, (0, 0, width - part.shape[1], 0)) for part in beginnings]
    return torch.cat([torch.stack(padded), endings], 2)


def test_joined_as_if_anew() -> None:
    """Whatever stood in the memory before: numbers of another call, or of a copy that has no score."""
    room = Room()
    for starts, pieces in CALLS:
        for _layer in range(2):
            beginnings, endings = [states(2, start, 3) for start in starts], states(len(starts), 2, pieces, 3)
            joined = room.joined(starts, beginnings, endings)
            torch.testing.assert_close(joined, joined_anew(beginnings, endings), rtol=0, atol=0)
        room._memory.fill_(torch.nan)  # as a layer of the next call, of another shape, finds it
        room._states = room._memory[:0]


def test_layers_have_the_same_memory() -> None:
    room, largest = Room(), [4, 9]
    first = room.joined(largest, [states(2, start, 3) for start in largest], states(2, 2, 5, 3))
    for starts, pieces in [(largest, 5), ([8, 2], 3), ([9], 1)]:
        endings = states(len(starts), 2, pieces, 3)
        joined = room.joined(starts, [states(2, start, 3) for start in starts], endings)
        assert joined.data_ptr() == first.data_ptr()
        assert joined.is_contiguous()
