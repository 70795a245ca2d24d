"""Hugging Face's classifiers: classes, labels, edits on pieces, long texts, decoders without padding, bad input."""

from typing import Any

import numpy as np
import pytest
import torch

pytest.importorskip("transformers", reason="needs transformers: pip install 'whichword[transformers]'")

from tiny_tokenizers import byte_level, wordpiece
from tiny_transformers import WORDS, classifier, config_of, tokenizer
from transformers import AutoModel, AutoModelForMaskedLM

import whichword
from whichword.model import Batch, Differentiable, Model
from whichword.reading import Edits, WordSets
from whichword.types import Text

FILM = "The  unbelievable film\nwas not good , really"


def own_scores(module: Any, ids: list[int]) -> np.ndarray:
    with torch.no_grad():
        return module(input_ids=torch.tensor([ids])).logits[0].numpy()


def film_model(**settings: Any) -> tuple[Any, Any, Differentiable]:
    """A BERT whose tokenizer cuts words into many pieces."""
    pieces = wordpiece()
    module = classifier("bert", vocab_size=len(pieces), **settings)
    model = whichword.wrap(module, pieces)
    assert isinstance(model, Differentiable)
    return module, pieces, model


def reading_of(model: Model, text: str = FILM) -> Any:
    words, _ = whichword.text.tokenize(text)
    return model.read(Text(words, text))


def test_scores_are_the_models_own() -> None:
    module, pieces, model = film_model()
    (answer,) = whichword.explain(model, [FILM])
    own = own_scores(module, pieces(FILM)["input_ids"])
    np.testing.assert_allclose(list(answer.scores.values()), own, rtol=0, atol=1e-12)
    assert answer.predicted == module.config.id2label[int(own.argmax())]
    assert answer.words == ("The", "unbelievable", "film", "was", "not", "good", ",", "really")
    assert sum(t == 1 for t in reading_of(model).word) > 2  # "unbelievable" has many pieces


def by_hand(model: Differentiable, module: Any, reading: Any, cut: set[int], blank: set[int]) -> np.ndarray:
    """The pieces of the words that go are dropped, those that are blanked have zeros for vectors; nothing else."""
    stays = [(i, t) for i, t in zip(reading.ids, reading.word, strict=True) if t not in cut]
    e = module.get_input_embeddings()(torch.tensor([[i for i, _ in stays]])).detach().clone()
    for p, (_, t) in enumerate(stays):
        if t in blank:
            e[0, p] = 0.0
    with torch.no_grad():
        return module(inputs_embeds=e).logits[0].numpy()


@pytest.mark.parametrize("kind", ["cut", "blank", "crop"])
def test_edits_are_made_on_pieces(kind: str) -> None:
    module, _, model = film_model()
    reading = reading_of(model)
    T = len(reading.words)
    spans = [(a, b) for a in range(T) for b in range(a + 1, T + 1)]
    start, stop = torch.tensor(spans).T
    scores = model.score_edits(Batch.of([reading]), Edits(kind, torch.zeros(len(spans), dtype=torch.long), start, stop))
    for s, (a, b) in zip(scores.numpy(), spans, strict=True):
        inside, everything = set(range(a, b)), set(range(T))
        cut = {"cut": inside, "blank": set(), "crop": everything - inside}[kind]
        expected = by_hand(model, module, reading, cut, inside if kind == "blank" else set())
        np.testing.assert_allclose(s, expected, rtol=0, atol=1e-10)


def test_sets_of_words() -> None:
    module, _, model = film_model()
    reading = reading_of(model)
    chance = np.random.default_rng(1)
    cut, blank = chance.random((6, 8)) < 0.3, chance.random((6, 8)) < 0.3
    edits = WordSets(torch.zeros(6, dtype=torch.long), torch.from_numpy(cut), torch.from_numpy(blank))
    scores = model.score_edits(Batch.of([reading]), edits).numpy()
    for n in range(6):
        gone, zeroed = set(np.flatnonzero(cut[n])), set(np.flatnonzero(blank[n]))
        np.testing.assert_allclose(scores[n], by_hand(model, module, reading, gone, zeroed), rtol=0, atol=1e-10)


