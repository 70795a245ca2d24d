"""``whichword estimate``: what a spec will take, from a few seconds of trying it out.

The work formula says how much work a document is beside another; slices of equal work, spread evenly over all work,
say how many seconds that work takes here.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from whichword.errors import InputError
from whichword.planning.preparing import Prepared, prepare
from whichword.planning.spec import Spec
from whichword.planning.trial import Slice, Trial, open_trial, peak_memory
from whichword.runs.item_files import packed
from whichword.runs.item_rows import table_of
from whichword.runs.plan import TIMED, Pairing
from whichword.workers.assignment import Assignment
from whichword.workers.crew import crew
from whichword.workers.workload import Done, Failed, GivenUpError, Site, Workload

SLICES = 32  # that are laid out, of which as many are tried as the time allows
WARMING = 4  # the first slice, which only warms up, is this part of the others
SHARE = 8  # a slice is this part of a shard


@dataclass(frozen=True)
class PairingEstimate:
    """One model on one set: seconds of one core by method and beside the methods, bytes on disk and of memory."""

    title: str
    documents: int
    shards: int
    methods: Mapping[str, float]
    beside: float  # reading, predicting, tables, copies that a game asks about, each method alone on a few documents
    opening: float  # once per worker
    disk: int
    memory: int

    @property
    def seconds(self) -> float:
        return sum(self.methods.values()) + self.beside


@dataclass(frozen=True)
class RunEstimate:
    """All pairings; what it takes to read models and corpora and to plan; memory of the process that does so."""

    pairings: tuple[PairingEstimate, ...]
    planning: float
    driver: int

    @property
    def seconds(self) -> float:
        """Of one core."""
        return self.planning + sum(pairing.seconds + pairing.opening for pairing in self.pairings)

    @property
    def disk(self) -> int:
        return sum(pairing.disk for pairing in self.pairings)

    def elapsed(self, workers: int) -> float:
        """Seconds by the clock, with so many workers."""
        shared = (pairing.seconds / min(workers, pairing.shards) + pairing.opening for pairing in self.pairings)
        return self.planning + sum(shared)


def estimate_run(spec: Spec, seconds: float = 10.0) -> RunEstimate:
    """Try the spec out for about so many seconds, after the models are loaded."""
    if not seconds > 0:
        raise InputError(f"seconds must be positive, not {seconds:g}")
    prepared = prepare(spec)
    planning = time.process_time()  # since the process began: a run loads and reads the same
    share = seconds / len(prepared.plan.pairings)
    slices = dict(_laid_out(prepared))
    load = Workload(open_trial, Assignment(prepared.plan, prepared.spellings), lambda task: (slices[task], share))
    trials: dict[str, Trial] = {}
    for outcome in crew(load, list(slices), Site(1)):
        if isinstance(outcome, Failed):
            raise GivenUpError(outcome)
        if isinstance(outcome, Done):
            trials[outcome.task] = outcome.result
    pairings = (_estimate(prepared, pairing, trials[pairing.id]) for pairing in prepared.plan.pairings)
    return RunEstimate(tuple(pairings), planning, peak_memory())


def _estimate(prepared: Prepared, pairing: Pairing, trial: Trial) -> PairingEstimate:
    """Every slice stands for an equal part of the work."""
    item_set = prepared.plan.set(pairing.set)
    costs = prepared.costs[pairing.id]
    total = sum(costs[length] for length in prepared.lengths[pairing.set])
    methods = {
        label: total * float(np.mean([part.together[label] / part.cost for part in trial.tried]))
        for label in pairing.labels
    }
    whole = total * float(np.mean([part.seconds / part.cost for part in trial.tried]))
    stored = sum(part.stored for part in trial.tried) / sum(part.documents for part in trial.tried)
    timed = min(TIMED, max(1, item_set.items // 20), item_set.items)
    return PairingEstimate(
        title=prepared.plan.title(pairing),
        documents=item_set.items,
        shards=len(pairing.shards),
        methods=methods,
        beside=whole - sum(methods.values()) + timed * trial.alone,
        opening=trial.opening,
        disk=round(stored * item_set.items),
        memory=trial.memory,
    )


def _laid_out(prepared: Prepared) -> Iterator[tuple[str, list[Slice]]]:
    """For each pairing some documents to warm up on, then slices whose first few are spread as evenly as all."""
    for pairing in prepared.plan.pairings:
        lengths, costs = prepared.lengths[pairing.set], prepared.costs[pairing.id]
        work = [costs[length] for length in lengths]
        places = _places(work, max(1, prepared.plan.settings["shard_words"] // SHARE))
        rows = _rows(prepared, pairing.set, {row for start, stop in places for row in range(start, stop)})
        yield (
            pairing.id,
            [
                (sum(work[start:stop]), packed(table_of([rows[row] for row in range(start, stop)])))
                for start, stop in places
            ],
        )


def _places(work: Sequence[int], size: int) -> list[tuple[int, int]]:
    """(start, stop) of slices: a small one in the middle, then slices at 1/2, 1/4, 3/4, 1/8, ... of all work."""
    ends = np.array(list(accumulate(work)))

    def place(share: float, size: int) -> tuple[int, int]:
        start = int(np.searchsorted(ends, share * ends[-1]))
        stop = int(np.searchsorted(ends, ends[start] - work[start] + size, "right"))
        return start, max(start + 1, stop)

    return [place(0.5, size // WARMING), *(place(_reversed_bits(n), size) for n in range(1, SLICES + 1))]


def _reversed_bits(number: int) -> float:
    """1/2, 1/4, 3/4, 1/8, 5/8, ...: the first few are spread as evenly as all."""
    digits = bin(number)[:1:-1]
    return sum(int(digit) * 0.5 ** (place + 1) for place, digit in enumerate(digits))


def _rows(prepared: Prepared, set_id: str, chosen: set[int]) -> dict[int, Any]:
    """Items by their row in the set's file."""
    rows = enumerate(prepared.rows(set_id))
    return {place: row for place, row in rows if place in chosen}
