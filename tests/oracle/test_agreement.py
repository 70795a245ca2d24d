"""Every method on every network agrees with the slow transcription of the paper."""

import numpy as np
import pytest
import torch
from agreement_cases import (
    CLASSES,
    DOCUMENTS,
    EVERY_METHOD,
    SEEDS,
    UNKNOWN,
    Case,
    Comparison,
    defined,
    tolerance,
    words_of,
    worst,
)
from oracle_limsse import limsse_bb, limsse_ms
from oracle_methods import METHODS, Document
from oracle_networks import read
from oracle_propagation import deeplift, lrp
from oracle_random import windows_differ

import whichword
from whichword.methods import Questions
from whichword.methods.limsse import substrings
from whichword.model import Batch
from whichword.sequences import Sequences

NETWORKS = [pytest.param(pair, id=f"{'bi' if pair[1] else ''}{pair[0]}") for pair in SEEDS]
PAIRS = [
    pytest.param(pair, method, id=f"{'bi' if pair[1] else ''}{pair[0]}-{method}")
    for pair in SEEDS
    for method in defined(pair[0])
]
both_precisions = pytest.mark.parametrize("precision", ["float64", "float32"])
every_network = pytest.mark.parametrize("case", NETWORKS, indirect=True)


@pytest.fixture(scope="module")
def every_case() -> dict[tuple[str, bool], Case]:
    """Each network once, for all tests: what a case has computed it keeps."""
    return {pair: Case.of(*pair) for pair in SEEDS}


@pytest.fixture
def case(request: pytest.FixtureRequest, every_case: dict[tuple[str, bool], Case]) -> Case:
    return every_case[request.param]


def in_precision(case: Case, precision: str) -> Comparison:
    return getattr(case, precision)


@pytest.mark.parametrize(("case", "method"), PAIRS, indirect=["case"])
@both_precisions
def test_method_agrees_with_the_oracle(case: Case, method: str, precision: str) -> None:
    compared = in_precision(case, precision)
    relevances = [e.relevance[method] for e in compared.explanations]
    assert worst(relevances, compared.expected[method]) <= tolerance(method, precision)


@every_network
@both_precisions
def test_scores_and_predictions_agree(case: Case, precision: str) -> None:
    compared = in_precision(case, precision)
    atol = {"float64": 1e-12, "float32": 1e-5}[precision]
    for explanation, x in zip(compared.explanations, compared.documents, strict=True):
        run = read(x.network, x.E)
        np.testing.assert_allclose([explanation.scores[c] for c in CLASSES], run.s, rtol=0, atol=atol)
        np.testing.assert_allclose([explanation.probabilities[c] for c in CLASSES], run.p, rtol=0, atol=atol)
        assert explanation.predicted == explanation.target == CLASSES[x.k]


@every_network
def test_any_class_can_be_explained(case: Case) -> None:
    compared = case.float64
    short = [n for n, d in enumerate(DOCUMENTS) if 4 <= len(d) <= 7]
    texts = [words_of(DOCUMENTS[n]) for n in short]
    methods = [m for m in defined(compared.network.kind) if m in METHODS]
    k = (compared.documents[short[0]].k + 1) % len(CLASSES)  # not what the first one is predicted to be
    explanations = whichword.explain(compared.model, texts, methods=methods, target=CLASSES[k])
    questions = [Document(compared.network, compared.documents[n].E, k) for n in short]
    assert {e.target for e in explanations} == {CLASSES[k]}
    for method in methods:
        relevances = [e.relevance[method] for e in explanations]
        assert worst(relevances, [METHODS[method](x) for x in questions]) <= 1e-9, method


