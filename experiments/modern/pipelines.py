"""scikit-learn as people use it, behind a function: spelled ``experiments.modern.pipelines:docstrings``."""

from typing import Any

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from whichword.corpora import read_corpus


def docstrings() -> Any:
    """TF-IDF of texts and logistic regression, fitted when asked for: it takes a second."""
    train = read_corpus("docstrings").train
    pipeline = make_pipeline(TfidfVectorizer(sublinear_tf=True), LogisticRegression(max_iter=500, C=10.0))
    return pipeline.fit([document.text for document in train], [document.label for document in train])
