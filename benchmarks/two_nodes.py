"""Ray on two nodes, each in a network namespace of its own, with kills: python -m benchmarks.two_nodes SPEC.

Needs root, ``ip`` and Ray. A head and a node of one core each, 10.77.0.1 and 10.77.0.2 on a pair of virtual
interfaces, with a token. On the way a worker, the second node's raylet and the driver are killed (-9); the node is
started again, and so is the command. Printed: seconds of every start, what was killed when, and whether the digest
and the judgements are those of a serial run.
"""

import argparse
import os
import secrets
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SPACES = {"head": "10.77.0.1", "node": "10.77.0.2"}
PORT = 6399
STARTED = "Ray runtime started"  # what Ray says when a node is there
BIN = Path(sys.executable).parent


def run(command: str, **more: object) -> str:
    return subprocess.run(shlex.split(command), check=True, capture_output=True, text=True, **more).stdout  # type: ignore[call-overload,no-any-return]


@contextmanager
def namespaces() -> Iterator[None]:
    """Two namespaces with a cable between them, and nothing else."""
    for name in SPACES:
        run(f"ip netns add whichword-{name}")
    try:
        run("ip link add ww-head type veth peer name ww-node")
        for name, address in SPACES.items():
            run(f"ip link set ww-{name} netns whichword-{name}")
            for command in (f"addr add {address}/24 dev ww-{name}", f"link set ww-{name} up", "link set lo up"):
                run(f"ip -n whichword-{name} {command}")
        yield
    finally:
        for name in SPACES:
            run(f"ip netns del whichword-{name}")


def start(name: str, words: list[str], log: Path) -> subprocess.Popen[bytes]:
    """A process in a namespace, as the leader of a group of its own."""
    command = ["ip", "netns", "exec", f"whichword-{name}", *words]
    with log.open("ab") as file:
        return subprocess.Popen(command, stdout=file, stderr=file, start_new_session=True)


def ray(name: str, place: str, out: Path) -> subprocess.Popen[bytes]:
    """A node of the cluster, once it is there."""
    where = f"--node-ip-address={SPACES[name]} --num-cpus=1 --disable-usage-stats --block"
    log = out / f"{name}.log"
    before = log.read_text().count(STARTED) if log.exists() else 0
    node = start(name, [str(BIN / "ray"), "start", *shlex.split(f"{place} {where}")], log)
    wait_for(lambda: log.read_text().count(STARTED) > before, node)
    return node


def evaluate(spec: Path, out: Path) -> subprocess.Popen[bytes]:
    address = f"{SPACES['head']}:{PORT}"
    words = f"evaluate --spec {spec} --executor ray --address {address} --out {out / 'run'}"
    code = "from whichword.cli import main; main()"
    return start("head", [sys.executable, "-c", code, *shlex.split(words)], out / "driver.log")


def shards(out: Path) -> int:
    return sum(1 for _ in (out / "run/shards").glob("*/*.json"))


def within(name: str, needle: str = "") -> list[int]:
    """Processes of a namespace whose command has this in it."""
    pids = [int(pid) for pid in run(f"ip netns pids whichword-{name}").split()]
    return [pid for pid in pids if needle in _command(pid)]


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    while not condition() and process.poll() is None:
        time.sleep(0.2)


def end(name: str) -> None:
    """Everything in a namespace."""
    for pid in within(name):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def drama(spec: Path, out: Path) -> None:
    """The run, with what happens to it; ``total`` shards are known once the plan is there."""
    from whichword.runs.store import Store

    begin = time.monotonic()

    def tell(text: str) -> None:
        print(f"{time.monotonic() - begin:7.1f} s  {shards(out):4d} shards  {text}", flush=True)

    ray("head", f"--head --port={PORT} --include-dashboard=false", out)
    ray("node", f"--address={SPACES['head']}:{PORT}", out)
    tell("two nodes are there")
    driver = evaluate(spec, out)
    try:
        wait_for(lambda: (out / "run/run.json").exists(), driver)
        total = len(Store.open(out / "run").plan.shards)
        tell(f"planned: {total} shards")
        wait_for(lambda: shards(out) >= total // 5, driver)
        os.kill((within("node", "ray::_do") + within("head", "ray::_do"))[0], signal.SIGKILL)
        tell("a worker was killed")
        wait_for(lambda: shards(out) >= 2 * total // 5, driver)
        os.kill(within("node", "raylet/raylet")[0], signal.SIGKILL)
        tell("the second node's raylet was killed")
        wait_for(lambda: shards(out) >= 3 * total // 5, driver)
        driver.kill()
        driver.wait()
        tell("the driver was killed")
        end("node")
        ray("node", f"--address={SPACES['head']}:{PORT}", out)
        tell("the second node was started again")
        driver = evaluate(spec, out)
        tell(f"the same command again ended with code {driver.wait()}")
    finally:
        for name in SPACES:
            end(name)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("spec", type=Path)
    parser.add_argument("--out", type=Path, default=Path("two-nodes"))
    options = parser.parse_args()
    options.out.mkdir(parents=True)
    os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(16)}
    with namespaces():
        drama(options.spec, options.out)
    lines = (options.out / "driver.log").read_text().splitlines()
    print("\n".join(line for line in lines if "raylet" not in line and "state-dump" not in line))
    code = "from whichword.cli import main; main()"
    serial = ["evaluate", "--spec", str(options.spec), "--workers", "1", "--out", str(options.out / "serial")]
    subprocess.run([sys.executable, "-c", code, *serial], check=True)
    digests = [run(f"{sys.executable} -c '{code}' digest {options.out / name}") for name in ("run", "serial")]
    print("the digests are equal" if digests[0] == digests[1] else f"the digests differ: {digests}")
    judged = [_judgements(options.out / name) for name in ("run", "serial")]
    print("the judgements are equal" if judged[0] == judged[1] else "the judgements differ")


def _judgements(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "judged").iterdir()}


if __name__ == "__main__":
    main()
