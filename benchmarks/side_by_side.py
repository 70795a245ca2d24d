"""Two workers beside one, and what Ray adds: python -m benchmarks.side_by_side [--documents N] [--out FOLDER].

One job (a GRU plays the hybrid game on docstrings with all methods, some 100 seconds of a core) is made by one process,
by two and by Ray with two; and Ray is started for nothing. Printed: seconds by the clock, CPU seconds of all processes
(looked up in /proc while they live: Ray's raylet does not wait for its workers, so nobody is told theirs), and

- how much faster two processes are than one, by the clock: at least 1.7 times on an idle machine;
- what Ray takes beyond its start and beyond the processes, in CPU seconds: at most a tenth.
"""

import argparse
import ctypes
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.million import Seconds, descendants
from whichword.planning.spec import Play, Spec

FASTER, OVERHEAD = 1.7, 0.1
WORKERS = 2
BECOME_REAPER = 36  # PR_SET_CHILD_SUBREAPER: whoever loses its parent becomes a child of this process
BUSY = 0.5  # processes that wait or run besides: with more, the clock measures them too
GLANCE = 0.25  # seconds between looks: what a process does after the last one is not counted
PATIENCE = 60.0  # seconds that a cluster's processes get to end


def job(base: Path, documents: int) -> Spec:
    """The shards take a second or two each, so that the last ones do not decide."""
    import torch

    from whichword.corpora import read_corpus
    from whichword.networks import Config, Network
    from whichword.text import Vocabulary

    corpus = read_corpus("docstrings")
    if not (base / "gru").exists():
        words = sorted({word for document in corpus.test for word in document.words})
        torch.manual_seed(0)
        Network(Config("gru", corpus.classes, 50, 50), Vocabulary(tuple(words))).requires_grad_(False).save(
            base / "gru"
        )
    play = Play(("gru",), ("docstrings",), ("hybrid[rounds=24]",), limit=documents)
    return Spec({"gru": str(base / "gru")}, (play,))


def made(base: Path, documents: int, executor: str, workers: int) -> dict[str, Any]:
    """In a child: the run, the seconds of its shards alone, its digest and its judgement's checksum."""
    from whichword.playing.make import evaluate
    from whichword.playing.progress import Silent
    from whichword.playing.verify import digest
    from whichword.runs.items import file_sha256

    class Clock(Silent):
        times: list[float] = []  # noqa: RUF012 - one per process

        def planned(self, *_: object) -> None:
            self.times.append(time.monotonic())

        def made(self, *_: object) -> None:
            self.times.append(time.monotonic())

    clock, folder = Clock(), base / f"{executor}-{workers}"
    shutil.rmtree(folder, ignore_errors=True)
    address = "local" if executor == "ray" else None
    run = evaluate(job(base, documents), folder, workers, clock, executor, address=address).run
    judged = file_sha256(folder / "judged/p00.parquet")
    return {"digest": digest(run), "judged": judged, "shards": clock.times[-1] - clock.times[0]}


def started(workers: int) -> dict[str, Any]:
    """In a child: Ray is started, each worker does nothing once, and all ends."""
    from whichword.workers.ray import cluster
    from whichword.workers.tasks import Site

    with cluster(Site(workers, "local")) as ray:
        ray.get([ray.remote(num_cpus=1)(lambda: None).remote() for _ in range(workers)])
    return {}


CHILDREN: Mapping[str, Callable[[Path, int], dict[str, Any]]] = {
    "one process": lambda base, documents: made(base, documents, "processes", 1),
    "two processes": lambda base, documents: made(base, documents, "processes", WORKERS),
    "Ray": lambda base, documents: made(base, documents, "ray", WORKERS),
    "Ray for nothing": lambda base, documents: started(WORKERS),
}


def timed(name: str, options: argparse.Namespace) -> dict[str, Any]:
    """What a child says, with the seconds and the CPU seconds of it and of everything that it started."""
    cpu, start = Seconds(), time.monotonic()
    command = [sys.executable, "-m", "benchmarks.side_by_side", "--child", name, "--documents", str(options.documents)]
    with subprocess.Popen([*command, "--out", str(options.out)], stdout=subprocess.PIPE, text=True) as child:
        while child.poll() is None:
            cpu.look(*descendants(os.getpid()))
            time.sleep(GLANCE)
        seconds = time.monotonic() - start
        told, _ = child.communicate()
    if child.returncode:
        raise SystemExit(f"{name}: ended with code {child.returncode}")
    _wait_for_orphans(cpu)
    return {"seconds": seconds, "cpu": cpu.total, **json.loads(told.splitlines()[-1])}


def _wait_for_orphans(cpu: Seconds) -> None:
    """Those whose parent has ended are children of this process: they get time to end."""
    end = time.monotonic() + PATIENCE
    with suppress(ChildProcessError):
        while time.monotonic() < end:
            cpu.look(*descendants(os.getpid()))
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(GLANCE)


def verdicts(results: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The two ratios, and whether they hold."""
    one, two, ray, nothing = (results[name] for name in CHILDREN)
    lines = []
    for part in ("seconds", "shards"):
        faster = one[part] / two[part]
        what = "the whole run" if part == "seconds" else "its shards"
        lines.append(f"two processes beside one, {what}: {faster:.2f} x ({_held(faster >= FASTER)} {FASTER})")
    overhead = (ray["cpu"] - nothing["cpu"]) / two["cpu"] - 1
    lines.append(f"Ray beyond its start: {100 * overhead:+.1f} % of CPU ({_held(overhead <= OVERHEAD)} 10 %)")
    same = len({(result["digest"], result["judged"]) for result in (one, two, ray)}) == 1
    return [*lines, f"digests and judgements: {'the same' if same else 'NOT the same'}"]


def _held(holds: bool) -> str:
    return "holds:" if holds else "does NOT hold:"


def _row(name: str, result: Mapping[str, Any]) -> str:
    return f"{name:>16} {result['seconds']:9.1f} {result.get('shards', 0.0):9.1f} {result['cpu']:9.1f}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--documents", type=int, default=5000, help="some 22 ms of a core each")
    parser.add_argument("--out", type=Path, default=Path("side-by-side"))
    parser.add_argument("--child", choices=CHILDREN, help="one of them, for itself")
    options = parser.parse_args(arguments)
    if options.child:
        print(json.dumps(CHILDREN[options.child](options.out, options.documents)))
        return
    ctypes.CDLL(None).prctl(BECOME_REAPER, 1, 0, 0, 0)
    if os.getloadavg()[0] > BUSY:
        print(f"the machine is busy (load {os.getloadavg()[0]:.1f}): the clock measures others too", file=sys.stderr)
    options.out.mkdir(parents=True, exist_ok=True)
    print(f"{'':>16} {'seconds':>9} {'shards':>9} {'CPU':>9}")
    results = {}
    for name in CHILDREN:
        results[name] = timed(name, options)
        print(_row(name, results[name]), flush=True)
    lines = verdicts(results)
    print("\n".join(lines))
    (options.out / "result.json").write_text(json.dumps({"results": results, "verdicts": lines}, indent=1) + "\n")


if __name__ == "__main__":
    main()
