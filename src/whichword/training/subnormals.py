"""Numbers too small to be normal count as zero while a network is trained.

What passes many gates fades below 1.2e-38, where numbers are subnormal; some processors need a hundred times as long
for a product with such a number. No weight notices: Adam divides by a root that is at least its epsilon.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def subnormals_are_zero() -> Iterator[None]:
    """For this thread, until the end of the block; nothing happens on a processor that cannot."""
    before = _are_zero()
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(before)


def _are_zero() -> bool:
    """torch can be told, not asked."""
    return bool(torch.tensor(1e-39).add(0.0) == 0.0)