def test_specials_stay_at_their_full_value_on_the_way_of_an_integral() -> None:
    """sum over words of grad_int_s_dot -> s(X) - s(X_0) with special pieces as they are in X_0."""
    module, _, model = film_model()
    (answer,) = whichword.explain(model, [FILM], "grad_int_s_dot[steps=300]")
    reading = reading_of(model)
    k = list(answer.scores).index(answer.target)
    nothing = by_hand(model, module, reading, set(), set(range(8)))[k]
    total = answer.relevance["grad_int_s_dot[steps=300]"].sum()
    assert total == pytest.approx(answer.scores[answer.target] - nothing, abs=2e-2)


def test_words_beyond_the_longest_input_are_not_read() -> None:
    _, _, model = film_model(max_position_embeddings=9)
    (answer,) = whichword.explain(model, [FILM])
    reading = reading_of(model)
    assert len(reading.ids) == 9
    assert 0 < reading.seen < 8
    assert (answer.seen, answer.unread) == (reading.seen, 8 - reading.seen)
    for method, values in answer.relevance.items():
        assert len(values) == 8
        assert not values[reading.seen :].any(), method
        assert answer.rmax(method) < reading.seen
    negative = whichword.Explanation(
        answer.words, answer.predicted, answer.target, answer.scores, {"m": -np.ones(8)}, seen=reading.seen
    )
    negative.relevance["m"][reading.seen :] = 0.0
    assert negative.rmax("m") == 0


def test_roberta_counts_positions_behind_the_padding() -> None:
    module = classifier("roberta", max_position_embeddings=9)
    model = whichword.wrap(module, tokenizer())
    (answer,) = whichword.explain(model, [WORDS[:20]], "lrp")
    assert answer.seen == 9 - 1 - 2
    module = classifier("bert", max_position_embeddings=9)
    (answer,) = whichword.explain(whichword.wrap(module, tokenizer()), [WORDS[:20]], "lrp")
    assert answer.seen == 9 - 2


def test_one_logit_is_two_classes() -> None:
    module = classifier("bert", labels=1)
    model = whichword.wrap(module, tokenizer())
    assert model.about.classes == ("negative", "positive")
    pos, neg = (whichword.explain(model, [WORDS[:5]], target=name)[0] for name in ("positive", "negative"))
    z = own_scores(module, [2, 5, 6, 7, 8, 9, 3])[0]
    assert pos.scores == pytest.approx({"negative": -z / 2, "positive": z / 2})
    assert pos.probabilities["positive"] == pytest.approx(1 / (1 + np.exp(-z)))
    for method in ("lrp", "deeplift", "grad_1_s_dot", "occ_1", "limsse_ms_s"):
        np.testing.assert_allclose(pos.relevance[method], -neg.relevance[method], rtol=0, atol=1e-12)
    assert whichword.wrap(module, tokenizer(), classes=["thumbs down", "thumbs up"]).about.classes[1] == "thumbs up"


def test_several_sigmoids_are_two_class_questions() -> None:
    names = {0: "toxic", 1: "insult", 2: "threat"}
    module = classifier("bert", problem_type="multi_label_classification", id2label=names)
    model = whichword.wrap(module, tokenizer(), label="insult")
    assert model.about.classes == ("not insult", "insult")
    (answer,) = whichword.explain(model, [WORDS[:5]], "lrp")
    z = own_scores(module, [2, 5, 6, 7, 8, 9, 3])[1]
    assert answer.scores == pytest.approx({"not insult": -z / 2, "insult": z / 2})
    with pytest.raises(whichword.InputError, match=r"choose one by label=\.\.\.; it has: toxic, insult, threat"):
        whichword.wrap(module, tokenizer())


