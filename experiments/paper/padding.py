"""Training with zero vectors around every document, as batches have them whose padding nobody masks."""

from pathlib import Path

from torch import Tensor
from torch.nn import functional

from whichword.networks import Dropout
from whichword.sequences import Sequences
from whichword.training.loop import Progress, Trainer
from whichword.training.settings import Training
from whichword.types import Corpus

ZEROS = 20  # before a document, and after it


class PaddedTrainer(Trainer):
    """The network reads the zero vectors like words. It is saved, and explained, as any other one."""

    def __init__(self, corpus: Corpus, settings: Training, folder: Path, progress: Progress) -> None:
        super().__init__(corpus, settings, folder, progress)
        self.identity |= {"zero vectors": f"{ZEROS} before and after every document"}

    def scores(self, e: Sequences, noise: Dropout) -> Tensor:
        return super().scores(padded(e), noise)


def padded(e: Sequences) -> Sequences:
    """0 .. 0 e_1 .. e_T 0 .. 0: what follows a row's own words is zero already."""
    return Sequences(functional.pad(e.filled().data, (0, 0, ZEROS, ZEROS)), e.lengths + 2 * ZEROS)
