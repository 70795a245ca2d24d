"""``--shard i/n``: one of n machines that know nothing of each other does every n-th shard; `merging` unites them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from whichword.errors import InputError

_SPELLING = re.compile("([0-9]{1,9})/([0-9]{1,9})")  # not isdigit: "²" is a digit, and a number of 5,000 is none


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


def read_part(spelling: str) -> RunPart:
    """``2/5``: the second of five."""
    match = _SPELLING.fullmatch(spelling.strip())
    if match is None:
        raise InputError(f"--shard is i/n (2/5: the second of five), not {spelling!r}")
    return RunPart(int(match[1]), int(match[2]))
