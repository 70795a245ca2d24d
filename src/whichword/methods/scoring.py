"""The one place that runs edited copies of documents through a model."""

import torch
from torch import Tensor

from whichword.edits import Edits
from whichword.networks import Model
from whichword.sequences import Sequences, batches

BUDGET = 8192  # words a batch: large enough to fill a matrix product, small enough for the cache


def score_edits(model: Model, x: Sequences, *edits: Edits) -> Tensor:
    """s of every copy, of one kind of edits after the other, [n, K]; by the model's own faster way where it has one."""
    own = getattr(model, "score_edits", None)
    with torch.no_grad():
        if own is None:
            return torch.cat([score_copies(model, x, each) for each in edits])
        scores: Tensor = own(x, *edits)
    return scores


def score_copies(model: Model, x: Sequences, edits: Edits, budget: int = BUDGET) -> Tensor:
    """The plain way: make every copy and score it, neighbours in length together, ``budget`` words at a time."""
    scores = x.data.new_zeros(len(edits), len(model.classes))
    for group in batches(edits.lengths(x).tolist(), budget):
        index = torch.as_tensor(group, device=x.data.device)
        scores[index] = model.score(edits.pick(index).apply(x))
    return scores
