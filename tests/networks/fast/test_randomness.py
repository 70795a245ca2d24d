"""Counts of draws: each document's are numpy's from its own stream, whatever stands beside it."""

import numpy as np
import pytest

from whichword.methods.limsse_fits import chances
from whichword.methods.randomness import generators, multinomials, stream_keys

LENGTHS = (1, 2, 7, 30, 60)


@pytest.mark.parametrize("samples", [1, 300, 3000])
def test_a_document_draws_the_same_alone_and_in_any_batch(samples: int) -> None:
    keys, things = stream_keys(f"document {length}" for length in LENGTHS), [chances(length) for length in LENGTHS]
    alone = [multinomials(keys[[row]], samples, [p]) for row, p in enumerate(things)]
    numpys = [generator.multinomial(samples, p) for generator, p in zip(generators(keys), things, strict=True)]
    np.testing.assert_array_equal(multinomials(keys, samples, things), np.concatenate(alone))
    np.testing.assert_array_equal(multinomials(keys[::-1], samples, things[::-1]), np.concatenate(numpys[::-1]))
    assert [counts.sum() for counts in alone] == [samples] * len(LENGTHS)


def test_of_no_document_nothing() -> None:
    assert len(multinomials(stream_keys([]), 3000, [])) == 0
