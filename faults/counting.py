"""How much is tried, and what came of it.

Tests ask `size` how often to try and tell `count` how often they did. In `make test` that is a sample and nobody
listens; `python -m faults` sets the two variables below, tries all and adds the counts up.
"""

import json
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Counted = tuple[str, int, str]  # kind, how often, and the test that tried

FULL = "WHICHWORD_FAULTS"  # set: try all
LOG = "WHICHWORD_FAULTS_LOG"  # a file: a line per count

# (in `make test`, in `make faults`)
SIZES = {
    "kills": (20, 240),
    "damages to shards": (40, 600),
    "damages to judgements": (30, 300),
    "damages to a training's state": (20, 100),
    "broken files per reader": (2_000, 2_600),
    "environments": (6, 1_000),
}


def size(kind: str) -> int:
    """How often to try."""
    sample, full = SIZES[kind]
    return full if os.environ.get(FULL) else sample


def count(kind: str, tried: int) -> None:
    """So many were tried, and all held: whoever saw one that did not has failed before."""
    if path := os.environ.get(LOG):
        test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]
        with Path(path).open("a", encoding="utf8") as file:
            file.write(json.dumps([kind, tried, test]) + "\n")


def read_counted(path: Path) -> list[Counted]:
    """What was told, a line each."""
    return [(str(kind), int(tried), str(test)) for kind, tried, test in read_lines(path)]


def read_lines(path: Path) -> list[Any]:
    """JSON, a value per line; a last line that a kill cut off is none."""
    lines = path.read_text(encoding="utf8").split("\n")[:-1] if path.exists() else []
    return [json.loads(line) for line in lines]


def added_up(counted: Iterable[Counted]) -> Counter[str]:
    total: Counter[str] = Counter()
    for kind, tried, _ in counted:
        total[kind] += tried
    return total
