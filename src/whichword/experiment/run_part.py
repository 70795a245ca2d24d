"""``--shard i/n``: one of n machines that know nothing of each other does every n-th shard; `merging` unites them."""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from whichword.errors import InputError

AUTO = "auto"
_NUMBER = re.compile("[0-9]{1,9}")
_SPELLING = re.compile(rf"(?P<number>{AUTO}|[0-9]{{1,9}})(/(?P<count>[0-9]{{1,9}}))?")

Variables = Mapping[str, str]


@dataclass(frozen=True)
class RunPart:
    """Part ``number`` of ``count``, counted from 1."""

    number: int
    count: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.count:
            raise InputError(f"--shard {self.number}/{self.count}: parts are counted from 1 to {self.count}")

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def of(self, shards: Sequence[str]) -> list[str]:
        """Every n-th shard: those of the long documents are spread over all parts."""
        return list(shards[self.number - 1 :: self.count])


@dataclass(frozen=True)
class Scheduler:
    """How an array job is told its number: variables for the number, for its first, last and step, or for the count."""

    number: str
    first: str | int
    last: str = ""
    step: str = ""
    count: str = ""

    def part(self, variables: Variables, count: int | None) -> RunPart:
        value = _reader(variables)
        first = self.first if isinstance(self.first, int) else value(self.first)
        step = value(self.step) if self.step in variables else 1
        if step == 0:
            raise InputError(f"--shard {AUTO}: {self.step} is 0")
        place, between = divmod(value(self.number) - first, step)
        if between:
            raise InputError(f"--shard {AUTO}: {self.number} is no step of {step} after {first}")
        if count is None and self.count in variables:
            count = value(self.count)
        elif count is None and self.last in variables:
            count = (value(self.last) - first) // step + 1
        if count is None:
            raise InputError(f"--shard {AUTO}: {self.number} has the number, but nothing says of how many: {AUTO}/n")
        return RunPart(place + 1, count)


SCHEDULERS: Mapping[str, Scheduler] = {
    "Slurm": Scheduler(
        "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", step="SLURM_ARRAY_TASK_STEP", count="SLURM_ARRAY_TASK_COUNT"
    ),
    "Grid Engine": Scheduler("SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE"),
    "LSF": Scheduler("LSB_JOBINDEX", 1, "LSB_JOBINDEX_END", "LSB_JOBINDEX_STEP"),
    "PBS": Scheduler("PBS_ARRAY_INDEX", 1),
    "AWS Batch": Scheduler("AWS_BATCH_JOB_ARRAY_INDEX", 0, count="AWS_BATCH_JOB_ARRAY_SIZE"),
    "Kubernetes": Scheduler("JOB_COMPLETION_INDEX", 0),
}


def read_part(spelling: str, variables: Variables = os.environ) -> RunPart:
    """``2/5``, or ``auto``: what the scheduler of an array job says; ``auto/5`` where it does not say of how many."""
    match = _SPELLING.fullmatch(spelling.strip())
    if match is None or (match["number"] != AUTO and match["count"] is None):
        raise InputError(f"--shard is i/n (2/5: the second of five), {AUTO} or {AUTO}/n, not {spelling!r}")
    count = None if match["count"] is None else int(match["count"])
    if match["number"] != AUTO:
        return RunPart(int(match["number"]), count or 0)
    return _scheduler(variables).part(variables, count)


def _scheduler(variables: Variables) -> Scheduler:
    for scheduler in SCHEDULERS.values():
        if _NUMBER.fullmatch(variables.get(scheduler.number, "")):  # Grid Engine says "undefined" outside of an array
            return scheduler
    raise InputError(f"--shard {AUTO}: this is no array job of {', '.join(SCHEDULERS)}; write i/n")


def _reader(variables: Variables) -> Callable[[str], int]:
    def value(name: str) -> int:
        text = variables.get(name, "")
        if not _NUMBER.fullmatch(text):  # not isdigit: "²" is a digit, and a number of 5,000 is none
            raise InputError(f"--shard {AUTO}: {name} is {text[:40]!r}, no number")
        return int(text)

    return value
