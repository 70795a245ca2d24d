"""How this machine adds up: the same code on another processor rounds otherwise, and results differ in the last bits.

A small computation of every kind that the product relies on stands for all of them: its inputs are made of whole
numbers, so whatever differs in its bits is the arithmetic.
"""

import hashlib
from collections.abc import Iterator
from functools import cache

import numpy as np
import scipy.linalg
import torch
from torch import Tensor

from whichword.base import kernels
from whichword.base.runtime import one_thread
from whichword.networks.encoders import LSTM
from whichword.networks.fast.cells import CELLS
from whichword.networks.fast.steps import Inputs


@cache  # a processor does not change under a process
def arithmetic() -> str:
    """Name torch's instruction set, whether kernels are compiled, a hash of bits: ``AVX2 kernels 1a2b3c4d5e6f7a8b``."""
    digest = hashlib.sha256()
    with one_thread(), torch.no_grad():  # several threads add up in another order
        for dtype in (torch.float32, torch.float64):
            for result in (*_products(dtype), *_functions(dtype), *_recurrence(dtype)):
                digest.update(result.contiguous().numpy().tobytes())
        for fit in _fits():
            digest.update(fit.tobytes())
    compiled = "kernels" if kernels.library() is not None else "no kernels"
    return f"{torch.backends.cpu.get_cpu_capability()} {compiled} {digest.hexdigest()[:16]}"


def _numbers(dtype: torch.dtype, *shape: int) -> Tensor:
    """Make numbers between -1 and 1, without a pattern that would let rounding errors cancel."""
    size = int(np.prod(shape))
    return ((torch.arange(size) * 7919 % 2003 - 1001).to(dtype) / 1001).reshape(shape)


def _products(dtype: torch.dtype) -> Iterator[Tensor]:
    yield _numbers(dtype, 200, 300) @ _numbers(dtype, 300, 100)
    yield _numbers(dtype, 3, 300) @ _numbers(dtype, 300)
    yield torch.nn.functional.conv1d(_numbers(dtype, 4, 30, 50), _numbers(dtype, 20, 30, 5))


def _functions(dtype: torch.dtype) -> Iterator[Tensor]:
    x = 4 * _numbers(dtype, 4001)
    yield from (torch.exp(x), torch.tanh(x), torch.sigmoid(x), x.sum(), x.softmax(0))


def _recurrence(dtype: torch.dtype) -> Iterator[Tensor]:
    """Run our own LSTM, there and back, where it is compiled: M points, S seeds, B documents of T words."""
    M, S, B, T, H = 2, 2, 3, 11, 24
    words, U = _numbers(dtype, B, T, 4 * H), _numbers(dtype, 4 * H, H)
    if not kernels.usable(words):
        return
    cell = CELLS[LSTM]
    inputs = Inputs(_numbers(dtype, 4 * H), U, None, torch.tensor([T, T - 4, 1]))
    hidden, states = cell.forward(words, torch.tensor([0.5, 1.0]), inputs, cell.needed)
    yield hidden
    yield cell.backward(inputs, states, _numbers(dtype, M, S, B, H))


def _fits() -> Iterator[np.ndarray]:
    """Solve the least squares of LIMSSE, by numpy's and scipy's own libraries."""
    design, answers = _numbers(torch.float64, 60, 20).numpy(), _numbers(torch.float64, 60).numpy()
    yield design.T @ answers
    yield np.linalg.lstsq(design, answers, rcond=None)[0]
    bands = np.vstack([np.full(60, 4.0), answers])
    yield scipy.linalg.solveh_banded(bands, answers, lower=True)
