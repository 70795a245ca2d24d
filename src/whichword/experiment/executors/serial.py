"""One task after another, in this process."""

from collections.abc import Iterator, Sequence
from typing import Any

from whichword.experiment.workload import Done, Outcome, Site, Workload


def serial(load: Workload[Any, Any], tasks: Sequence[str], site: Site) -> Iterator[Outcome]:
    """The ``site`` plays no part."""
    do = load.opener(load.job)
    for task in tasks:
        yield Done(task, do(task, *load.arguments(task)))
