"""How Hugging Face's models are called: by ids and mask, alone or behind pieces whose keys and values are there."""

from __future__ import annotations

import inspect
from abc import abstractmethod
from functools import partial
from typing import Any

import torch
from torch import Tensor

from whichword.model import Batch
from whichword.models.module import ModuleModel
from whichword.operations.mode import WordVectors
from whichword.reading import AnyEdits


class PretrainedModule(ModuleModel):
    """A module that answers with logits; subclasses make scores of them.

    ``keeps``: it can keep keys and values. ``takes_positions``: it can be told where pieces stand. ``passed_over``: the
    piece that its read-out skips at the end of a text.
    """

    copy_pieces = 2048  # what a layer makes of more of them leaves the cache
    passed_over: int | None = None

    def __init__(self, module: Any, table: Tensor) -> None:
        super().__init__(module, table)
        takes = inspect.signature(module.forward).parameters.keys()
        self.keeps, self.takes_positions = {"past_key_values", "use_cache"} <= takes, "position_ids" in takes
        # a model that can keep keys and values does so unless it is told otherwise
        self.options: dict[str, Any] = {"use_cache": False} if self.keeps else {}

    @abstractmethod
    def scores(self, output: Any, ids: Tensor, batch: Batch, rows: Tensor) -> Tensor:
        """s [n, K] from what the module gave for ids [n, P]."""

    def call(self, ids: Tensor, batch: Batch, rows: Tensor) -> Tensor:
        output = self.module(input_ids=ids, attention_mask=torch.ones_like(ids), **self.options)
        return self.scores(output, ids, batch, rows)

    def call_after(self, past: Any, starts: Tensor, ids: Tensor, batch: Batch, rows: Tensor) -> Tensor:
        """As `call`, of pieces that follow those in ``past``, a cache, which takes them in if it keeps anything.

        The last ``starts`` [n] pieces in it are a text's own.
        """
        options = self.options | {"past_key_values": past, "use_cache": True}
        width = past.get_seq_length()
        mask = ids.new_ones(len(ids), width + ids.shape[1])
        if (starts < width).any():
            mask[:, :width] = torch.arange(width, device=ids.device) >= width - starts[:, None]
            options["position_ids"] = starts[:, None] + torch.arange(ids.shape[1], device=ids.device)
        output = self.module(input_ids=ids, attention_mask=mask, **options)
        return self.scores(output, ids, batch, rows)

    def forward_after(self, past: Any, starts: Tensor, e: Tensor, ids: Tensor, batch: Batch, rows: Tensor) -> Tensor:
        """The module's own pass from the vectors of these pieces on, behind what is in ``past``."""
        mode = self.lookup(WordVectors(self.table, ids, e))
        return self.looked_up(mode, batch, rows, ids, partial(self.call_after, past, starts))

    def score_whole_copies(self, batch: Batch, *edits: AnyEdits) -> Tensor:
        """The plain way, which defines what any other one has to give."""
        return super().score_edits(batch, *edits)

    def varied_probe(self) -> Batch:
        """The probe with other pieces in the words' place, all different: equal ones would hide what is read where."""
        batch, chance = self.probe(), torch.Generator().manual_seed(0)
        pieces = torch.randperm(len(self.table), generator=chance).to(batch.words.device)
        pieces = pieces[pieces != (-1 if self.passed_over is None else self.passed_over)][: batch.ids.width]
        ids = torch.where(batch.word_of >= 0, pieces, batch.ids.data)
        return Batch(batch.ids.with_data(ids), batch.words, batch.word, batch.readings)
