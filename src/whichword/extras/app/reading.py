"""A text as a model reads it, and what the model says when words are taken out."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from whichword.errors import InputError
from whichword.model import Batch, Model, Reading
from whichword.reading import WordSets
from whichword.types import Text


@dataclass(frozen=True, eq=False)
class EditableText:
    """The words x_1..x_T before a model."""

    model: Model
    written: Text

    @property
    def words(self) -> tuple[str, ...]:
        return self.written.words

    @cached_property
    def reading(self) -> Reading:
        return self.model.read(self.written)

    @property
    def unknown(self) -> list[int]:
        """The positions of words that the model does not know."""
        return [t for t, unknown in enumerate(self.reading.unknown) if unknown]

    def scores(self, cut: Sequence[int] = (), blank: Sequence[int] = ()) -> Tensor:
        """s(k, X') of all classes, [K]: X without the words at ``cut``, zero vectors for those at ``blank``."""
        self._check(cut, blank)
        batch = Batch.of([self.reading], self.model.about.device)
        with torch.no_grad():
            if not cut and not blank:
                return self.model.score(batch)[0]
            return self.model.score_edits(batch, WordSets(torch.tensor([0]), self._flags(cut), self._flags(blank)))[0]

    def _flags(self, positions: Sequence[int]) -> Tensor:
        """[1, T]."""
        flags = torch.zeros(1, len(self.words), dtype=torch.bool)
        flags[0, list(positions)] = True
        return flags

    def _check(self, cut: Sequence[int], blank: Sequence[int]) -> None:
        changed = [*cut, *blank]
        if len(set(changed)) != len(changed):
            raise InputError("a word is changed twice")
        if not all(0 <= t < len(self.words) for t in changed):
            raise InputError(f"the text has the words 0 to {len(self.words) - 1}")
