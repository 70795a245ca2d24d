"""A torch module of the user's own that reads word ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any

import torch
from torch import Tensor, nn

from whichword.errors import InputError, SettingError
from whichword.model import Batch, Reading
from whichword.models.module import ModuleModel, word_table
from whichword.sequences import Sequences
from whichword.types import About, Written

WordToIds = Callable[[str], int | Iterable[int]]
PROBE = 8  # words of the text that a module is tried on


class WordModule(ModuleModel):
    """Words become ids by a vocabulary (a row per word), or by a function that gives each word's ids.

    ``call(module, ids, lengths)`` is how the module is called where ``module(ids)`` is not enough. Where the module
    gives one logit z per text, s = -z/2 and z/2 for the two classes.
    """

    def __init__(
        self,
        module: nn.Module,
        word_to_ids: WordToIds,
        classes: Sequence[str],
        embedding: Any = None,
        call: Callable[..., Tensor] | None = None,
        is_unknown: Callable[[str], bool] = lambda word: False,
    ) -> None:
        super().__init__(module, word_table(module, embedding))
        self._word_to_ids, self._call, self._is_unknown = word_to_ids, call, is_unknown
        facts = {"parameters": f"{sum(p.numel() for p in module.parameters()):,}"}
        dtype = str(self.table.dtype).removeprefix("torch.")
        self.about = About(type(module).__name__, tuple(classes), dtype, str(self.table.device), facts)

    def read(self, document: Written) -> Reading:
        pieces = [self._ids(word) for word in document.words]
        ids = [number for numbers in pieces for number in numbers]
        word = [t for t, numbers in enumerate(pieces) for _ in numbers]
        count = len(document.words)
        unknown = [self._is_unknown(text) for text in document.words]
        places = range(count) if word == list(range(count)) else word  # a range takes no memory
        return Reading(document.words, document.text, ids, places, unknown, count)

    def _ids(self, word: str) -> list[int]:
        pieces = self._word_to_ids(word)
        ids = [int(pieces)] if isinstance(pieces, Integral) else [int(number) for number in pieces]  # type: ignore
        for number in ids:
            if not 0 <= number < len(self.table):
                raise InputError(f"the word {word!r} has the id {number}; the table has {len(self.table):,} rows")
        return ids

    def probe(self) -> Batch:
        """Take some rows of the table; not the first, which is often padding."""
        ids = (torch.arange(1, PROBE + 1, device=self.table.device) % len(self.table))[None]  # wraps in a small table
        lengths = torch.full((1,), PROBE, device=self.table.device)
        return Batch(Sequences(ids, lengths), lengths)

    def call(self, ids: Tensor, batch: Batch, rows: Tensor) -> Tensor:
        if self._call is None:
            scores = self.module(ids)
        else:
            scores = self._call(self.module, ids, torch.full((len(ids),), ids.shape[1], device=ids.device))
        return two_classes(scores) if self._gives_one_logit(scores, len(ids)) else scores

    def _gives_one_logit(self, scores: Any, count: int) -> bool:
        one_per_text = isinstance(scores, Tensor) and list(scores.shape) in ([count], [count, 1])
        return one_per_text and len(self.about.classes) == 2  # of other shapes `_checked` complains


def two_classes(logit: Tensor) -> Tensor:
    """Turn one logit z per text, [n] or [n, 1], into s = -z/2, z/2, [n, 2]: softmax of s is sigmoid of z."""
    half = logit.reshape(-1, 1) / 2
    return torch.cat([-half, half], 1)


def by_vocabulary(
    words: Sequence[str] | Mapping[str, int], unknown: str | None
) -> tuple[WordToIds, Callable[[str], bool]]:
    """Return word -> row, and whether a word has none. A list: word i is row i."""
    rows = dict(words) if isinstance(words, Mapping) else {word: row for row, word in enumerate(words)}
    if len(rows) < len(words):
        raise SettingError("the vocabulary has a word twice")
    if unknown is not None and unknown not in rows:
        raise SettingError(f"unknown={unknown!r} is no word of the vocabulary")

    def row(word: str) -> int:
        if word in rows:
            return rows[word]
        if unknown is None:
            raise InputError(f"the vocabulary has no word {word!r}; unknown= names the word that stands for all others")
        return rows[unknown]

    return row, lambda word: word not in rows
