"""A process that evaluates on a Ray cluster of its own; on the way a worker of the cluster is killed.

Prints JSON: the digest, what was said, and every address at which a process that it started listens.
"""

import json
import os
import signal
import sys
from pathlib import Path

import planted_corpus  # registers the corpus

from whichword.experiment.checking import digest
from whichword.experiment.progress import Silent
from whichword.experiment.runner import evaluate
from whichword.experiment.spec import Play, Spec
from whichword.experiment.store import Receipt

LISTENING = "0A"  # in the tables of the kernel


class Killer(Silent):
    """Looks at the cluster when the first shard is made, and kills a worker that is at work."""

    def __init__(self) -> None:
        self.addresses: set[str] = set()
        self.notices: list[str] = []

    def made(self, receipt: Receipt) -> None:
        if self.addresses:
            return
        family = descendants(os.getpid())
        self.addresses = listening(family)
        workers = [pid for pid in family if Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"ray::_do")]
        os.kill(workers[0], signal.SIGKILL)

    def notice(self, text: str) -> None:
        self.notices.append(text)


def descendants(pid: int) -> list[int]:
    children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return [pid, *(descendant for child in children for descendant in descendants(child))]


def listening(pids: list[int]) -> set[str]:
    """Addresses in hexadecimal, as /proc/net/tcp has them."""
    inodes = {os.readlink(path) for pid in pids for path in Path(f"/proc/{pid}/fd").glob("*") if path.is_symlink()}
    rows = [line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]
    return {row[1].split(":")[0] for row in rows if row[3] == LISTENING and f"socket:[{row[9]}]" in inodes}


def main(model: str, out: str) -> None:
    assert planted_corpus.CLASSES
    play = Play(("cnn",), ("planted",), ("hybrid[sentences=3]",), ("lrp", "omit_1", "random"), limit=20)
    watch = Killer()
    done = evaluate(Spec({"cnn": model}, (play,), shard_words=800), Path(out), 1, watch, "ray", address="local")
    print(json.dumps({"digest": digest(done.run), "notices": watch.notices, "addresses": sorted(watch.addresses)}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
