"""w h in double precision: what matters of edited copies are small differences of s."""

import torch
from torch import Tensor

READ_OUT = 2048  # copies at a time, so that their states in double precision stay in the cache


def read_out(hidden: Tensor, w: Tensor) -> Tensor:
    """h [n, H] in any precision, w [K, H] in double -> [n, K].

    The same memory holds the states of one piece after the other: new memory is not in the cache.
    """
    states, scores = w.new_empty(min(len(hidden), READ_OUT), w.shape[1]), w.new_empty(len(hidden), len(w))
    for s, h in zip(torch.split(scores, READ_OUT), torch.split(hidden, READ_OUT), strict=True):
        torch.mm(states[: len(s)].copy_(h), w.T, out=s)
    return scores
