"""What was computed before models had a contract of their own is computed still."""

from pathlib import Path

import numpy as np
import pytest
from kept_cases import NETWORKS, documents, network, title

import whichword

KEPT = np.load(Path(__file__).with_name("relevances.npz"))
CLOSE = 1e-12  # of the document's largest value; the code is another, so the last bits may be


@pytest.mark.parametrize(("kind", "both"), NETWORKS, ids=[title(*pair) for pair in NETWORKS])
def test_relevances_are_those_of_before(kind: str, both: bool) -> None:
    explanations = whichword.explain(network(kind, both), documents(), "all")
    name, ends = title(kind, both), np.cumsum([len(each.words) for each in explanations])[:-1]
    assert len(explanations) == 40
    for explanation, scores in zip(explanations, KEPT[f"{name} scores"], strict=True):
        np.testing.assert_allclose(list(explanation.scores.values()), scores, rtol=CLOSE, atol=CLOSE)
    methods = [key.removeprefix(f"{name} ") for key in KEPT.files if key.startswith(f"{name} ")]
    methods.remove("scores")
    assert len(methods) == (21 if kind in ("cnn", "linear") else 22)
    for method in methods:
        for explanation, kept in zip(explanations, np.split(KEPT[f"{name} {method}"], ends), strict=True):
            largest = np.abs(kept).max(initial=1e-300)
            difference = np.abs(explanation.relevance[method] - kept).max(initial=0.0)
            assert difference <= CLOSE * largest, (method, len(kept), difference / largest)
