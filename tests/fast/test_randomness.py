"""Counts of draws: the compiled kernel's are numpy's, number by number, with registers of 64 bytes and of 32."""

from collections.abc import Iterator

import numpy as np
import pytest

from whichword import kernels
from whichword.methods import randomness
from whichword.methods.designs import chances
from whichword.methods.randomness import Chances, generators, multinomials, stream_keys

LENGTHS = tuple(range(1, 61))


def numpys(names: list[str], samples: int, things: list[Chances]) -> np.ndarray:
    pairs = zip(generators(stream_keys(names)), things, strict=True)
    return np.concatenate([generator.multinomial(samples, chance.p) for generator, chance in pairs])


@pytest.fixture(params=["_kernels_wide.so", "_kernels.so"])
def compiled(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One of the libraries; what was found out with the other is forgotten."""
    caches = (kernels.library, kernels._function, randomness._agrees)
    monkeypatch.setattr(kernels, "LIBRARIES", [path for path in kernels.LIBRARIES if path.name == request.param])
    for cache in caches:
        cache.cache_clear()
    if kernels.library() is None:
        pytest.skip("this machine cannot run them")
    yield
    for cache in caches:
        cache.cache_clear()


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("samples", [1, 10, 300, 3000, 100_000])
def test_the_kernel_draws_what_numpy_draws(samples: int) -> None:
    """Of short documents most substrings come by rejection, of long ones by inversion; lengths stand in any order."""
    lengths = np.random.default_rng(samples).permutation(np.repeat(LENGTHS, 12)).tolist()
    names, things = [f"{samples} {n}" for n in range(len(lengths))], [chances(length) for length in lengths]
    times, close = randomness._by_kernel(stream_keys(names), samples, things)
    assert close.mean() < 0.01  # these are left to numpy
    expected, start = numpys(names, samples, things), 0
    for chance, doubtful in zip(things, close, strict=True):
        stop = start + len(chance.p)
        if not doubtful:
            np.testing.assert_array_equal(times[start:stop], expected[start:stop])
        start = stop
    np.testing.assert_array_equal(multinomials(stream_keys(names), samples, things), expected)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("samples", [7, 3000, 100_000])
@pytest.mark.parametrize("size", [1, 2, 3, 20])
def test_any_probabilities(samples: int, size: int) -> None:
    """Those above one half are mirrored."""
    dice = np.random.default_rng(size)
    drawn = dice.dirichlet(np.ones(size), 300) + 1e-4
    shares = list(drawn / drawn.sum(1, keepdims=True))
    shares += [np.array([0.9, *[0.1 / (size - 1)] * (size - 1)]) for _ in range(20 if size > 1 else 0)]
    things, names = [Chances.of(p) for p in shares], list(map(str, range(len(shares))))
    np.testing.assert_array_equal(multinomials(stream_keys(names), samples, things), numpys(names, samples, things))


@pytest.mark.usefixtures("compiled")
def test_the_kernel_is_asked() -> None:
    assert randomness._usable()


def test_documents_that_are_not_certain_are_numpys(monkeypatch: pytest.MonkeyPatch) -> None:
    names, things = ["a", "b", "c"], [chances(length) for length in (4, 9, 30)]
    expected = numpys(names, 3000, things)
    sizes = [len(chance.p) for chance in things]

    def doubtful(*_: object) -> tuple[np.ndarray, np.ndarray]:
        return np.where(np.repeat([0, 1, 0], sizes), -1, expected), np.array([0, 1, 0])

    monkeypatch.setattr(randomness, "_usable", lambda: True)
    monkeypatch.setattr(randomness, "_by_kernel", doubtful)
    np.testing.assert_array_equal(multinomials(stream_keys(names), 3000, things), expected)


def test_a_numpy_that_draws_otherwise_is_left_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    names, things = ["a", "b"], [chances(7), chances(30)]
    expected = numpys(names, 3000, things)
    if kernels.library() is None:
        pytest.skip("the kernels were not built")
    randomness._agrees.cache_clear()
    monkeypatch.setattr(randomness, "generators", lambda keys: generators(keys[:, ::-1]))
    assert not randomness._usable()
    np.testing.assert_array_equal(
        multinomials(np.ascontiguousarray(stream_keys(names)[:, ::-1]), 3000, things), expected
    )
    randomness._agrees.cache_clear()


@pytest.mark.parametrize("samples", [10, 3000, 200_000])
def test_without_the_kernel(samples: int, monkeypatch: pytest.MonkeyPatch) -> None:
    names, things = ["a", "b"], [chances(7), chances(30)]
    monkeypatch.setattr(kernels, "library", lambda: None)
    np.testing.assert_array_equal(multinomials(stream_keys(names), samples, things), numpys(names, samples, things))


def test_of_no_document_nothing() -> None:
    assert len(multinomials(stream_keys([]), 3000, [])) == 0
