"""The one place that runs edited copies of documents through a model."""

from dataclasses import dataclass

import torch
from torch import Tensor

from whichword.networks import Model
from whichword.sequences import Sequences, batches

BUDGET = 8192  # words a batch: large enough to fill a matrix product, small enough for the cache

KINDS = {"cut": Sequences.cut, "blank": Sequences.blank, "crop": Sequences.crop}


@dataclass(frozen=True)
class Edits:
    """n copies of documents, edited at start..stop-1 in one way: "cut" out, "blank"ed by zeros, or "crop"ped to.

    ``rows``, ``start``, ``stop`` [n] whole numbers.
    """

    kind: str
    rows: Tensor
    start: Tensor
    stop: Tensor

    def __len__(self) -> int:
        return len(self.rows)

    def lengths(self, x: Sequences) -> Tensor:
        """The copies' lengths, [n]."""
        inside = self.stop - self.start
        return {"cut": x.lengths[self.rows] - inside, "blank": x.lengths[self.rows], "crop": inside}[self.kind]

    def pick(self, index: Tensor) -> "Edits":
        """Some of the edits."""
        return Edits(self.kind, self.rows[index], self.start[index], self.stop[index])

    def apply(self, x: Sequences) -> Sequences:
        """The copies."""
        return KINDS[self.kind](x, self.rows, self.start, self.stop)


def score_edits(model: Model, x: Sequences, edits: Edits) -> Tensor:
    """s of every copy, [n, K]; by the model's own faster way where it has one. Equal edits are scored once."""
    triples, where = torch.unique(torch.stack([edits.rows, edits.start, edits.stop], 1), dim=0, return_inverse=True)
    distinct = Edits(edits.kind, *triples.unbind(1))
    own = getattr(model, "score_edits", None)
    with torch.no_grad():
        scores = score_copies(model, x, distinct) if own is None else own(x, distinct)
    result: Tensor = scores[where]
    return result


def score_copies(model: Model, x: Sequences, edits: Edits, budget: int = BUDGET) -> Tensor:
    """The plain way: make every copy and score it, neighbours in length together, ``budget`` words at a time."""
    scores = x.data.new_zeros(len(edits), len(model.classes))
    for group in batches(edits.lengths(x).tolist(), budget):
        index = torch.as_tensor(group, device=x.data.device)
        scores[index] = model.score(edits.pick(index).apply(x))
    return scores
