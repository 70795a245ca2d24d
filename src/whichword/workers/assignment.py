"""What a worker is told: all that it needs, so that it has to read nothing of the run's folder."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from whichword.runs.plan import RunPlan
from whichword.workers.parcels import Parcel, pack


@dataclass(frozen=True)
class Assignment:
    """The plan, where its models are, and whether another arithmetic than the plan's may join in.

    A model is a spelling, for whoever shares this disk, or a parcel of its files.
    """

    plan: RunPlan
    models: Mapping[str, str | Parcel]
    mixed: bool = False

    def packed(self) -> "Assignment":
        """The same for machines that do not share this disk."""
        models = {label: pack(model) if isinstance(model, str) else model for label, model in self.models.items()}
        return replace(self, models=models)
