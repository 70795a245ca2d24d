"""Where classes tie exactly on a substring, LIMSSE-bb takes the first of them for f(Z_n), as f(X) does.

The numbers are such that every sum is exact, in whatever order: read-outs of a single feature, or whole numbers.
"""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import pytest
from agreement_cases import CLASSES, DOCUMENTS, Comparison, tolerance, words_of, worst
from oracle_limsse import limsse_bb
from oracle_methods import Document
from oracle_networks import OracleNetwork, scores
from oracle_random import KINDS, random_arrays, rounded

import whichword

A, B, C = range(3)
TEXTS = [document for document in DOCUMENTS if document]
both_precisions = pytest.mark.parametrize("precision", ["float64", "float32"])


@dataclass(frozen=True)
class TiedCase:
    """A network, what the oracle says of it for every class, and s of all substrings of the documents asked about."""

    network: OracleNetwork

    @cached_property
    def asked(self) -> list[Document]:
        return [Document(self.network, self.network.embed(document), k) for k in (A, B, C) for document in TEXTS]

    @cached_property
    def scores(self) -> list[np.ndarray]:
        spans = [[x.E[a - 1 : a - 1 + n] for a, n in x.substrings.spans] for x in self.asked]
        return [np.array(scores(self.network, parts)) for parts in spans]

    @cached_property
    def expected(self) -> list[np.ndarray]:
        return [limsse_bb(x.substrings) for x in self.asked]

    def relevances(self, precision: str) -> list[np.ndarray]:
        """What the product says of the same documents."""
        model, texts = Comparison(self.network, precision).model, [words_of(document) for document in TEXTS]
        answers = [whichword.explain(model, texts, "limsse_bb", target=name) for name in CLASSES]
        return [answer.relevance["limsse_bb"] for of_class in answers for answer in of_class]


@cache
def two_alike(kind: str, both: bool) -> TiedCase:
    """The scores of the first two classes are one feature, that of the third is another."""
    arrays = random_arrays(kind, bidirectional=both, seed=1)
    arrays["w"], arrays["readout_b"] = np.zeros_like(arrays["w"]), np.zeros(3)
    arrays["w"][[A, B], 0] = arrays["w"][C, 1] = 1.0
    return TiedCase(rounded(OracleNetwork(kind, arrays, both)))


@cache
def whole_numbers(kind: str) -> TiedCase:
    """Any two classes tie now and then, and all three."""
    arrays, chance = random_arrays(kind), np.random.default_rng(16)
    whole = {name: chance.integers(-1, 2, array.shape).astype(float) for name, array in arrays.items()}
    return TiedCase(OracleNetwork(kind, whole))


@both_precisions
@pytest.mark.parametrize(("kind", "both"), KINDS)
def test_the_second_of_two_equal_classes_is_never_predicted(kind: str, both: bool, precision: str, way: str) -> None:
    case = two_alike(kind, both)
    assert worst(case.relevances(precision), case.expected) <= tolerance("limsse_bb", precision)


@both_precisions
@pytest.mark.parametrize("kind", ["linear", "cnn"])
def test_whichever_classes_tie_the_first_is_predicted(kind: str, precision: str, way: str) -> None:
    case = whole_numbers(kind)
    assert worst(case.relevances(precision), case.expected) <= tolerance("limsse_bb", precision)


@pytest.mark.parametrize(("kind", "both"), KINDS)
def test_two_are_alike_and_nothing_else_is_close(kind: str, both: bool) -> None:
    """And the oracle, too, never takes the second one for the prediction."""
    case, won = two_alike(kind, both), np.zeros(3)
    for x, s in zip(case.asked, case.scores, strict=True):
        assert (s[:, A] == s[:, B]).all()
        apart = np.abs(s[:, A] - s[:, C])
        assert ((apart == 0) | (apart > 1e-5)).all()  # none by rounding
        assert (x.substrings.label == {A: s[:, A] >= s[:, C], B: 0, C: s[:, C] > s[:, A]}[x.k]).all()
        won[x.k] += x.substrings.label.sum()
    assert won[A] > 0
    assert won[C] > 0


@pytest.mark.parametrize("kind", ["linear", "cnn"])
def test_every_tie_there_can_be_is_there(kind: str) -> None:
    case, tied = whole_numbers(kind), set[tuple[bool, ...]]()
    for x, s in zip(case.asked, case.scores, strict=True):
        highest = (s == s.max(axis=1, keepdims=True)).tolist()
        assert x.substrings.label.tolist() == [row.index(True) == x.k for row in highest]
        tied |= {tuple(row) for row in highest}
    assert tied >= {(True, True, False), (True, False, True), (False, True, True), (True, True, True)}
