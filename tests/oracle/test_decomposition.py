"""Cell decomposition on every gated network, by every way through it, is that of the paper's equations."""

import pytest
from agreement_cases import CLASSES, DOCUMENTS, SEEDS, Comparison, words_of, worst
from oracle_methods import Document, decomp
from oracle_networks import read
from oracle_random import random_network

import whichword

GATED = [(kind, both) for kind in ("gru", "lstm", "qgru", "qlstm") for both in (False, True)]


@pytest.mark.parametrize(("kind", "both"), GATED)
def test_of_every_class_it_is_the_oracles(kind: str, both: bool, way: str) -> None:
    network = random_network(kind, bidirectional=both, seed=SEEDS[kind, both])
    model, embedded = Comparison(network, "float64").model, [network.embed(document) for document in DOCUMENTS]
    assert (model.fast is None) == (way == "plain")
    for k, name in enumerate(CLASSES):
        answers = whichword.explain(model, [words_of(document) for document in DOCUMENTS], "decomp", target=name)
        truth = [decomp(Document(network, E, k)) for E in embedded]
        assert worst([answer.relevance["decomp"] for answer in answers], truth) <= 1e-9
        for phi, E in zip(truth, embedded, strict=True):
            assert phi.sum() == pytest.approx(read(network, E).s[k] - network.arrays["readout_b"][k], abs=1e-12)


@pytest.mark.parametrize(("kind", "both"), [*GATED, ("cnn", False), ("linear", False)])
def test_it_is_asked_wherever_it_is_defined(kind: str, both: bool) -> None:
    model = Comparison(random_network(kind, bidirectional=both), "float64").model
    for methods in (None, "all"):
        answer = whichword.explain(model, words_of(DOCUMENTS[3]), methods)[0]
        assert ("decomp" in answer.relevance) == ((kind, both) in GATED)
