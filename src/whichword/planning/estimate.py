"""How long will it take? Asked before work begins that grows with the square of a document's length.

In a worker: a few slices of a pairing are explained, as long as the time lasts, to learn what all will take.

``whichword estimate``: what a spec will take, from a few seconds of trying it out.

The work formula says how much work a document is beside another; slices of equal work, spread evenly over all work,
say how many seconds that work takes here.
"""

import resource
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from whichword.base.lazy import torch
from whichword.errors import InputError, SettingError
from whichword.methods.method import Family, MethodPlan, Questions, ask
from whichword.methods.perturbation import Perturbation
from whichword.model import Batch, Model, stopwatch
from whichword.planning.prepare import Prepared, prepare
from whichword.planning.spec import Spec
from whichword.runs.items import packed, table_of
from whichword.runs.records import TIMED, Pairing
from whichword.types import Text
from whichword.workers.processes import crew
from whichword.workers.shard import Assignment
from whichword.workers.tasks import Done, Failed, GivenUpError, Site, Workload

if TYPE_CHECKING:
    from whichword.workers.shard import Bench

LEAST = 3  # slices that are tried even where the time is over


@dataclass(frozen=True)
class Tried:
    """One slice: its ``cost`` by the work formula, seconds by method and in all, bytes that it would store."""

    cost: int
    documents: int
    together: dict[str, float]
    seconds: float
    stored: int


@dataclass(frozen=True)
class Trial:
    """What a worker took to get ready, the slices it tried, each method alone on a document, its peak of memory."""

    opening: float
    tried: tuple[Tried, ...]
    alone: float
    memory: int


Slice = tuple[int, bytes]  # cost by the work formula, rows for the wire


def open_trial(job: Assignment) -> Callable[[str, Sequence[Slice], float], Trial]:
    """``do(pairing, slices, seconds)``: the first slice warms up, and is then timed method by method."""
    started = time.process_time()
    from whichword.workers.shard import Bench

    bench = Bench(job)
    ready = time.process_time() - started

    def do(pairing: str, slices: Sequence[Slice], seconds: float) -> Trial:
        begin = time.process_time()
        bench.model(bench.plan.pairing(pairing).model)
        opening = ready + time.process_time() - begin
        _, warm, alone = (_slice_tried(bench, pairing, slices[0], timed) for timed in ([0], [], [0]))
        tried: list[Tried] = []
        end = time.perf_counter() + seconds
        for number, part in enumerate(slices[1:]):
            if number >= LEAST and time.perf_counter() > end:
                break
            tried.append(_slice_tried(bench, pairing, part, []))
        return Trial(opening, tuple(tried), max(0.0, alone.seconds - warm.seconds), peak_memory())

    return do


def _slice_tried(bench: "Bench", pairing: str, part: Slice, timed: Sequence[int]) -> Tried:
    cost, rows = part
    planned = bench.plan.pairing(pairing)
    clock = stopwatch(bench.model(planned.model))
    start = clock()
    explained = bench.explained(pairing, rows, timed)
    stored = sum(len(data) for data in bench.tables(planned, explained).values())
    return Tried(cost, len(explained.items), dict(explained.timing.together), clock() - start, stored)


def peak_memory() -> int:
    """Bytes; Linux counts in units of 1,024 of them."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


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
        raise SettingError(f"seconds must be positive, not {seconds:g}")
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


SAMPLE = 128  # words of a document that is tried out, at the most
WORDS = 512  # words of all documents that are tried out
WORD = "the"


def estimate(model: Model, lengths: Sequence[int], plan: MethodPlan) -> dict[str, float]:
    """Seconds that each method will take for documents of these lengths, on this machine.

    Every family is tried out on a few short documents. Its cost grows with the words; where a copy of the document is
    run for every window (omission and occlusion, unless the model says that edits are ``local``), with their square.
    """
    longest = max(lengths, default=0)
    if longest == 0:
        return dict.fromkeys(plan.labels, 0.0)
    questions = _sample(model, min(longest, SAMPLE))
    seconds: dict[str, float] = {}
    for family in plan.families:
        grows = _growth(model, family)
        work = sum(length**grows for length in lengths) / sum(n**grows for n in questions.batch.words.tolist())
        seconds |= dict.fromkeys(family[1], _tried(family, model, questions) * work / len(family[1]))
    return seconds


def within(seconds: Mapping[str, float], budget: float) -> None:
    """Refuse what would take longer than ``budget`` seconds, and say which methods do."""
    total = sum(seconds.values())
    if total > budget:
        costly = sorted(seconds, key=lambda name: -seconds[name])[:3]
        shares = ", ".join(f"{name} {spoken(seconds[name])}" for name in costly)
        raise InputError(f"this would take about {spoken(total)}, more than {spoken(budget)} (most of it: {shares})")


def spoken(seconds: float) -> str:
    """A duration as a person says it."""
    for size, unit in ((86400.0, "days"), (3600.0, "hours"), (60.0, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} seconds" if seconds >= 2 else f"{seconds:.1g} seconds"


def _growth(model: Model, family: Family) -> int:
    kind, group = family
    fast = model.fast
    if kind is Perturbation:
        return 1 if fast is not None and fast.local else 2
    passes = [method.passes for method in group.values() if hasattr(method, "passes")]
    return 2 if any(count(2) > count(1) for count in passes) else 1


def _sample(model: Model, length: int) -> Questions:
    words = (WORD,) * length
    reading = model.read(Text(words, " ".join(words)))
    count, device = max(1, WORDS // length), model.about.device
    targets = torch.zeros(count, dtype=torch.long, device=device)
    return Questions(Batch.of([reading] * count, device), targets, tuple(map(str, range(count))))


def _tried(family: Family, model: Model, questions: Questions) -> float:
    """The second time counts: the first one may still compile or load something."""
    ask(family, model, questions.pick([0]))
    start = time.perf_counter()
    ask(family, model, questions)
    return time.perf_counter() - start
