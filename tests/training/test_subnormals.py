"""While a network is trained, subnormal numbers count as zero, and its bits stay what they are without that."""

import dataclasses
from contextlib import nullcontext
from pathlib import Path

import pytest
import torch
from test_training import SMALL, corpus

from whichword.training import loop, train
from whichword.training.loop import subnormals_are_zero

TINY = torch.tensor(1e-39)


def halved() -> float:
    return float(TINY * 0.5)


def test_they_are_zero_within_the_block_only() -> None:
    if not torch.set_flush_denormal(False):
        pytest.skip("this processor cannot count subnormal numbers as zero")
    assert halved() > 0
    with subnormals_are_zero():
        assert halved() == 0
        with subnormals_are_zero():
            assert halved() == 0
        assert halved() == 0  # the inner block leaves the outer one as it was
    assert halved() > 0


def test_an_error_ends_the_block_too() -> None:
    with pytest.raises(ZeroDivisionError), subnormals_are_zero():
        _ = 1 / 0
    assert halved() > 0


@pytest.mark.parametrize("network", ["qlstm", "qgru", "lstm", "cnn"])
def test_a_training_gives_the_same_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, network: str) -> None:
    settings = dataclasses.replace(SMALL, network=network, epochs=4)
    with_zero = train(corpus(), settings, tmp_path / "zero").network
    monkeypatch.setattr(loop, "subnormals_are_zero", nullcontext)
    without = train(corpus(), settings, tmp_path / "kept").network
    assert all(torch.equal(a, b) for a, b in zip(with_zero.parameters(), without.parameters(), strict=True))
