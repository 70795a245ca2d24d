"""Data in a page: deflated, base64, one named element for each array. What comes out can be no markup."""

import base64
import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

LEVEL = 6  # of zlib: higher ones take long and save little


def pack(data: bytes) -> str:
    """What the page's `inflate` turns back into the same bytes."""
    return base64.b64encode(zlib.compress(data, LEVEL)).decode("ascii")


def numbers(values: ArrayLike, dtype: str) -> str:
    """An array, little-endian, in row order; ``dtype`` is the page's: u1, i1, u2, i2, u4, i4 or f4."""
    array = np.ascontiguousarray(values)
    kind = np.dtype(f"<{dtype}")
    if kind.kind in "iu" and array.size and not _fits(array, kind):
        raise ValueError(f"values from {array.min()} to {array.max()} do not fit into {dtype}")
    return pack(array.astype(kind).tobytes())


def bits(flags: NDArray[np.bool_]) -> str:
    """Truth values, eight to a byte, the first in the lowest bit."""
    return pack(np.packbits(flags, bitorder="little").tobytes())


def text(value: object) -> str:
    """Anything that JSON can hold."""
    return pack(json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii"))


def elements(blobs: Mapping[str, str]) -> str:
    """The blobs as elements that no browser runs or shows. Names are ours: letters, digits, slashes."""
    return "\n".join(_element(name, blob) for name, blob in blobs.items())


def _element(name: str, blob: str) -> str:
    return f'<script type="application/octet-stream" id="blob/{name}">{blob}</script>'


def _fits(array: NDArray[Any], kind: np.dtype[Any]) -> bool:
    limits = np.iinfo(kind)
    return bool(limits.min <= array.min() and array.max() <= limits.max)
