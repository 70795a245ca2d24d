"""Memory that is lent again: never while somebody has it, never more than may be kept."""

import threading

import pytest
import torch

from whichword.networks.fast import cells
from whichword.networks.fast.cells import MOST, room

LIKE = torch.zeros(1)


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "_PLACES", [cells._Place() for _ in range(2)])


def address() -> int:
    return room(LIKE, 3, 5).data_ptr()


def test_what_is_dropped_is_lent_again() -> None:
    assert address() == address()


@pytest.mark.parametrize("part", [lambda tensor: tensor[1:], lambda tensor: tensor.view(-1).split(5)[2]])
def test_what_somebody_has_is_not(part) -> None:  # type: ignore[no-untyped-def]
    """A part of it will do."""
    first = room(LIKE, 3, 5)
    kept = part(first).fill_(1.0)
    del first
    others = [room(LIKE, 3, 5).fill_(2.0) for _ in range(4)]
    assert len({kept.untyped_storage().data_ptr(), *(other.data_ptr() for other in others[:1])}) == 2
    assert bool((kept == 1.0).all())


def test_it_grows_and_is_of_any_type() -> None:
    for dtype in (torch.float32, torch.float64):
        for shape in ((2, 3), (40, 3), (1, 2, 3), (0, 3)):
            tensor = room(torch.zeros(1, dtype=dtype), *shape)
            assert (tensor.dtype, tensor.shape, tensor.is_contiguous()) == (dtype, shape, True)


def test_no_more_is_kept_than_may_be() -> None:
    room(LIKE, MOST // 4 + 1)
    assert all(len(place.memory) == 0 for place in cells._PLACES)
    room(LIKE, MOST // 4)
    assert [len(place.memory) for place in cells._PLACES] == [MOST, 0]


def test_a_thread_has_its_own() -> None:
    mine = room(LIKE, 3, 5)
    del mine
    here, there = address(), []
    thread = threading.Thread(target=lambda: there.append(address()))
    thread.start()
    thread.join()
    assert there != [here]
    assert cells._PLACES[0].memory.ctypes.data == here
