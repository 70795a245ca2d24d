"""The sentence on top of a report."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Headline:
    """``before`` METHOD ``after``; without a method ``before`` and ``after`` say it all."""

    before: str
    method: str
    after: str
    lines: tuple[str, ...]
