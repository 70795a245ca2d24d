"""One thread for every sum, so that its order is the same in every process."""

from collections.abc import Iterator
from contextlib import contextmanager

from whichword.base.lazy import torch


@contextmanager
def one_thread() -> Iterator[None]:
    """Sums come out the same in every process when each computes with one thread."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
