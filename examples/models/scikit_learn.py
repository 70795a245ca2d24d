"""A pipeline of scikit-learn's: a black box with probabilities. Run me: python examples/models/scikit_learn.py"""

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import whichword

TEXTS = ["a great film", "good and great", "great , not bad", "an awful film", "bad and awful", "not good"]
pipeline = make_pipeline(TfidfVectorizer(), LogisticRegression(C=10.0)).fit(TEXTS, ["good"] * 3 + ["bad"] * 3)

model = whichword.wrap(pipeline)
(answer,) = whichword.explain(model, ["a really great film"])
print(answer.predicted, {method: answer.words[answer.rmax(method)] for method in answer.relevance})
