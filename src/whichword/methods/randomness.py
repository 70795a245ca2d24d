"""Random numbers of documents: each has a stream of its own, which depends on its name and on nothing else.

Counts of draws are those that numpy gives. The compiled kernel gives the same ones, for many documents side by side.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from whichword import kernels
from whichword.lazy import torch

Keys = NDArray[np.uint64]  # of streams, [D, 2]
MOST = 100_000  # draws for which the kernel's rounding is known to be harmless


def stream_keys(names: Iterable[str]) -> Keys:
    """The stream that belongs to a name."""
    hashed = [hashlib.blake2b(name.encode("utf8", "surrogatepass"), digest_size=16) for name in names]
    digests = b"".join([name.digest() for name in hashed])
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64).reshape(-1, 2)


def generators(keys: Keys) -> Iterator[np.random.Generator]:
    """Key by key, by one generator that is keyed anew: to make one takes longer than to draw from it."""
    bits = np.random.Philox(key=0)
    generator, fresh = np.random.Generator(bits), bits.state
    for key in keys:
        fresh["state"]["key"] = key
        bits.state = fresh
        yield generator


@dataclass(frozen=True, eq=False)
class Chances:
    """The probabilities ``p`` of n things, none of them 0.

    ``among`` is that of each among itself and those that follow, ``log_rest`` log(1 - min(among, 1 - among)), [n].
    """

    p: NDArray[np.float64]
    among: NDArray[np.float64]
    log_rest: NDArray[np.float64]

    @staticmethod
    def of(p: NDArray[np.float64]) -> Chances:
        among = p / np.subtract.accumulate(np.concatenate([[1.0], p[:-1]]))  # numpy rounds in this order
        among[-1] = 1.0
        return Chances(p, among, np.log1p(-np.minimum(among, 1.0 - among)))


def multinomials(keys: Keys, samples: int, chances: Sequence[Chances]) -> NDArray[np.int64]:
    """How often each thing is drawn from each document's own stream, all documents in a row."""
    if not chances or samples > MOST or not _usable():
        return _by_numpy(keys, samples, chances)
    times, close = _by_kernel(keys, samples, chances)
    for document in np.flatnonzero(close).tolist():
        first = sum(len(chance.p) for chance in chances[:document])
        drawn = _by_numpy(keys[document : document + 1], samples, chances[document : document + 1])
        times[first : first + len(drawn)] = drawn
    return times


def _by_numpy(keys: Keys, samples: int, chances: Sequence[Chances]) -> NDArray[np.int64]:
    pairs = zip(generators(keys), chances, strict=True)
    drawn = [generator.multinomial(samples, chance.p) for generator, chance in pairs]
    return np.concatenate(drawn) if drawn else np.zeros(0, dtype=np.int64)


def _by_kernel(keys: Keys, samples: int, chances: Sequence[Chances]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The counts, and which documents' are not certain, since a random number was close to where they change, [D]."""
    offset = np.cumsum([0, *(len(chance.p) for chance in chances)])
    tables = (np.concatenate([getattr(chance, name) for chance in chances]) for name in ("among", "log_rest"))
    times, close = (torch.empty(size, dtype=torch.int64) for size in (int(offset[-1]), len(chances)))
    arrays = (torch.from_numpy(array) for array in (keys.view(np.int64), offset, *tables))
    like = torch.empty(0, dtype=torch.float64)
    kernels.call("multinomials", like, len(chances), len(times), samples, *arrays, times, close)
    return times.numpy(), close.numpy()


def _usable() -> bool:
    return kernels.library() is not None and _agrees()


@cache
def _agrees() -> bool:
    """Whether this numpy draws as the kernel does: it does not promise its streams for ever.

    Of many things a count comes by inversion, of few by rejection, where numpy may have been built to round (n + 1) p
    once or twice: all of that is seen here.
    """
    chances = [Chances.of(np.full(size, 1.0 / size)) for size in (10, 30, 99, 225) for _ in range(16)]
    keys = stream_keys(map(str, range(len(chances))))
    return all(_equal(keys, samples, chances) for samples in (3000, 20_000))


def _equal(keys: Keys, samples: int, chances: Sequence[Chances]) -> bool:
    """Whether the kernel is certain of nearly all documents, and right about these."""
    times, close = _by_kernel(keys, samples, chances)
    certain = np.repeat(close == 0, [len(chance.p) for chance in chances])
    return bool(certain.mean() > 0.9 and (times == _by_numpy(keys, samples, chances))[certain].all())
