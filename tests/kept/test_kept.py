"""What was computed before models had a contract of their own is computed still."""

from pathlib import Path

import numpy as np
import pytest
from kept_cases import NETWORKS, documents, network, title

import whichword
from whichword.networks.arithmetic import arithmetic

KEPT = np.load(Path(__file__).with_name("relevances.npz"))
MADE_BY = Path(__file__).with_name("arithmetic.txt").read_text().strip()
CLOSE = 1e-12  # of what is shared out: the document's largest score or relevance
EDITED = ("omit_", "occ_", "limsse_")
SUMMED_ANEW = ("gru", "bigru", "lstm", "bilstm", "biqgru", "biqlstm")  # since then w h of copies in another order
SHORT = 16  # words: the definitions alone take a minute for all documents

pytestmark = pytest.mark.parametrize(("kind", "both"), NETWORKS, ids=[title(*pair) for pair in NETWORKS])


def compare(explanations: list[whichword.Explanation], name: str, close: float, besides: tuple[str, ...] = ()) -> None:
    """Every score and relevance of the first documents beside the kept one, but of methods that begin so."""
    ends = np.cumsum([len(words) for words in documents()])[:-1]
    scores = KEPT[f"{name} scores"]
    assert scores.shape == (40, 3)
    scale = np.abs(scores).max(1)
    for row, explanation in enumerate(explanations):
        assert np.abs(np.array(list(explanation.scores.values())) - scores[row]).max() <= CLOSE * scale[row]
    for method in (method for method in methods_of(name) if not method.startswith(besides)):
        relevances = np.split(KEPT[f"{name} {method}"], ends)
        for row, explanation in enumerate(explanations):
            largest = max(np.abs(relevances[row]).max(initial=0.0), scale[row])
            difference = np.abs(explanation.relevance[method] - relevances[row]).max(initial=0.0)
            assert difference <= close * largest, (method, len(explanation.words), difference / largest)


def methods_of(name: str) -> list[str]:
    methods = [key.removeprefix(f"{name} ") for key in KEPT.files if key.startswith(f"{name} ")]
    methods.remove("scores")
    assert len(methods) == (21 if name in ("cnn", "linear") else 22)
    return methods


def test_relevances_are_those_of_before(kind: str, both: bool) -> None:
    compare(whichword.explain(network(kind, both), documents(), "all"), title(kind, both), CLOSE)


def test_to_the_last_bit_where_the_way_is_the_same(kind: str, both: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words not looked up in a table, all documents in one batch, as when they were kept."""
    if arithmetic() != MADE_BY:
        pytest.skip(f"kept by {MADE_BY}, this processor is {arithmetic()}: its last bits may be others")
    monkeypatch.setattr(whichword.Network, "prepared", lambda self, words: self)
    explanations = whichword.explain(network(kind, both), documents(), "all", batch_words=4096)
    name = title(kind, both)
    compare(explanations, name, 0.0, besides=EDITED if name in SUMMED_ANEW else ())


def test_by_the_definitions_alone(kind: str, both: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whichword.Network, "shortcuts", staticmethod(lambda network: None))
    short = [words for words in documents() if len(words) <= SHORT]
    assert [len(words) for words in short] == list(range(SHORT + 1))  # the first ones, in their order
    compare(whichword.explain(network(kind, both), short, "all"), title(kind, both), CLOSE)
