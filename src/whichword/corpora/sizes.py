"""How large what is read may grow: files of a few bytes can stand for gigabytes, and honest corpora never do.

A line has at most `LONGEST` bytes. A compressed file may grow to `FREE` bytes, and beyond that to `RATIO` times its own
size: text shrinks to a third or a tenth, tables of labels to a fiftieth.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from whichword.errors import InputError

LONGEST = 16 * 2**20
FREE = 64 * 2**20
RATIO = 200


@dataclass
class Growth:
    """Counts what comes out of a file."""

    path: Path
    size: int  # of the file itself
    grown: int = 0

    @classmethod
    def of(cls, path: Path) -> "Growth":
        return cls(path, path.stat().st_size)

    def add(self, amount: int) -> None:
        """`InputError` where it has become too much."""
        self.grown += amount
        if self.grown > max(FREE, RATIO * self.size):
            limit = f"the most that is read of a file is {FREE:,} bytes or {RATIO} times its size"
            raise InputError(f"{self.path}: its {self.size:,} bytes grow to more than {self.grown - 1:,}: {limit}")


def bounded_lines(file: BinaryIO, path: Path) -> Iterator[bytes]:
    """The lines with their ends, while none is too long and their sum is not too much for the file."""
    growth, number = Growth.of(path), 0
    while line := file.readline(LONGEST + 1):
        number += 1
        if len(line) > LONGEST:
            raise InputError(f"{path}:{number}: the line is longer than {LONGEST:,} bytes, the most that is read")
        growth.add(len(line))
        yield line
