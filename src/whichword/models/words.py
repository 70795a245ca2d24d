"""A torch module of the user's own that reads word ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from whichword.errors import InputError
from whichword.model import Batch, Reading
from whichword.models.module import ModuleModel, word_table
from whichword.types import About, Written

Pieces = Callable[[str], int | Sequence[int]]


class WordModule(ModuleModel):
    """Words become ids by a vocabulary (a row per word), or by a function that gives each word's ids.

    ``call(module, ids, lengths)`` is how the module is called where ``module(ids)`` is not enough.
    """

    def __init__(
        self,
        module: nn.Module,
        pieces: Pieces,
        classes: Sequence[str],
        embedding: Any = None,
        call: Callable[..., Tensor] | None = None,
        is_unknown: Callable[[str], bool] = lambda word: False,
    ) -> None:
        attention = any(isinstance(part, nn.MultiheadAttention) for part in module.modules())
        super().__init__(module, word_table(module, embedding), attention)
        self._pieces, self._call, self._is_unknown = pieces, call, is_unknown
        weight = next(module.parameters())
        facts = {"parameters": f"{sum(p.numel() for p in module.parameters()):,}"}
        dtype = str(weight.dtype).removeprefix("torch.")
        self.about = About(type(module).__name__, tuple(classes), dtype, str(weight.device), facts)

    def read(self, document: Written) -> Reading:
        ids: list[int] = []
        word: list[int] = []
        for t, text in enumerate(document.words):
            pieces = self._pieces(text)
            numbers = [pieces] if isinstance(pieces, int) else list(pieces)
            ids += numbers
            word += [t] * len(numbers)
        unknown = [self._is_unknown(text) for text in document.words]
        one_each = word == list(range(len(document.words)))
        places = range(len(word)) if one_each else word
        return Reading(document.words, document.text, ids, places, unknown, len(document.words))

    def call(self, ids: Tensor, batch: Batch, rows: Tensor) -> Tensor:
        if self._call is None:
            scores: Tensor = self.module(ids)
            return scores
        lengths = torch.full((len(ids),), ids.shape[1], device=ids.device)
        return self._call(self.module, ids, lengths)


def by_vocabulary(
    words: Sequence[str] | Mapping[str, int], unknown: str | None
) -> tuple[Pieces, Callable[[str], bool]]:
    """word -> row, and whether a word has none. A list: word i is row i."""
    rows = dict(words) if isinstance(words, Mapping) else {word: row for row, word in enumerate(words)}
    if unknown is not None and unknown not in rows:
        raise InputError(f"unknown={unknown!r} is no word of the vocabulary")

    def row(word: str) -> int:
        if word in rows:
            return rows[word]
        if unknown is None:
            raise InputError(f"the vocabulary has no word {word!r}; unknown= names the word that stands for all others")
        return rows[unknown]

    return row, lambda word: word not in rows
