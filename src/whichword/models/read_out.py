"""Which position a transformer reads out, if it is one: found on a probe."""

from __future__ import annotations

import torch

from whichword.errors import InputError
from whichword.models.module import PretrainedModule
from whichword.operations.mode import WordVectors
from whichword.operations.positions import AttentionCount, OnePosition, ReadOut

POSITIONS = (0, -1)  # [CLS] of encoders, the last piece of decoders
CLOSE = {torch.float64: 1e-6, torch.float32: 1e-4}  # of the largest score; any other position is far away from that


@torch.no_grad()
def read_out_of(model: PretrainedModule) -> ReadOut | None:
    """None: several positions are read, or attention is computed in another way than by torch's function."""
    try:
        batch = model.varied_probe()
        ((rows, ids),) = model.groups(batch)
        words = WordVectors(model.table, ids, model.embed(batch))
        counting = AttentionCount(words, model.unrounded)
        s = model.looked_up(counting, batch, rows, ids)
    except InputError:  # what is amiss will show on the user's texts
        return None
    choices = [ReadOut(counting.count, position) for position in POSITIONS if counting.count]
    for choice in choices:
        mode = OnePosition(words, choice, model.unrounded)
        try:
            narrow = model.looked_up(mode, batch, rows, ids)
        except InputError:
            continue
        if mode.spared and torch.allclose(s, narrow, rtol=0, atol=CLOSE.get(s.dtype, 2e-2) * float(s.abs().max())):
            return choice
    return None
