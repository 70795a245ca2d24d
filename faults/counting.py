"""How much is tried, and what came of it.

Tests ask `size` how often to try and tell `count` how often they did. In `make test` that is a sample and nobody
listens; `python -m faults` sets the two variables below, tries all and adds the counts up.
"""

import json
import os
from collections import Counter
from pathlib import Path

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
        with Path(path).open("a", encoding="utf8") as file:
            file.write(json.dumps([kind, tried]) + "\n")


def counts(path: Path) -> Counter[str]:
    """What was told, added up."""
    total: Counter[str] = Counter()
    for line in path.read_text(encoding="utf8").splitlines() if path.exists() else ():
        kind, tried = json.loads(line)
        total[kind] += tried
    return total
