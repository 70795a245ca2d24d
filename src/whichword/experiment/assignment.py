"""What a worker is told."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Assignment:
    """The run's folder, how its models are spelled, and whether another arithmetic than the plan's may join in."""

    folder: Path
    models: Mapping[str, str]
    mixed: bool = False
