"""LIMSSE's fits for many documents at once are those of each document alone."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_logistic import logistic

from whichword.base import kernels
from whichword.methods import Questions
from whichword.methods.limsse_fits import (
    LONGEST,
    Designs,
    Numbers,
    Substrings,
    applied,
    collected,
    dense,
    gram,
    least_squares,
    least_squares_all,
    logistic_all,
)
from whichword.methods.randomness import generators, stream_keys
from whichword.model import Batch
from whichword.sequences import Sequences

LENGTHS = (1, 2, 5, 23, 3, 12, 4, 8, 40, 6, 7)


def designs(samples: int | None, lengths: tuple[int, ...] = LENGTHS) -> Designs:
    if samples is None:
        return Designs.of([Substrings.limit(length) for length in lengths])
    return Designs.drawn(lengths, samples, stream_keys(map(str, lengths)))


def documents(fitted: Designs) -> list[Substrings]:
    return [fitted.alone(document) for document in range(len(fitted.lengths))]


def values(fitted: Designs, seed: int = 0) -> Numbers:
    return np.random.default_rng(seed).normal(size=len(fitted.start))


def alone(fitted: Designs, y: Numbers) -> list[Numbers]:
    return np.split(y, np.cumsum(fitted.counts)[:-1])


@pytest.mark.parametrize("samples", [3000, 5])
def test_drawn_substrings(samples: int) -> None:
    """Each document's counts are those that its random numbers give, and none is left out that was drawn."""
    fitted, streams = designs(samples), generators(stream_keys(map(str, LENGTHS)))
    for length, design, randomness in zip(LENGTHS, documents(fitted), streams, strict=True):
        possible = Substrings.limit(length)
        counts = randomness.multinomial(samples, possible.weight / 3000)
        drawn = zip(possible.start.tolist(), possible.stop.tolist(), counts.tolist(), strict=True)
        own = zip(design.start.tolist(), design.stop.tolist(), design.weight.tolist(), strict=True)
        assert [*own] == [substring for substring in drawn if substring[2]]
        assert design.length == length


@pytest.mark.parametrize("samples", [None, 3000, 60, 5])
def test_least_squares(samples: int | None) -> None:
    """5 draws determine few words of a long document."""
    fitted = designs(samples)
    ys = [values(fitted, seed) for seed in range(2)]
    solutions, full = least_squares_all(fitted, [fitted.grid(y) for y in ys])
    for y, v in zip(ys, solutions, strict=True):
        for design, part, v_part, whole in zip(documents(fitted), alone(fitted, y), fitted.split(v), full, strict=True):
            expected, determined = least_squares(design, part)
            np.testing.assert_allclose(v_part, expected, atol=1e-10 * np.abs(expected).max())
            assert determined == whole
    assert full.all() == (samples in (None, 3000))


@pytest.mark.parametrize("samples", [None, 3000, 60, 5])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 1.0])
def test_logistic(samples: int | None, share: float) -> None:
    fitted = designs(samples)
    won = np.random.default_rng(1).random(len(fitted.start)) < share
    solution = logistic_all(fitted, fitted.grid(won))
    for design, part, v in zip(documents(fitted), alone(fitted, won), fitted.split(solution), strict=True):
        np.testing.assert_allclose(v, logistic(design, part.astype(bool)), atol=1e-10, rtol=1e-10)


@pytest.mark.parametrize("samples", [None, 60])
def test_logistic_is_optimal(samples: int | None) -> None:
    """The gradient vanishes, though the loss is worth thousands: written out with Z itself."""
    design = designs(samples, (30,)).alone(0)
    won = np.random.default_rng(2).random(len(design.start)) < 0.3
    v = logistic(design, won)
    sigma = 1.0 / (1.0 + np.exp(-dense(design) @ v))
    gradient = dense(design).T @ (design.weight * (sigma - won)) + v
    assert np.abs(gradient).max() <= 1e-10


@given(st.lists(st.integers(1, 9), min_size=1, max_size=5), st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_products_without_the_matrix(lengths: list[int], seed: int) -> None:
    """Z v, Z^T r and Z^T W Z are those of the block-diagonal Z that is never made."""
    randomness = np.random.default_rng(seed)
    fitted = Designs.drawn(lengths, 20, randomness.integers(0, 2**64, (len(lengths), 2), dtype=np.uint64))
    N = sum(lengths)
    Z = np.zeros((LONGEST, N, N))
    for document, start, size in zip(fitted.document, fitted.start, fitted.size, strict=True):
        first = fitted.offset[document] + start
        Z[size - 1, first, first : first + size] = 1.0
    drawn = fitted.weight > 0
    v, r = randomness.normal(size=N), np.where(drawn, randomness.normal(size=drawn.shape), 0.0)
    np.testing.assert_allclose(np.where(drawn, applied(v), 0.0), Z @ v, atol=1e-12)
    np.testing.assert_allclose(collected(r), np.einsum("lnt,ln->t", Z, r), atol=1e-12)
    dense = np.einsum("lns,ln,lnt->st", Z, fitted.weight, Z)
    for k, band in enumerate(gram(fitted.weight)):
        np.testing.assert_allclose(band[: N - k], np.diagonal(dense, -k), atol=1e-12)
        assert not np.any(band[N - k :])


def test_a_documents_random_numbers_are_its_own() -> None:
    """Whoever is asked before it, and however many numbers are drawn from them."""
    ids = Sequences.of([[1], [2], [3]])
    questions = Questions(Batch(ids, ids.lengths), torch.zeros(3, dtype=torch.long), ("a", "b", "c"), 5)
    alone = [questions.randomness(row, "x").random(7) for row in (2, 0, 1)]
    for expected, chance in zip(alone, questions.each_randomness([2, 0, 1], "x"), strict=True):
        np.testing.assert_array_equal(chance.random(7), expected)
        chance.integers(0, 9, 3, dtype=np.uint32)
    assert len({tuple(numbers) for numbers in alone}) == 3
    assert not np.array_equal(questions.randomness(0, "y").random(7), questions.randomness(0, "x").random(7))


@pytest.mark.parametrize("samples", [None, 3000, 5])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 1.0])
def test_logistic_without_the_kernel(samples: int | None, share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    fitted = designs(samples)
    label = fitted.grid(np.random.default_rng(3).random(len(fitted.start)) < share)
    expected = logistic_all(fitted, label)
    monkeypatch.setattr(kernels, "library", lambda: None)
    np.testing.assert_allclose(logistic_all(fitted, label), expected, atol=1e-10, rtol=1e-10)
