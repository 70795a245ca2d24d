"""A model whose truth is known: TF-IDF and logistic regression as the linear network.

s(k) = b_k + sum_t idf(x_t) W[k, x_t] with raw counts and no normalisation of texts: the share of a word is its
coefficient times its idf, and a method that must be exact on a linear model has to give it back.
"""

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from whichword.networks import Config, Network
from whichword.networks.checkpoint import save
from whichword.text import Vocabulary
from whichword.types import Corpus


def build_linear(corpus: Corpus, folder: Path, words: int = 20_000) -> Path:
    """Fit on the train part and write the network; what is in the folder already is left as it is."""
    if not (folder / "config.json").is_file():
        vectorizer = TfidfVectorizer(analyzer=_ready_made, max_features=words, norm=None)
        counts = vectorizer.fit_transform([document.words for document in corpus.train])
        fit = LogisticRegression(max_iter=500, C=0.01).fit(counts, [document.label for document in corpus.train])
        save(as_network(vectorizer, fit), folder)
    return folder


def _ready_made(words: tuple[str, ...]) -> tuple[str, ...]:
    """Words as our corpora have them."""
    return words


def as_network(vectorizer: TfidfVectorizer, fit: LogisticRegression) -> Network:
    """e_t = idf(x_t) W[:, x_t] and a readout that adds the dimensions up; a word that was not seen in training is 0."""
    shares = _per_class(fit.coef_) * vectorizer.idf_  # [K, V]
    K = len(fit.classes_)
    network = Network(Config("linear", tuple(map(str, fit.classes_)), K, K), _vocabulary(vectorizer))
    with torch.no_grad():
        network.embedding.zero_()
        network.embedding[:-1] = torch.from_numpy(np.ascontiguousarray(shares.T))
        network.w.copy_(torch.eye(K))
        network.readout_b.copy_(torch.from_numpy(_per_class(fit.intercept_[:, None])[:, 0]))
    return network


def _per_class(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """A row per class: of two classes scikit-learn keeps only z, the score of the second, so they get -z/2 and z/2."""
    return np.concatenate([-rows, rows]) / 2 if len(rows) == 1 else rows


def _vocabulary(vectorizer: TfidfVectorizer) -> Vocabulary:
    return Vocabulary(tuple(map(str, vectorizer.get_feature_names_out())))
