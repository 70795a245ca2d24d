"""Draw random numbers for documents: each has a stream of its own, which depends on its name alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]  # of streams, [D, 2]


def stream_keys(names: Iterable[str]) -> Keys:
    """Compute the key of the stream that belongs to each name."""
    hashed = [hashlib.blake2b(name.encode("utf8", "surrogatepass"), digest_size=16) for name in names]
    digests = b"".join([name.digest() for name in hashed])
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64).reshape(-1, 2)


def generators(keys: Keys) -> Iterator[np.random.Generator]:
    """Yield one generator, keyed anew for each key: to make one takes longer than to draw from it."""
    bits = np.random.Philox(key=0)
    generator, fresh = np.random.Generator(bits), bits.state
    for key in keys:
        fresh["state"]["key"] = key  # the saved state's counter is still 0
        bits.state = fresh
        yield generator


def multinomials(keys: Keys, samples: int, chances: Sequence[NDArray[np.float64]]) -> NDArray[np.int64]:
    """Count how often each thing is drawn from each document's own stream, all documents in a row."""
    drawn = [generator.multinomial(samples, p) for generator, p in zip(generators(keys), chances, strict=True)]
    return np.concatenate(drawn) if drawn else np.zeros(0, dtype=np.int64)
