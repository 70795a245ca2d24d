"""Modules that read a gated memory out linearly: for these there is cell decomposition (section 3.4 of the paper).

That is, s_k is affine in the last hidden states of exactly one nn.LSTM or nn.GRU of one layer, in one or two
directions, that reads the word vectors themselves and begins with zeros. Whether it is so shows on a probe: the
recurrent call is answered with states of our own, and s has to follow them, and nothing else, in a straight line.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from whichword.errors import InputError
from whichword.model import Batch, Trace, Traced
from whichword.models.memory import GatedRun, MemoryMode, NotLinearError
from whichword.models.words import WordModule
from whichword.operations.mode import WordVectors
from whichword.sequences import Sequences

POINTS = (1, 2, 3)  # random states at which a straight line is looked for
STRAIGHT = {torch.float64: 1e-9, torch.float32: 1e-4}


class MemoryModule(WordModule, Traced):
    """A `WordModule` whose scores are affine in the last hidden states of its LSTM or GRU."""

    def trace(self, batch: Batch, k: Tensor) -> list[Trace]:
        """Document by document, so that packed sequences need no sorting."""
        texts = list(batch.ids.split())
        passes = [self._read_out(text[None], batch, row) for row, text in enumerate(texts) if len(text)]
        rows = [row for row, text in enumerate(texts) if len(text)]
        slopes = [_slope(mode, s, int(k[row])) for row, (mode, s) in zip(rows, passes, strict=True)]
        runs = [mode.runs for mode, _ in passes]
        return [
            _trace(batch, rows, [run[number] for run in runs], [w[number] for w in slopes], backward=bool(number))
            for number in range(len(runs[0]) if runs else 0)
        ]

    def _read_out(self, ids: Tensor, batch: Batch, row: int, point: int = 0) -> tuple[MemoryMode, Tensor]:
        """One pass over one text: the mode with its states, and s [1, K]."""
        with torch.enable_grad():
            e = functional.embedding(ids, self.table.detach()).requires_grad_(True)
            mode = MemoryMode(WordVectors(self.table, ids, e), point)
            with mode:
                s = self._called(batch, torch.tensor([row], device=ids.device), ids)
        if not mode.runs or not s.requires_grad:
            raise NotLinearError("no LSTM or GRU is read out")
        return mode, s

    def check_linear(self) -> None:
        """s(h') = s(h) + w . (h' - h) for random h' and every class; else `NotLinearError`."""
        batch = self.probe()
        mode, s = self._read_out(batch.ids.data, batch, 0)
        away = [self._read_out(batch.ids.data, batch, 0, point) for point in POINTS]
        for k in range(len(self.about.classes)):
            w = _slope(mode, s, k)
            for moved, score in away:
                _slope(moved, score, k)
                straight = s[0, k] + (w * (moved.last - mode.last)).sum()
                if (score[0, k] - straight).abs() > STRAIGHT.get(s.dtype, 1e-2) * (1.0 + straight.abs()):
                    raise NotLinearError("the last hidden states are not read out in a straight line")


def with_memory(module: nn.Module, *settings: Any) -> WordModule:
    """The module as a model; with a trace, if its memory is read out linearly."""
    plain = WordModule(module, *settings)
    plain.check_mode()
    if not any(isinstance(part, nn.LSTM | nn.GRU) for part in module.modules()):
        return plain
    traced = MemoryModule(module, *settings)
    try:
        traced.check_linear()
    except InputError:
        return plain
    return traced


def _slope(mode: MemoryMode, s: Tensor, k: int) -> Tensor:
    """w_k = d s_k / d h_T, [directions, 1, H]; nothing else may have a slope."""
    leaves = [mode.last, mode.words.e, *mode.elsewhere]
    chosen = functional.one_hot(torch.full((1,), k, device=s.device), s.shape[1]).to(s.dtype)
    w, *slopes = torch.autograd.grad(s, leaves, chosen, allow_unused=True, retain_graph=True)
    if any(slope is not None and bool(slope.any()) for slope in slopes):
        raise NotLinearError("something beside the last hidden states is read out")
    return torch.zeros_like(mode.last) if w is None else w


def _trace(batch: Batch, rows: list[int], runs: list[GatedRun], slopes: list[Tensor], backward: bool) -> Trace:
    """One direction of all documents side by side."""

    def padded(values: list[Tensor]) -> Sequences:
        data = values[0].new_zeros(len(batch), batch.ids.width, values[0].shape[-1])
        for row, value in zip(rows, values, strict=True):
            data[row, : value.shape[1]] = value[0]
        return Sequences(data, batch.ids.lengths)

    def stacked(values: list[Tensor]) -> Tensor:
        data = values[0].new_zeros(len(batch), values[0].shape[-1])
        data[rows] = torch.cat(values)
        return data

    outs = [run.out for run in runs if run.out is not None]
    memory, carry = padded([run.memory for run in runs]), padded([run.carry for run in runs])
    return Trace(memory, carry, stacked(outs) if outs else None, stacked(slopes), backward)