@pytest.mark.parametrize("case", [n for n in NETWORKS if n.id not in ("cnn", "linear")], indirect=True)
@pytest.mark.parametrize("word", [UNKNOWN, 7])
def test_one_word_over_and_over(case: Case, word: int) -> None:
    """Twelve equal words, all unknown or all known; on the CNN their windows would tie."""
    compared = case.float64
    (explanation,) = whichword.explain(compared.model, [words_of([word] * 12)], methods=list(METHODS), target="a")
    x = Document(compared.network, compared.network.embed([word] * 12), 0)
    for method in METHODS:
        truth = METHODS[method](x)
        atol = 1e-9 * max(1.0, np.abs(truth).max())
        np.testing.assert_allclose(explanation.relevance[method], truth, rtol=0, atol=atol, err_msg=method)


FITS = {
    "limsse_bb": limsse_bb,
    "limsse_ms_s": lambda sub, counts: limsse_ms(sub, "s", counts),
    "limsse_ms_p": lambda sub, counts: limsse_ms(sub, "p", counts),
}


@every_network
@pytest.mark.parametrize(("samples", "precision"), [(50, "float64"), (50, "float32"), (3000, "float64")])
def test_limsse_agrees_on_the_same_draws(case: Case, samples: int, precision: str) -> None:
    """50 draws leave words of the long documents undetermined: the minimum-norm answer."""
    compared = in_precision(case, precision)
    named = {f"{fit}[samples={samples}]": solve for fit, solve in FITS.items()}
    explanations = whichword.explain(compared.model, [words_of(d) for d in DOCUMENTS], methods=list(named), seed=4)
    counts = [counts_of(d, e.key, samples) for d, e in zip(DOCUMENTS, explanations, strict=True)]
    for name, solve in named.items():
        expected = [solve(x.substrings, n) for x, n in zip(compared.documents, counts, strict=True)]
        relevances = [e.relevance[name] for e in explanations]
        assert worst(relevances, expected) <= tolerance(name, precision), name


def counts_of(document: list[int], key: str, samples: int) -> dict[tuple[int, int], int]:
    """How often each (first word, length), counted from 1, is drawn for this document with seed 4."""
    if not document:
        return {}
    ids = Sequences.of([document])
    questions = Questions(Batch(ids, ids.lengths), torch.zeros(1, dtype=torch.long), (key,), 4)
    drawn = substrings(questions, [0], samples).alone(0)
    spans = zip(drawn.start, drawn.stop, drawn.weight, strict=True)
    counts = {(int(a) + 1, int(b - a)): int(n) for a, b, n in spans}
    assert sum(counts.values()) == samples
    return counts


@every_network
def test_the_chosen_networks_leave_no_room_for_doubt(case: Case) -> None:
    """From the oracle alone: no sum, tie or label is near enough to a jump for float32 to fall over it."""
    for x in case.float64.documents:
        for rule in (lrp, deeplift):
            assert rule(x.network, x.E, x.k)[1].smallest > 4e-5
        assert x.substrings.margin > 5e-5
    for method, expected in case.float64.expected.items():
        moved = worst(case.float32.expected[method], expected)
        assert moved <= 0.1 * tolerance(method, "float32"), method
        if method.startswith(("omit", "occ")):
            assert all(visible(x, phi) for x, phi in zip(case.float64.documents, expected, strict=True)), method


def visible(x: Document, phi: np.ndarray) -> bool:
    """The largest change of s is at least a fortieth of the terms that s is a sum of."""
    terms = np.abs(x.network.arrays["w"][x.k] * read(x.network, x.E).h).sum()
    return x.T == 0 or np.abs(phi).max() >= 0.025 * (terms + abs(x.network.arrays["readout_b"][x.k]))


def test_the_documents_are_those_that_matter() -> None:
    assert {len(d) for d in DOCUMENTS} >= {0, 1, 2, 3, 4, 5, 6, 7, 12, 31, 60}
    assert all(windows_differ(d) for d in DOCUMENTS)
    assert set(METHODS) <= set(whichword.METHODS)
    assert len(METHODS) == 20
    assert set(EVERY_METHOD) > set(METHODS)