@pytest.mark.parametrize("family", ["gpt2", "llama"])
def test_a_decoder_without_padding_takes_one_text_at_a_time(family: str) -> None:
    module = classifier(family)
    module.config.pad_token_id = None
    model = whichword.wrap(module, tokenizer(template=False))
    texts = [WORDS[:5], WORDS[10:15], WORDS[7:9]]
    together = whichword.explain(model, texts, ["lrp", "grad_1_s_dot", "omit_1"])
    for answer, text in zip(together, texts, strict=True):
        np.testing.assert_allclose(
            list(answer.scores.values()), own_scores(module, [5 + WORDS.index(w) for w in text]), rtol=0, atol=1e-6
        )
        (alone,) = whichword.explain(model, [text], ["lrp", "grad_1_s_dot", "omit_1"])
        for method, values in alone.relevance.items():
            np.testing.assert_allclose(answer.relevance[method], values, rtol=0, atol=1e-9)


def test_an_empty_text_is_specials_alone() -> None:
    module, pieces, model = film_model()
    (answer,) = whichword.explain(model, [""])
    np.testing.assert_allclose(list(answer.scores.values()), own_scores(module, pieces("")["input_ids"]), atol=1e-12)
    assert all(len(values) == 0 for values in answer.relevance.values())


def test_hostile_texts() -> None:
    pieces = byte_level()
    model = whichword.wrap(classifier("gpt2", vocab_size=len(pieces)), pieces)
    texts = ["  two\n\nlines\t", "😀 👩‍👩‍👧 e\u0301", "x" * 90, "a\u200bb \u0000 c", "<|end|> [SEP] <s>"]
    answers = whichword.explain(model, texts)
    for text, answer in zip(texts, answers, strict=True):
        assert answer.text == text
        for values in answer.relevance.values():
            assert values.shape == (len(answer.words),)
    # "|end|" has no piece of its own, and this model cannot read nothing at all
    assert np.isnan(answers[-1].relevance["limsse_ms_s"]).all()
    assert "cannot read every substring" in answers[-1].notes["limsse_ms_s"]
    assert np.isfinite(answers[-1].relevance["lrp"]).all()


def headless() -> Any:
    return AutoModel.from_config(config_of("bert")).eval()


def masked() -> Any:
    return AutoModelForMaskedLM.from_config(config_of("bert")).eval()


class SlowTokenizer:
    is_fast = False


BAD = {
    "no offsets: a fast tokenizer is needed": lambda: whichword.wrap(classifier("bert"), SlowTokenizer()),
    r"the model's tokenizer is needed: wrap\(model, tokenizer\)": lambda: whichword.wrap(classifier("bert")),
    "tokenizer has 50 pieces, the model's table 40 rows: they do not belong together": lambda: whichword.wrap(
        classifier("bert", vocab_size=40), tokenizer()
    ),
    "tokenizer has 50 pieces, the model's table 5,000 rows": lambda: whichword.wrap(
        classifier("bert", vocab_size=5000), tokenizer()
    ),
    "the model has 3 classes, not 2: good, bad": lambda: whichword.wrap(
        classifier("bert"), tokenizer(), classes=["good", "bad"]
    ),
    "the classes have to be two or more, with different names": lambda: whichword.wrap(
        classifier("bert"), tokenizer(), classes=["a", "a", "b"]
    ),
    r"in training mode: call model.eval\(\) first": lambda: whichword.wrap(classifier("bert").train(), tokenizer()),
    "a BertForMaskedLM is a language model: say what to ask it by task='agreement'": lambda: whichword.wrap(
        masked(), tokenizer()
    ),
    "labels exclude each other: leave label= out": lambda: whichword.wrap(
        classifier("bert"), tokenizer(), label="LABEL_1"
    ),
    "a Hugging Face classifier has no setting 'vocabulary'": lambda: whichword.wrap(
        classifier("bert"), tokenizer(), vocabulary=WORDS
    ),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input_is_one_line(message: str) -> None:
    with pytest.raises(whichword.InputError, match=message) as mistake:
        BAD[message]()
    assert "\n" not in str(mistake.value)


def test_a_model_without_a_head_gives_no_logits() -> None:
    with pytest.raises(whichword.InputError, match="BertModel gives no logits: a model for sequence classification"):
        whichword.explain(whichword.wrap(headless(), tokenizer()), [WORDS[:3]], "lrp")
