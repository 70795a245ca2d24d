"""The methods without `explain` around them: what it costs beyond them, and what earlier runs have timed.

The network is folded, its documents are read and their classes known. A batch keeps what is computed of it, for the
prediction and all methods to share, so every run gets batches that nobody has seen; to make them does not count.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from benchmarks.timing import Anew, Run
from benchmarks.workloads import Workload
from whichword.answering import first_maximum
from whichword.methods import MethodPlan, Questions, plan
from whichword.model import Batch, Reading
from whichword.networks import Network
from whichword.sequences import batches
from whichword.types import Text

FOLDED = 10**9  # words to be read, for which any table is worth it


@dataclass(frozen=True)
class Inner:
    """``groups`` of readings are the batches that `explain` makes where a method starts from the prediction's pass.

    ``targets`` [B] each: the predicted classes.
    """

    network: Network
    groups: Sequence[Sequence[Reading]]
    targets: Sequence[Tensor]

    @staticmethod
    def of(workload: Workload) -> "Inner":
        network = workload.network.prepared(FOLDED)
        readings = [network.read(Text(text, " ".join(text))) for text in workload.texts]
        fast = network.fast
        assert fast is not None
        places = batches([len(reading.ids) for reading in readings], fast.batch_words)
        groups = [[readings[place] for place in group] for group in places]
        return Inner(network, groups, [first_maximum(network.score(Batch.of(group))) for group in groups])

    def batches(self) -> list[Batch]:
        """Fresh ones."""
        return [Batch.of(group) for group in self.groups]

    def questions(self) -> list[Questions]:
        return [Questions(batch, k) for batch, k in zip(self.batches(), self.targets, strict=True)]

    def methods(self, *methods: str) -> Anew:
        """The methods alone."""
        chosen = plan(methods, self.network)
        return Anew(lambda: _answering(chosen, self.network, self.questions()))

    def forward(self, network: Network | None = None) -> Anew:
        """One forward pass; of another network than the folded one, if there is one."""
        return Anew(lambda: _scoring(network or self.network, self.batches()))

    def parts(self, *methods: str) -> Anew:
        """The methods, and beside them a forward pass that shares nothing with them."""
        alone, forward = self.methods(*methods), self.forward()
        return Anew(lambda: _both(alone.make(), forward.make()))


def _both(first: Run, second: Run) -> Run:
    return lambda: (first(), second())


def _answering(chosen: MethodPlan, network: Network, questions: Sequence[Questions]) -> Run:
    return lambda: [chosen.answer(network, group) for group in questions]


def _scoring(network: Network, fresh: Sequence[Batch]) -> Run:
    @torch.no_grad()
    def score() -> None:
        for batch in fresh:
            network.score(batch)

    return score
