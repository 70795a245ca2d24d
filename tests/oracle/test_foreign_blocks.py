"""A BERT-like and a GPT-like block and a stack of convolutions: every method agrees with the slow transcription."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from block_cases import BertLike, Convolutions, GptLike, bert_oracle, gpt_oracle
from foreign_cases import CLASSES, WORDS, array, shaken
from oracle_blocks import Oracle, deeplift, relevance
from oracle_foreign import METHODS, ForeignText

import whichword
from whichword.models.module import ModuleModel
from whichword.types import Text

TEXTS = [["w3", "w1", "w7", "w1", "w9"], ["w4", "w10", "w6", "w2", "w3", "w8"]]
PIECES = {"w1": [1, 5], "w9": [9, 2, 11], "w10": [10, 0]}  # words of several pieces
BLOCKS = {"bert": BertLike, "gpt": GptLike, "convolutions": Convolutions}
Slow = Callable[[Oracle, np.ndarray, list[int], int], np.ndarray]

BACKWARD: dict[str, Slow] = {
    "lrp": relevance,
    "deeplift": deeplift,
    "lrp[attention=attnlrp]": lambda oracle, E, word, k: relevance(oracle, E, word, k, attnlrp=True),
}


def by_word(slow: Slow) -> Slow:
    def summed(oracle: Oracle, E: np.ndarray, word: list[int], k: int) -> np.ndarray:
        return ForeignText(oracle.scores, E, word, k).by_word(slow(oracle, E, word, k))

    return summed


def by_scores(name: str) -> Slow:
    return lambda oracle, E, word, k: METHODS[name](ForeignText(oracle.scores, E, word, k))


def agree(model: ModuleModel, oracle: Oracle, methods: dict[str, Slow], texts: Sequence[Sequence[str]]) -> None:
    for answer, text in zip(whichword.explain(model, texts, list(methods)), texts, strict=True):
        reading = model.read(Text(tuple(text), " ".join(text)))
        E, word, k = array(model.table)[list(reading.ids)], list(reading.word), model.about.classes.index(answer.target)
        np.testing.assert_allclose(list(answer.scores.values()), oracle.scores(E), rtol=0, atol=1e-11)
        for method, slow in methods.items():
            truth = slow(oracle, E, word, k)
            atol = 1e-9 * max(1.0, np.abs(truth).max())
            np.testing.assert_allclose(answer.relevance[method], truth, rtol=0, atol=atol, err_msg=method)


def in_pieces(word: str) -> list[int]:
    return PIECES.get(word, [WORDS.index(word)])


@pytest.mark.parametrize("name", BLOCKS)
@pytest.mark.parametrize("seed", [1, 2])
def test_backward_methods(name: str, seed: int) -> None:
    module = shaken(BLOCKS[name](), seed)
    methods = {
        method: by_word(slow) for method, slow in BACKWARD.items() if name != "convolutions" or "[" not in method
    }
    agree(whichword.wrap(module, in_pieces, classes=CLASSES, embedding="words"), module.oracle(), methods, TEXTS)


@pytest.mark.parametrize("name", BLOCKS)
def test_gradients_omission_occlusion_and_limsse(name: str) -> None:
    module = shaken(BLOCKS[name](), 3)
    model = whichword.wrap(module, in_pieces, classes=CLASSES, embedding="words")
    agree(model, module.oracle(), {method: by_scores(method) for method in METHODS}, TEXTS)


def hugging_face(family: str) -> tuple[ModuleModel, Oracle]:
    pytest.importorskip("transformers", reason="needs transformers: pip install 'whichword[transformers]'")
    from tiny_transformers import classifier, tokenizer

    module = classifier(family, num_hidden_layers=1, n_layer=1)
    oracle = {"bert": bert_oracle, "gpt2": gpt_oracle}[family](module, 2)
    return whichword.wrap(module, tokenizer()), oracle


@pytest.mark.parametrize("family", ["bert", "gpt2"])
def test_hugging_faces_own_with_special_pieces(family: str) -> None:
    model, oracle = hugging_face(family)
    backward = {method: by_word(slow) for method, slow in BACKWARD.items()}
    agree(model, oracle, backward | {method: by_scores(method) for method in METHODS}, TEXTS)
