"""Heat maps as small whole numbers: phi' of every word in one byte."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

FULL = 120  # levels on each side of 0; what is above stands for values that are not finite
NAN, INFINITE = 127, 126  # minus infinity is -126
COARSER = (FULL, 60, 30, 15)  # how far levels may fall so that the page stays small; no eye sees 30


def shades(phi: NDArray[np.float64]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """phi [M, T] -> round(FULL phi / max|phi|) [M, T] and max|phi| [M], the maximum over the finite values of a row.

    The heat map's phi' is the first over 1.1 FULL. Zero rows stay zero.
    """
    finite = np.isfinite(phi)
    numbers = np.where(finite, phi, 0.0)
    largest = np.abs(numbers).max(axis=1, initial=0.0)
    scaled = numbers / np.where(largest > 0, largest, 1.0)[:, None]
    levels = np.rint(FULL * scaled)
    levels[~finite] = _codes(phi[~finite])
    bounded = np.minimum(largest, np.finfo(np.float32).max)
    return levels.astype(np.int8), bounded.astype(np.float32)


def coarser(levels: NDArray[np.int8], steps: int) -> NDArray[np.int8]:
    """The same with ``steps`` levels on each side; codes for what is not finite stay."""
    finite = np.abs(levels.astype(np.int16)) <= FULL
    return np.where(finite, np.rint(levels * (steps / FULL)), levels).astype(np.int8)


def chunks(lengths: Sequence[int], size: int) -> list[int]:
    """Where to cut documents into chunks of at most ``size`` numbers (one document is always allowed): first rows."""
    starts, filled = [0], 0
    for row, length in enumerate(lengths):
        if filled and filled + length > size:
            starts.append(row)
            filled = 0
        filled += length
    return starts


def _codes(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(np.isnan(values), NAN, np.sign(values) * INFINITE)
