"""Who computes, as somebody asks for it: so many workers, which executor, at which address."""

from dataclasses import dataclass

from whichword.errors import InputError
from whichword.workers.workload import Site

SERIAL = "serial"  # the executor that is this process


@dataclass(frozen=True)
class Hands:
    """``executor`` None: processes, or this process where there is work for one only."""

    workers: int = 1
    executor: str | None = None
    address: str | None = None

    def __post_init__(self) -> None:
        if self.address is not None and self.executor != "ray":
            raise InputError("--address is for --executor ray")
        if self.executor is not None:
            from whichword.workers.executors import EXECUTORS

            EXECUTORS.resolve(self.executor)  # a wrong name is refused before any work

    @staticmethod
    def of(workers: int | None = None, executor: str | None = None, address: str | None = None) -> "Hands":
        """As options say it: no number is all cores of this machine."""
        from whichword.workers.processes import cores

        return Hands(workers or cores(), executor, address)

    @property
    def site(self) -> Site:
        return Site(self.workers, self.address)

    def executor_for(self, tasks: int) -> str:
        """The one that was named, or the one that suits so many tasks."""
        return self.executor or (SERIAL if min(self.workers, tasks) <= 1 else "processes")
