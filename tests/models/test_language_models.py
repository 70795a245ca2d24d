"""Language models in the agreement game: the two forms of a verb, scored by the difference of their logits."""

from typing import Any

import numpy as np
import pytest
import torch

pytest.importorskip("transformers", reason="needs transformers: pip install 'whichword[transformers]'")

from foreign_modules import shaken
from tiny_tokenizers import byte_level, wordpiece
from tiny_transformers import config_of
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM

import whichword
from whichword.model import Batch
from whichword.models.language import LanguageModel, VerbFormsError
from whichword.reading import Edits
from whichword.types import Document

FORMS = {"singular": "is", "plural": "are"}
PREFIX = ("the", "key", "to", "the", "cabinets")


def document(words: tuple[str, ...] = PREFIX, **forms: str) -> Document:
    return Document("key", words, "singular", facts=FORMS | forms)


def tokenizer_of(family: str) -> Any:
    return wordpiece() if family == "bert" else byte_level(begins=family == "llama")


def module_of(family: str) -> Any:
    kind = AutoModelForMaskedLM if family == "bert" else AutoModelForCausalLM
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return shaken(kind.from_config(config_of(family, vocab_size=len(tokenizer_of(family)))))


def model_of(family: str, **settings: Any) -> tuple[Any, LanguageModel]:
    module = module_of(family)
    model = whichword.wrap(module, tokenizer_of(family), task="agreement", **settings)
    assert isinstance(model, LanguageModel)
    model.unrounded = family == "llama"
    return module, model


def logits_of(family: str, module: Any, ids: list[int]) -> np.ndarray:
    """l of the two forms' first pieces after the last piece, or at the mask."""
    pieces = tokenizer_of(family)
    with torch.no_grad():
        output = module(input_ids=torch.tensor([ids])).logits[0]
    place = ids.index(pieces.mask_token_id) if family == "bert" else -1
    firsts = {"bert": ["is", "are"]}.get(family, ["\u0120is", "\u0120are"])
    return output[place, pieces.convert_tokens_to_ids(firsts)].numpy()


FAMILIES = ["gpt2", "llama", "bert"]


@pytest.mark.parametrize("family", FAMILIES)
def test_the_score_is_half_the_difference_of_the_logits(family: str) -> None:
    module, model = model_of(family)
    reading = model.read(document())
    singular, plural = logits_of(family, module, list(reading.ids))
    s = model.score(Batch.of([reading]))[0].numpy()
    np.testing.assert_allclose(s, [(singular - plural) / 2, (plural - singular) / 2], rtol=0, atol=1e-5)
    _, by_logit = model_of(family, score="logit")
    np.testing.assert_allclose(by_logit.score(Batch.of([reading]))[0].numpy(), [singular, plural], rtol=0, atol=1e-5)


def test_what_is_read() -> None:
    """X is the prefix, with the model's own specials; a masked model's mask is no word's, and nothing ends a text."""
    for family in FAMILIES:
        pieces, (_, model) = tokenizer_of(family), model_of(family)
        reading = model.read(document())
        of_text = [i for i, t in zip(reading.ids, reading.word, strict=True) if t >= 0]
        assert of_text == pieces(" ".join(PREFIX), add_special_tokens=False)["input_ids"]
        outside = [pieces.convert_ids_to_tokens(i) for i, t in zip(reading.ids, reading.word, strict=True) if t < 0]
        assert outside == {"gpt2": [], "llama": ["<|end|>"], "bert": ["[CLS]", "[MASK]", "[SEP]"]}[family]
        assert set(reading.word) - {-1} == set(range(5))


@pytest.mark.parametrize("family", FAMILIES)
def test_edits_drop_pieces_of_the_prefix_and_nothing_else(family: str) -> None:
    module, model = model_of(family)
    reading = model.read(document())
    rows = torch.zeros(5, dtype=torch.long)
    for kind in ("cut", "crop"):
        edits = Edits(kind, rows, torch.arange(5), torch.arange(5) + 1)
        scores = model.score_edits(Batch.of([reading]), edits).numpy()
        for t in range(5):
            gone = {t} if kind == "cut" else set(range(5)) - {t}
            ids = [i for i, w in zip(reading.ids, reading.word, strict=True) if w not in gone]
            singular, plural = logits_of(family, module, ids)
            np.testing.assert_allclose(scores[t, 0], (singular - plural) / 2, rtol=0, atol=1e-5)


