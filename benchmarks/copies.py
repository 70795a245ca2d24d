"""Omission and occlusion by their definition: every edited copy is made and run."""

from torch import Tensor

from benchmarks.timing import Run
from benchmarks.workloads import Workload
from whichword.answering import first_maximum
from whichword.methods.perturbation import WindowKind, changes
from whichword.model import Batch, Differentiable, Reading
from whichword.networks import Network
from whichword.types import Text, Written

KINDS = [WindowKind(kind, n) for kind in ("cut", "blank") for n in (1, 3, 7)]


class Copies(Differentiable):
    """A network that can do nothing but score word vectors."""

    def __init__(self, network: Network) -> None:
        self.network, self.about = network, network.about

    def read(self, document: Written) -> Reading:
        return self.network.read(document)

    def embed(self, batch: Batch) -> Tensor:
        return self.network.embed(batch)

    def forward(self, e: Tensor, batch: Batch) -> Tensor:
        return self.network.forward(e, batch)


def scored_copies(workload: Workload) -> Run:
    """All six, omission and occlusion of 1, 3 and 7 words, of the predicted class."""
    model = Copies(workload.network)
    readings = [model.read(Text(text, " ".join(text))) for text in workload.texts]

    def explain() -> None:
        batch = Batch.of(readings)
        changes(model, batch, first_maximum(model.score(batch)), KINDS)

    return explain
