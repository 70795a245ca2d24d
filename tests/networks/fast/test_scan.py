"""Products over the words that follow, block by block, are those over all of them."""

import pytest
import torch

from whichword import sequences
from whichword.sequences import Sequences


@pytest.mark.parametrize("block", [256, 4, 1])
def test_following_products(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequences, "BLOCK", block)
    factors = torch.rand(3, 9, 2, generator=torch.Generator().manual_seed(1), dtype=torch.float64) + 0.5
    lengths = [9, 4, 0]
    products = Sequences(factors, torch.tensor(lengths)).following_product()
    for row, length in enumerate(lengths):
        for t in range(length):
            torch.testing.assert_close(products[row, t], factors[row, t + 1 : length].prod(0))
