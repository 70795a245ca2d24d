"""A process with a Ray cluster of its own: workers that are killed, a run, and who listens where.

Prints JSON: what came of the tasks, the digest of the run, and every address at which it, or what it started, listens.
"""

import json
import os
import sys
from pathlib import Path

import planted_corpus  # registers the corpus
from crew_jobs import open_shop

from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.playing.verify import digest
from whichword.rounds.rounds import ROUNDS, play_within
from whichword.runs.run import open_run
from whichword.runs.sealed import sha256
from whichword.workers.ray import cluster, ray_tasks
from whichword.workers.tasks import Hands, Site, Workload

LISTENING = "0A"  # in the tables of the kernel


def descendants(pid: int) -> list[int]:
    children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return [pid, *(descendant for child in children for descendant in descendants(child))]


def listening(pids: list[int]) -> set[str]:
    """Addresses in hexadecimal, as /proc/net/tcp has them."""
    inodes = {os.readlink(path) for pid in pids for path in Path(f"/proc/{pid}/fd").glob("*") if path.is_symlink()}
    rows = [line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]
    return {row[1].split(":")[0] for row in rows if row[3] == LISTENING and f"socket:[{row[9]}]" in inodes}


def outcomes(folder: Path) -> list[str]:
    """A task whose worker is killed twice, and one whose worker is killed every time it is tried."""
    load = Workload(open_shop, folder)
    return [str(outcome) for outcome in ray_tasks(load, ["a", "die 2", "die 9", "b"], Site(1, "local"))]


def in_rounds(spec: Spec, folder: Path, hands: Hands) -> str:
    """The digest of a run that was played in rounds, all of them: time enough, but rounds were begun."""
    (folder / ROUNDS).mkdir(parents=True)
    play_within(spec, folder, hands, None, 600.0, True, 0.05)
    return digest(open_run(folder))


def main(model: str, folder: Path) -> None:
    assert planted_corpus.CLASSES
    play = Play(("cnn",), ("planted",), ("hybrid[sentences=3]",), ("lrp", "omit_1", "random"), limit=20)
    spec = Spec({"cnn": model}, (play,), shard_words=4000)
    hands = Hands(1, "ray", "local")
    with cluster(Site(1, "local")):  # one for all
        killed = outcomes(folder)
        run = evaluate(spec, folder / "run", executor="ray", address="local").run
        rounds = in_rounds(spec, folder / "rounds", hands)
        addresses = sorted(listening(descendants(os.getpid())))
    judged = sha256((folder / "run/judged/p00.parquet").read_bytes())
    digests = {"digest": digest(run), "judged": judged, "rounds": rounds}
    print(json.dumps({**digests, "outcomes": killed, "addresses": addresses}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
