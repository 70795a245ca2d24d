"""Each contestant gives what a direct call of its library gives on the same model and text."""

import re
import warnings
from typing import Any

import numpy as np
import pytest
import torch
from foreign_modules import CLASSES, WORDS, Recurrent, shaken
from perceptron import Perceptron
from torch import Tensor

import whichword
from whichword.extras.contestants.peer import seed_of, seeded
from whichword.methods import Questions
from whichword.model import Batch
from whichword.types import Text

for name in ("captum", "shap", "lime"):
    pytest.importorskip(name, reason="needs the contestants: pip install 'whichword[contestants]'")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from direct_calls import BY_SWITCHES, BY_VECTORS, Behind, by_partition, switched

TEXT = [WORDS[i] for i in (3, 7, 1, 7, 12, 5)]


def recurrent(module: Recurrent, e: Tensor) -> Tensor:
    return module.out(module.rnn(e)[0][:, -1])


def bert(module: Any, e: Tensor) -> Tensor:
    return module(inputs_embeds=e, attention_mask=torch.ones(e.shape[:2], dtype=torch.long)).logits


def perceptron_case() -> tuple[Any, Any]:
    module = shaken(Perceptron())
    return whichword.wrap(module, vocabulary=WORDS, classes=CLASSES), Behind(module, Perceptron.behind)


def recurrent_case() -> tuple[Any, Any]:
    module = shaken(Recurrent("LSTM"))
    return whichword.wrap(module, vocabulary=WORDS, classes=CLASSES), Behind(module, recurrent)


def bert_case() -> tuple[Any, Any]:
    pytest.importorskip("transformers")
    from tiny_transformers import classifier, tokenizer

    module = classifier("bert")
    return whichword.wrap(module, tokenizer()), Behind(module, bert)


CASES = {"perceptron": perceptron_case, "lstm": recurrent_case, "bert": bert_case}
MISSING = {("lstm", "captum:LRP"), ("bert", "captum:LRP")}


class Asked:
    """A case with everything that a direct call takes."""

    def __init__(self, case: str) -> None:
        self.model, self.forward = CASES[case]()
        reading = self.model.read(Text(tuple(TEXT), " ".join(TEXT)))
        batch = Batch.of([reading])
        with torch.no_grad():
            self.e = self.model.embed(batch)
            self.k = int(self.model.score(batch)[0].argmax())
        self.word = batch.word_of[0]
        self.baseline = torch.where((self.word >= 0)[None, :, None], 0.0, self.e)
        self.questions = Questions(batch, torch.tensor([self.k]))

    def relevance(self, name: str) -> Any:
        explanation = whichword.explain(self.model, [TEXT], [name])[0]
        assert not explanation.notes
        return explanation.relevance[name]


@pytest.fixture(scope="module", params=CASES)
def asked(request: pytest.FixtureRequest) -> Asked:
    return Asked(request.param)


@pytest.mark.parametrize("name", BY_VECTORS)
def test_methods_that_go_back(asked: Asked, name: str, request: pytest.FixtureRequest) -> None:
    if (request.node.callspec.params["asked"], name) in MISSING:
        with pytest.raises(whichword.InputError, match=r"captum says TypeError: Module of type .* has no rule"):
            asked.relevance(name)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        direct = BY_VECTORS[name](asked.forward, asked.e, asked.baseline, asked.k, 0).detach().sum(-1)[0]
    by_word = [float(direct[asked.word == t].sum()) for t in range(len(TEXT))]
    np.testing.assert_allclose(asked.relevance(name), by_word, rtol=0, atol=1e-6)
    assert np.abs(by_word).max() > 1e-3


PURPOSES = {"shap:permutation": "ShapPermutation", "lime[output=s,samples=300]": "lime"}


@pytest.mark.parametrize("name", BY_SWITCHES)
def test_methods_that_switch_words(asked: Asked, name: str) -> None:
    score = switched(asked.forward, asked.e, asked.baseline, asked.word, asked.k)
    seed = seed_of(asked.questions, PURPOSES.get(name, name.partition(":")[2]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        direct = BY_SWITCHES[name](score, len(TEXT), seed)
    np.testing.assert_allclose(asked.relevance(name), np.asarray(direct).reshape(-1), rtol=0, atol=1e-6)


def test_partition(asked: Asked) -> None:
    score = switched(asked.forward, asked.e, asked.baseline, asked.word, asked.k)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        direct = by_partition(score, TEXT)
    np.testing.assert_allclose(asked.relevance("shap:partition"), direct, rtol=0, atol=1e-6)
    assert np.abs(direct).max() > 1e-3


def test_partition_on_a_function_of_texts() -> None:
    """shap's own text masker, with the words as its tokens; words that are off count for nothing."""
    import shap

    def weight(text: str) -> float:
        return sum(len(word) * (1 + (word > "m")) for word in set(re.findall(r"\w+", text))) / 9

    def classify(texts: Any) -> Any:
        p = np.array([1 / (1 + np.exp(-weight(text))) for text in texts])
        return np.stack([p, 1 - p], 1)

    text = "the film was not very good and nobody came"
    model = whichword.wrap(classify, classes=["a", "b"])
    masker = shap.maskers.Text(r"\s+")
    with seeded(0):
        direct = shap.explainers.Partition(lambda texts: np.log(classify(texts)), masker)([text], silent=True)
    (explanation,) = whichword.explain(model, [text.split()], ["shap:partition"])
    k = ["a", "b"].index(explanation.predicted)
    np.testing.assert_allclose(explanation.relevance["shap:partition"], direct.values[0][:, k], atol=1e-6)
