"""What comes in: every record is accepted exactly or rejected with its file, line and reason, and all are counted."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from whichword.errors import InputError

Raw = TypeVar("Raw")
Read = TypeVar("Read")


class Rejected(Exception):
    """A record that is broken, and why."""


class Dropped(Exception):
    """A sound record that the corpus leaves out by its definition, and why: an empty post, a review of three stars."""


@dataclass
class Intake:
    """Counts: accepted + rejected = seen; ``dropped`` are those accepted records that the corpus leaves out.

    A rejected record stops the reading (``strict``) or is skipped and counted.
    """

    strict: bool = True
    seen: int = 0
    rejected: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    first: str = ""  # the first rejected record
    line: int = 0  # of the record that was last read

    def read(self, path: Path, records: Iterable[tuple[int, Raw]], parse: Callable[[Raw], Read]) -> Iterator[Read]:
        """Parse each (line, record); ``parse`` raises `Rejected` or `Dropped`."""
        for self.line, raw in records:
            self.seen += 1
            try:
                yield parse(raw)
            except Rejected as reason:
                self._reject(f"{path}:{self.line}: {reason}")
            except Dropped as reason:
                self.dropped[str(reason)] += 1

    def read_again(
        self, path: Path, accepted: Iterable[tuple[int, Read]], check: Callable[[Read], None]
    ) -> Iterator[Read]:
        """What was accepted, by line, once all records are known: ``check`` raises `Rejected`."""
        for line, record in accepted:
            try:
                check(record)
                yield record
            except Rejected as reason:
                self._reject(f"{path}:{line}: {reason}")

    def _reject(self, message: str) -> None:
        if self.strict:
            raise InputError(message)
        self.rejected += 1
        self.first = self.first or message

    def record(self) -> dict[str, str]:
        """The counts for a corpus's record."""
        counts = {"seen": self.seen, "accepted": self.seen - self.rejected, "rejected": self.rejected}
        record = {name: str(count) for name, count in counts.items()}
        if self.first:
            record["first rejected"] = self.first
        if self.dropped:
            record["dropped"] = ", ".join(f"{count} {reason}" for reason, count in sorted(self.dropped.items()))
        return record


def counts_line(record: Mapping[str, str]) -> str:
    """A corpus's counts in one line."""
    line = f"{record.get('accepted', '0')} accepted"
    if "seen" in record:
        line += f" + {record['rejected']} rejected = {record['seen']} seen"
    extras = [f"{name}: {record[name]}" for name in ("dropped", "first rejected") if name in record]
    return "; ".join([line, *extras])
