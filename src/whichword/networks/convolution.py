"""Convolution over words, as the appendix writes it: V * [0 .. e_1 .. e_T .. 0]."""

from torch import Tensor
from torch.nn import functional

WIDTH = 5  # F, the kernel width of the paper


def convolve(x: Tensor, kernel: Tensor, ahead: int) -> Tensor:
    """V * e: out_t = sum_j kernel_j e_(t + ahead - j), zero vectors around the ends.

    x [B, T, E], kernel [F, E, H] -> [B, T, H]. ``ahead`` = 0 is causal, (F - 1) / 2 centred ("same").
    """
    width = kernel.shape[0]
    if x.shape[1] == 0:
        return x.new_zeros(x.shape[0], 0, kernel.shape[2])
    padded = functional.pad(x, (0, 0, width - 1 - ahead, ahead))
    # conv1d correlates, so the kernel is turned round
    return functional.conv1d(padded.transpose(1, 2), kernel.flip(0).permute(2, 1, 0)).transpose(1, 2)