@pytest.mark.parametrize("family", FAMILIES)
def test_all_methods_answer_and_the_classes_are_each_others_negatives(family: str) -> None:
    _, model = model_of(family)
    documents = [document(), document(("the", "keys"), singular="was", plural="have"), document(("it", "was", "the"))]
    pairs = [whichword.explain(model, documents, target=number) for number in ("singular", "plural")]
    for singular, plural in zip(*pairs, strict=True):
        assert set(singular.relevance) >= {"lrp", "lrp[attention=attnlrp]", "deeplift", "omit_1", "limsse_ms_s"}
        for method in ("lrp", "lrp[attention=attnlrp]", "deeplift", "grad_1_s_dot", "omit_1", "occ_1"):
            a, b = singular.relevance[method], plural.relevance[method]
            finite = np.isfinite(a)
            np.testing.assert_allclose(a[finite], -b[finite], rtol=0, atol=1e-9 * max(1.0, np.abs(a[finite]).max()))
        account = singular.account("lrp[attention=attnlrp]")
        assert abs(account.gap) <= 1e-9 * max(map(abs, account.shares.values()))


def test_forms_are_told_apart_by_their_first_piece() -> None:
    _, model = model_of("gpt2")
    pieces = byte_level()
    expected = [pieces(f" {form}")["input_ids"][0] for form in ("is", "are", "seen")]
    assert [model.first_piece(form) for form in ("is", "are", "seen")] == expected
    assert pieces.convert_ids_to_tokens(expected[0]).startswith("\u0120")


NOT_TO_BE_ASKED = {
    "seen and seens begin with the same piece": ("gpt2", {"singular": "seen", "plural": "seens"}),
    "is and is begin with the same piece": ("bert", {"plural": "is"}),
    "unbelieving has [0-9]+ pieces: a mask stands for one": ("bert", {"plural": "unbelieving"}),
    "the tokenizer does not know '漢'": ("bert", {"plural": "漢"}),
}


@pytest.mark.parametrize("message", NOT_TO_BE_ASKED)
def test_sentences_that_cannot_be_asked_about_can_be_counted(message: str) -> None:
    """One kind of error for all of them, which callers catch and count."""
    family, forms = NOT_TO_BE_ASKED[message]
    _, model = model_of(family)
    with pytest.raises(VerbFormsError, match=message):
        model.read(document(**forms))
    left_out = 0
    for forms_of_one in ({}, forms, {"singular": "was", "plural": "have"}):
        try:
            model.read(document(**forms_of_one))
        except VerbFormsError:
            left_out += 1
    assert left_out == 1


def test_a_text_without_forms() -> None:
    _, model = model_of("gpt2")
    with pytest.raises(VerbFormsError, match="the verb's singular form is not known: a document's facts have to name"):
        whichword.explain(model, ["the key to the cabinets"], "lrp")


def test_long_prefixes_keep_their_mask() -> None:
    _, model = model_of("bert")
    long = document(tuple(["the", "key", "to", "the", "cabinets"] * 20))
    reading = model.read(long)
    pieces = tokenizer_of("bert")
    assert len(reading.ids) == 64
    assert pieces.convert_ids_to_tokens(reading.ids[-2:]) == ["[MASK]", "[SEP]"]
    assert reading.seen < len(long.words)


def test_a_mask_in_the_text_is_not_the_one_that_is_asked_about() -> None:
    module, model = model_of("bert")
    reading = model.read(document(("the", "[MASK]", "was", "good")))
    pieces = tokenizer_of("bert")
    place = len(reading.ids) - 2
    with torch.no_grad():
        output = module(input_ids=torch.tensor([list(reading.ids)])).logits[0]
    logits = output[place, pieces.convert_tokens_to_ids(["is", "are"])]
    s = float(model.score(Batch.of([reading]))[0, 0])
    assert s == pytest.approx(float(logits[0] - logits[1]) / 2, abs=1e-9)


BAD = {
    "score must be one of difference, logit, not 'p'": lambda module: whichword.wrap(
        module, byte_level(), task="agreement", score="p"
    ),
    "no task is called 'riddles'; known: agreement": lambda module: whichword.wrap(
        module, byte_level(), task="riddles"
    ),
    "the model's tokenizer is needed": lambda module: whichword.wrap(module, task="agreement"),
    "a language model has no setting 'classes'": lambda module: whichword.wrap(
        module, byte_level(), task="agreement", classes=["a", "b"]
    ),
    "in training mode": lambda module: whichword.wrap(module.train(), byte_level(), task="agreement"),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input_is_one_line(message: str) -> None:
    with pytest.raises(whichword.InputError, match=message):
        BAD[message](module_of("gpt2"))
