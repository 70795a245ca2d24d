"""What was asked for on this occasion, and where things go."""

import math
from dataclasses import dataclass, field
from pathlib import Path

from experiments.paper.spec import Playing, Reproduction
from whichword.workers.tasks import Hands

QUICK = 10  # a quick run plays one document in so many,
LEAST = 200  # but so many at least: a tenth of 188 posts would say nothing


@dataclass(frozen=True)
class Options:
    """``train`` false: only networks that are there. ``seed`` None: the file's."""

    data: Path
    out: Path
    quick: bool = False
    only: tuple[str, ...] = ()
    train: bool = True
    hands: Hands = field(default_factory=Hands)
    seed: int | None = None

    def limit(self, available: int, most: int = 0) -> int | None:
        """How many of the documents are played, of ``most`` at the most (0: of all); None: all."""
        whole = min(available, most or available)
        wanted = min(whole, max(LEAST, math.ceil(whole / QUICK))) if self.quick else whole
        return wanted if wanted < available else None


@dataclass(frozen=True)
class Places:
    """Folders. Another seed than the file's has networks, runs and results of its own."""

    spec: Reproduction
    options: Options

    @property
    def seed(self) -> int:
        return self.spec.seed if self.options.seed is None else self.options.seed

    @property
    def kind(self) -> str:
        """full, quick, full-seed1, ..."""
        return ("quick" if self.options.quick else "full") + self._other

    @property
    def _other(self) -> str:
        return "" if self.seed == self.spec.seed else f"-seed{self.seed}"

    def model(self, playing: Playing) -> Path:
        return self.options.out / f"models{self._other}" / playing.model

    def run(self, playing: Playing) -> Path:
        return self.options.out / "runs" / self.kind / playing.name

    @property
    def results(self) -> Path:
        return self.spec.results / self.kind
