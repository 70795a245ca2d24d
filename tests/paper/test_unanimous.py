"""Sentences whose substrings all get one class, beside a count substring by substring."""

from itertools import islice

import pytest
import torch
from experiments.paper.unanimous import FITS, all_alike, counts

import whichword
from whichword.corpora import read_corpus
from whichword.games import GAMES
from whichword.networks import Config, Network
from whichword.text import Vocabulary
from whichword.types import Item


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return list(islice(GAMES["agreement"].items(read_corpus("grammar[sentences=300]").test, 0), 40))


@pytest.fixture(scope="module")
def network(items: list[Item]) -> Network:
    """Leans to one class, so that both kinds of sentences occur."""
    torch.manual_seed(3)
    words = tuple(sorted({word for item in items for word in item.words}))
    network = Network.of(Config("lstm", ("singular", "plural"), 4, 3), Vocabulary(words)).requires_grad_(False)
    network.embedding.data.normal_(std=2.0)
    network.w.data.mul_(2.0)
    return network


def alone(network: Network, item: Item) -> bool:
    texts = [[*item.words[start : start + size]] for size in range(1, 7) for start in range(len(item.words) - size + 1)]
    return len({explanation.predicted for explanation in whichword.explain(network, texts, "last")}) == 1


def test_alike_as_counted_one_by_one(network: Network, items: list[Item]) -> None:
    expected = [alone(network, item) for item in items]
    assert {*expected} == {True, False}
    assert all_alike(network, items) == expected


def test_counts_are_of_the_sentences_that_are_right(network: Network, items: list[Item]) -> None:
    found = counts(network, items)
    explanations = whichword.explain(network, items, FITS)
    right = [(i, e) for i, e in zip(items, explanations, strict=True) if e.predicted == i.gold]
    assert sum(count.sentences for count in found.values()) == len(right) > 0
    unanimous = [(item, explanation) for item, explanation in right if alone(network, item)]
    assert found["one class"].sentences == len(unanimous)
    for fit in FITS:
        assert found["one class"].hits[fit] == sum(e.rmax(fit) in i.targets for i, e in unanimous)
