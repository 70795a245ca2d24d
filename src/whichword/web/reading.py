"""A text as a model reads it, and what the model says when words are taken out."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import torch
from torch import Tensor

from whichword.edits import Edits
from whichword.errors import InputError
from whichword.methods.scoring import score_edits
from whichword.model import Batch, Model, Reading
from whichword.types import Text

Window = tuple[int, int]


@dataclass(frozen=True, eq=False)
class EditableText:
    """The words x_1..x_T before a model."""

    model: Model
    words: tuple[str, ...]

    @cached_property
    def reading(self) -> Reading:
        return self.model.read(Text(self.words))

    @property
    def unknown(self) -> list[int]:
        """The positions of words that the model does not know."""
        return [t for t, unknown in enumerate(self.reading.unknown) if unknown]

    def scores(self, cut: Sequence[int] = (), blank: Sequence[int] = ()) -> Tensor:
        """s(k, X') of all classes, [K]: X without the words at ``cut``, zero vectors for those at ``blank``.

        One window is scored as omission and occlusion score it; of several, all but the last are made first.
        """
        self._check(cut, blank)
        model: Any = self.model  # its networks' own way, until edits are the model's
        with torch.no_grad():
            x = model.embed(Batch.of([self.reading], self.model.about.device).ids)
            edits = list(_edits(cut, blank))
            for edit in edits[:-1]:
                x = edit.apply(x)
            scores: Tensor = score_edits(model, x, edits[-1]) if edits else model.score(x)
        return scores[0]

    def _check(self, cut: Sequence[int], blank: Sequence[int]) -> None:
        changed = [*cut, *blank]
        if len(set(changed)) != len(changed):
            raise InputError("a word is changed twice")
        if not all(0 <= t < len(self.words) for t in changed):
            raise InputError(f"the text has the words 0 to {len(self.words) - 1}")


def _edits(cut: Iterable[int], blank: Iterable[int]) -> Iterator[Edits]:
    """Zeros first, then cuts from the right, so that the positions that are left keep their numbers."""
    blanked = (("blank", window) for window in windows(blank))
    removed = (("cut", window) for window in reversed(windows(cut)))
    for kind, (start, stop) in chain(blanked, removed):
        yield Edits(kind, torch.tensor([0]), torch.tensor([start]), torch.tensor([stop]))


def windows(positions: Iterable[int]) -> list[Window]:
    """Positions in any order as windows start..stop-1, neighbours together."""
    merged: list[Window] = []
    for t in sorted(positions):
        start = merged.pop()[0] if merged and merged[-1][1] == t else t
        merged.append((start, t + 1))
    return merged
