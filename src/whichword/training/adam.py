"""Adam, exact, at the cost of the embedding rows that a batch has.

A word that is not in the batch has gradient zero; Adam still moves it, by its decaying moments. With the compiled
kernels, a row takes these steps late: all of them, in their order, when the row is next needed
(docs/performance-training.md). ``seen`` says which step each row has taken; it is saved with the moments, so that a
resumed training gives the same bits. Without the kernels every row takes every step at once.
"""

from collections.abc import Mapping

import torch
from torch import Tensor

from whichword.base import kernels
from whichword.networks import Network

BETAS = (0.9, 0.999)  # Kingma and Ba 2015
EPSILON = 1e-8
ROWS = "embedding"  # the array whose rows are updated late


class Adam:
    """The optimiser of one network. ``step`` counts the steps taken; ``mean`` and ``square`` are the moments."""

    def __init__(self, network: Network, learning_rate: float) -> None:
        self.learning_rate = learning_rate
        self.arrays = {name: array.data for name, array in network.arrays().items()}
        self.dense = {name: array for name, array in network.arrays().items() if name != ROWS}  # updated as a whole
        self.mean = {name: torch.zeros_like(array) for name, array in self.arrays.items()}
        self.square = {name: torch.zeros_like(array) for name, array in self.arrays.items()}
        self.seen = torch.zeros(len(self.arrays[ROWS]), dtype=torch.long)  # the last step that each row took
        self.step = 0
        self.schedule = Schedule()
        self.compiled = all(kernels.usable(array) for array in self.arrays.values())

    def rows(self, rows: Tensor) -> Tensor:
        """Return the embedding of some rows, up to date, [n, E]."""
        if self.compiled:
            self._advance_rows(rows, None)
        return self.arrays[ROWS][rows]

    def flush(self) -> None:
        """Bring every row up to date."""
        self.rows(torch.arange(len(self.seen)))

    def advance(self, rows: Tensor, row_gradient: Tensor, gradients: Mapping[str, Tensor]) -> None:
        """Take one step, by the gradient of some rows of the embedding and those of the dense arrays."""
        self.step += 1
        self.schedule.extend(self.step, self.learning_rate)
        if self.compiled:
            self._advance_rows(rows, row_gradient.contiguous())
            self._advance_arrays({name: gradient.contiguous() for name, gradient in gradients.items()})
            return
        all_rows = torch.zeros_like(self.arrays[ROWS]).index_copy_(0, rows, row_gradient)  # of other rows it is 0
        for name, gradient in {ROWS: all_rows, **gradients}.items():
            self._advance_plainly(name, gradient)
        self.seen.fill_(self.step)

    def _advance_plainly(self, name: str, gradient: Tensor) -> None:
        self.mean[name].lerp_(gradient, 1.0 - BETAS[0])
        self.square[name].mul_(BETAS[1]).addcmul_(gradient, gradient, value=1.0 - BETAS[1])
        size, root = (float(column[self.step]) for column in (self.schedule.size, self.schedule.root))
        self.arrays[name].addcdiv_(self.mean[name], self.square[name].sqrt().mul_(root).add_(EPSILON), value=-size)

    def _advance_arrays(self, gradients: Mapping[str, Tensor]) -> None:
        tables = (gradients, self.arrays, self.mean, self.square)
        pointers = [torch.tensor([table[name].data_ptr() for name in gradients], dtype=torch.long) for table in tables]
        lengths = torch.tensor([gradient.numel() for gradient in gradients.values()], dtype=torch.long)
        like = self.arrays[ROWS]
        kernels.call("adam_arrays", like, len(gradients), self.step, *self.schedule.tables, lengths, *pointers)

    def _advance_rows(self, rows: Tensor, gradient: Tensor | None) -> None:
        self.schedule.extend(self.step, self.learning_rate)  # after a resume it is empty
        p, mean, square = self.arrays[ROWS], self.mean[ROWS], self.square[ROWS]
        arrays = (rows, self.seen, gradient, p, mean, square)
        kernels.call("adam_rows", p, len(rows), p.shape[1], self.step, *self.schedule.tables, *arrays)


class Schedule:
    """size_s = lr / (1 - b1^s) and root_s = 1 / sqrt(1 - b2^s) of every step so far."""

    def __init__(self) -> None:
        self.size = self.root = torch.zeros(1, dtype=torch.float64)
        self.constants = torch.tensor([*BETAS, EPSILON], dtype=torch.float64)
        self.filled = 0

    @property
    def tables(self) -> tuple[Tensor, Tensor, Tensor]:
        return self.size, self.root, self.constants

    def extend(self, step: int, learning_rate: float) -> None:
        """Fill in the steps up to ``step``."""
        if step >= len(self.size):
            more = torch.zeros(2 * step + 64, dtype=torch.float64)  # more than asked for: not at every step
            self.size, self.root = torch.cat([self.size, more]), torch.cat([self.root, more])
        for s in range(self.filled + 1, step + 1):
            self.size[s] = learning_rate / (1.0 - BETAS[0] ** s)
            self.root[s] = 1.0 / (1.0 - BETAS[1] ** s) ** 0.5
        self.filled = step
