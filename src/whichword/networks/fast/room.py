"""Room for large arrays that batch after batch needs anew.

The C library hands what is freed back to the system and asks for it again a moment later, page by page: that takes as
long as a forward pass over short sentences. So the memory of a batch that is done with is kept, and lent again.
"""

import math
import threading
import weakref

import numpy as np
import torch
from torch import Tensor

PLACES = 4  # states and gradients in each direction
MOST = 16 * 2**20  # bytes of each that are kept


class _Place(threading.local):
    """Some memory, of a thread's own, and who has it: when the last tensor in it is dropped, nobody."""

    def __init__(self) -> None:
        self.memory = np.empty(0, dtype=np.uint8)
        self.borrower: weakref.ref[np.ndarray] | None = None

    @property
    def free(self) -> bool:
        return self.borrower is None or self.borrower() is None

    def lend(self, size: int) -> np.ndarray:
        if len(self.memory) < size:
            self.memory = np.empty(size, dtype=np.uint8)
        lent = self.memory[:size]
        self.borrower = weakref.ref(lent)
        return lent


_PLACES = [_Place() for _ in range(PLACES)]


def room(like: Tensor, *shape: int) -> Tensor:
    """As ``like.new_empty(shape)``."""
    size = math.prod(shape) * like.element_size()
    place = next((place for place in _PLACES if place.free), None)
    if place is None or not 0 < size <= MOST or like.device.type != "cpu":
        return like.new_empty(shape)
    return torch.from_numpy(place.lend(size)).view(like.dtype).view(shape)
