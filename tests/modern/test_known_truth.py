"""TF-IDF and logistic regression as a linear network: the same scores, and seven methods that give its truth back."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn", reason="needs scikit-learn")

from experiments.modern.known import as_network, build_linear  # noqa: E402
from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402

import whichword  # noqa: E402
from whichword.corpora import read_corpus  # noqa: E402
from whichword.explanation import Explanation  # noqa: E402

EXACT = ("grad_1_s_dot", "grad_int_s_dot", "omit_1", "occ_1")
EPSILON = 1e-3  # of LRP and DeepLIFT: it takes a share of every sum, the same from every word


@cache
def fitted() -> tuple[TfidfVectorizer, LogisticRegression, list[tuple[str, ...]]]:
    corpus = read_corpus("docstrings[largest=30]")
    texts = [document.words for document in corpus.train]
    vectorizer = TfidfVectorizer(analyzer=lambda words: words, norm=None)
    labels = [document.label for document in corpus.train]
    fit = LogisticRegression(max_iter=200, C=0.01).fit(vectorizer.fit_transform(texts), labels)
    return vectorizer, fit, [document.words for document in corpus.test[:20]]


def test_the_network_scores_as_the_regression_does() -> None:
    vectorizer, fit, texts = fitted()
    expected = fit.decision_function(vectorizer.transform(texts))
    explanations = whichword.explain(as_network(vectorizer, fit), texts, "random")
    scores = [list(explanation.scores.values()) for explanation in explanations]
    np.testing.assert_allclose(scores, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("method", EXACT)
def test_methods_that_must_be_exact_give_the_coefficients_back(method: str) -> None:
    for explanation, truth in explained(method):
        np.testing.assert_allclose(explanation.relevance[method], truth, rtol=0, atol=1e-5 * np.abs(truth).max())


@pytest.mark.parametrize("method", ["lrp", "deeplift"])
def test_rules_give_them_back_but_for_epsilon(method: str) -> None:
    for explanation, truth in explained(method):
        phi = explanation.relevance[method]
        factor = float(phi @ truth / (truth @ truth))
        np.testing.assert_allclose(phi, factor * truth, rtol=0, atol=1e-5 * np.abs(truth).max())
        smallest = min(abs(truth.sum()), abs(explanation.scores[explanation.target]))
        assert abs(1.0 - factor) <= 2 * EPSILON / smallest


def explained(method: str) -> Iterator[tuple[Explanation, np.ndarray]]:
    """Explanations, and the coefficient times idf of every word for the class that they explain."""
    vectorizer, fit, texts = fitted()
    rows = vectorizer.vocabulary_
    for explanation in whichword.explain(as_network(vectorizer, fit), texts, method):
        shares = fit.coef_[list(fit.classes_).index(explanation.target)] * vectorizer.idf_
        yield explanation, np.array([shares[rows[word]] if word in rows else 0.0 for word in explanation.words])


def test_what_is_built_is_left_as_it_is(tmp_path: Path) -> None:
    corpus = read_corpus("docstrings[largest=30]")
    folder = build_linear(corpus, tmp_path / "linear", words=50)
    before = (folder / "weights.safetensors").stat().st_mtime_ns
    build_linear(corpus, folder)
    assert (folder / "weights.safetensors").stat().st_mtime_ns == before
    assert whichword.load(str(folder)).about.classes == corpus.classes


def test_two_classes_have_opposite_shares_and_the_regressions_probabilities() -> None:
    vectorizer, _, texts = fitted()
    counts = vectorizer.transform(texts)
    half = ["long" if len(words) > 20 else "short" for words in texts]
    fit = LogisticRegression(max_iter=200).fit(counts, half)
    for explanation, expected in zip(
        whichword.explain(as_network(vectorizer, fit), texts, "grad_1_s_dot"), fit.predict_proba(counts), strict=True
    ):
        scores = np.array([explanation.scores[name] for name in fit.classes_])
        np.testing.assert_allclose(scores, [-scores[1], scores[1]], rtol=1e-5)
        np.testing.assert_allclose(np.exp(scores) / np.exp(scores).sum(), expected, rtol=1e-4, atol=1e-6)
