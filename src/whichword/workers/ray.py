"""Ray, on one machine or many: tasks, not actors. The job with its weights is put into the object store once.

What goes over Ray's wire is pickle, so a cluster has to be trusted. A cluster that is started here listens on
loopback alone, and asks for a token.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from whichword.errors import InputError
from whichword.workers.processes import WorkerFailure
from whichword.workers.tasks import Notice, Opening, Outcome, Session, Site, StayingExecutor, TaskQueue, Workload

LOCAL = "local"
PER_CORE = 2  # tasks in flight per core: one computes, one waits, so that no core is idle during a reply
# Ray binds every interface unless it takes itself for a machine that cannot be part of a cluster
LOOPBACK = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_AUTH_MODE": "token"}
PATIENT = {"RAY_gcs_server_port_wait_time_s": "120", "RAY_USAGE_STATS_ENABLED": "0"}  # a busy machine starts it slowly


@contextmanager
def ray_session(site: Site) -> Iterator[Session]:
    """Connect to the running cluster at ``site.address``; ``local``, or None, starts one for this session."""
    with cluster(site) as ray:
        yield _Desk(ray, site.still).outcomes


ray_tasks = StayingExecutor(ray_session)


@contextmanager
def cluster(site: Site) -> Iterator[Any]:
    """Connect Ray to a cluster; a connection that this process has already is used, and left open."""
    local = site.address in (None, LOCAL)
    ray = _library(local)
    if ray.is_initialized():
        yield ray
        return
    start = {"num_cpus": site.workers, "include_dashboard": False, "_node_ip_address": "127.0.0.1"} if local else {}
    try:
        ray.init(address=site.address or LOCAL, logging_level="error", log_to_driver=False, **start)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        place = "can be started here" if local else f"answers at {site.address}"
        raise InputError(f"no Ray cluster {place}: {str(error).strip().splitlines()[0]}") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def _library(local: bool) -> Any:
    """Import Ray; for a cluster of our own with our settings, which it reads while it is imported."""
    if local and "ray" not in sys.modules:
        os.environ.update(PATIENT | LOOPBACK)
    try:
        import ray
    except ImportError:
        raise InputError("--executor ray needs Ray: pip install 'whichword[ray]'") from None
    if local and not ray.is_initialized() and any(os.environ.get(name) != value for name, value in LOOPBACK.items()):
        settings = " ".join(f"{name}={value}" for name, value in LOOPBACK.items())
        raise InputError(f"Ray was loaded with settings that let it listen beyond this machine: set {settings}")
    return ray


class _Desk:
    """Hand out tasks, a bounded number at a time, and take what comes back."""

    def __init__(self, ray: Any, still: float) -> None:
        self.ray, self.still, self.queue = ray, still, TaskQueue()
        self.remote = ray.remote(num_cpus=1, max_retries=0)(_do)  # `TaskQueue` tries again, and says so
        self.in_flight: dict[Any, str] = {}
        self._stored: tuple[Opening, list[Any]] | None = None  # the job that was put into the object store last

    def outcomes(self, load: Workload[Any, Any], tasks: Sequence[str]) -> Iterator[Outcome]:
        self.queue.begin(tasks)
        while self.queue.waiting or self.in_flight:
            self._hand_out(load)
            ready, _ = self.ray.wait(list(self.in_flight), timeout=self.still)
            if not ready:
                yield self._silence()
            for reference in ready:
                yield self._outcome(reference)

    def _hand_out(self, load: Workload[Any, Any]) -> None:
        bound = PER_CORE * max(1, int(self.ray.cluster_resources().get("CPU", 1)))  # asked anew: nodes may join
        while self.queue.waiting and len(self.in_flight) < bound:
            task = self.queue.waiting.popleft()
            self.in_flight[self.remote.remote(self._job(load), task, *load.arguments(task))] = task

    def _job(self, load: Workload[Any, Any]) -> list[Any]:
        """Put the job into the object store, once, and return its reference in a list."""
        if self._stored is None or self._stored[0] != load.opening:
            job = load.job if load.packed is None else load.packed()
            self._stored = load.opening, [self.ray.put((load.opener, job))]
        return self._stored[1]

    def _outcome(self, reference: Any) -> Outcome:
        task = self.in_flight.pop(reference)
        try:
            result = self.ray.get(reference)
        except self.ray.exceptions.RayError as error:
            return self.queue.lost(task, f"a worker of the cluster was lost ({type(error).__name__})")
        if isinstance(result, WorkerFailure):
            raise result.error()
        return self.queue.finished(task, result)

    def _silence(self) -> Notice:
        cores = int(self.ray.cluster_resources().get("CPU", 0))
        names = ", ".join(sorted(self.in_flight.values())[:3])  # a person needs an example, not thousands of names
        return Notice(
            f"nothing came back for {self.still:.0f} seconds; {len(self.in_flight)} in flight ({names}, ...)"
            f" on {cores} cores"
        )


_opened: dict[Any, Any] = {}  # in a worker: the job that it has open


def _do(job: list[Any], task: str, *arguments: Any) -> Any:
    """Do a task on the cluster. The reference is in a list, so that Ray does not fetch a job that is open already."""
    import ray

    try:
        (reference,) = job
        if reference not in _opened:
            _opened.clear()  # the job before may hold a model
            opener, data = ray.get(reference)
            _opened[reference] = opener(data)
        return _opened[reference](task, *arguments)
    except Exception as error:
        return WorkerFailure.of(error)  # told to the driver, which raises it
