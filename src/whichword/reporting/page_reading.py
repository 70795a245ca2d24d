"""A pairing's relevances, document by document: all methods of one document as one matrix."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whichword.runs.plan import Pairing
from whichword.runs.run import Run
from whichword.runs.store import FAILED


@dataclass(frozen=True, eq=False)
class Explained:
    """The item in row ``index`` of the set: phi [M, T], and the methods' remarks on it [M] (None: none)."""

    index: int
    phi: NDArray[np.float64]
    notes: tuple[str | None, ...]


def explained(run: Run, pairing: Pairing) -> Iterator[Explained]:
    """Every answered item of the pairing once, in the order of the plan; rows of ``phi`` in that of the methods."""
    rows = run.relevances(pairing.id)
    for index in (index for shard in pairing.shards for index in run.places(pairing, shard).tolist()):
        methods = [next(rows) for _ in pairing.methods]
        if any(row.status == FAILED for row in methods):
            continue
        phi = np.array([row.values for row in methods], dtype=np.float64)
        yield Explained(index, phi.reshape(len(methods), -1), tuple(row.note for row in methods))
