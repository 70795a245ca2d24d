"""Worker processes side by side, with one thread each."""

from collections.abc import Iterator, Sequence
from typing import Any

from whichword.experiment.crew import crew
from whichword.experiment.workload import Outcome, Site, Workload


def processes(load: Workload[Any, Any], tasks: Sequence[str], site: Site) -> Iterator[Outcome]:
    """Every process opens the job for itself."""
    yield from crew(load, tasks, site)
