"""What counts as right in training: the class that everything else in the product would name."""

import pytest
import torch

import whichword
from whichword.networks import Config, Network
from whichword.text import Vocabulary, content_key
from whichword.training.batches import Examples, accuracy
from whichword.types import Document

CLASSES = tuple(f"class{k}" for k in range(9))
WORDS = tuple(f"w{i}" for i in range(20))
COUNT = 120


def documents() -> list[Document]:
    """Of 1 to 12 words; each class is the label of as many of them."""
    texts = [tuple(WORDS[(7 * i + t * t) % 20] for t in range(1 + i % 12)) for i in range(COUNT)]
    return [Document(content_key(str(i)), words, CLASSES[0]) for i, words in enumerate(texts)]


def tied(dtype: torch.dtype, first: int, last: int) -> Network:
    """Linear, in whole numbers, so that no sum is rounded: the classes from ``first`` to ``last`` have one score."""
    config = Config("linear", CLASSES, 6, 6)
    network = Network.of(config, Vocabulary(WORDS)).to(dtype).requires_grad_(False)
    chance = torch.Generator().manual_seed(0)
    for value in network.arrays().values():
        value.data.copy_(torch.randint(-2, 3, value.shape, generator=chance))
    network.w[first : last + 1], network.readout_b[first : last + 1] = network.w[first].clone(), 9.0
    return network


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(("first", "last"), [(0, 8), (0, 1), (3, 6), (7, 8), (5, 5)])
@pytest.mark.parametrize("batch_words", [1, 16384])
def test_of_equal_scores_the_first_is_the_prediction(
    dtype: torch.dtype, first: int, last: int, batch_words: int
) -> None:
    network, asked = tied(dtype, first, last), documents()
    answers = whichword.explain(network, [document.words for document in asked], ["random"])
    predicted = [CLASSES.index(answer.predicted) for answer in answers]
    assert first in predicted
    assert not set(predicted) & set(range(first + 1, last + 1))
    for k in range(len(CLASSES)):
        examples = Examples(tuple(network.vocabulary.ids(document.words) for document in asked), (k,) * COUNT)
        assert accuracy(network, examples, batch_words) == predicted.count(k) / COUNT
