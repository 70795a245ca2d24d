"""The methods of ours beside the contestants, against their formulas; and what happens when a method fails."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
from foreign_modules import CLASSES, WORDS, Recurrent, shaken
from torch import Tensor

import whichword
from whichword.extras.contestants.ours import sentence_starts
from whichword.methods import METHODS, Questions, plan
from whichword.model import Model
from whichword.networks import Config, Network
from whichword.text import Vocabulary

SENTENCES = "The film was good . The end was not . I left ."


def network(kind: str = "lstm") -> Network:
    torch.manual_seed(2)
    made = Network.of(Config(kind, ("a", "b"), 6, 5), Vocabulary(tuple(dict.fromkeys(SENTENCES.split())))).double()
    with torch.no_grad():
        for value in made.parameters():
            value.normal_(0.0, 0.6)
    return made


def bert(attention: str = "eager") -> tuple[Any, Any]:
    pytest.importorskip("transformers")
    from tiny_transformers import classifier, tokenizer

    module = classifier("bert", attention=attention)
    return module, whichword.wrap(module, tokenizer())


@pytest.mark.parametrize("implementation", ["eager", "sdpa"])
def test_attention_is_the_models_own(implementation: str) -> None:
    module, _ = bert()
    model = bert(implementation)[1]
    text = [f"w{i}" for i in (3, 8, 2, 8, 30)]
    ids = torch.tensor([model.read(whichword.api._read(model, text)).ids])
    with torch.no_grad():
        maps = [weights[0].mean(0) for weights in module(input_ids=ids, output_attentions=True).attentions]
    relevance = whichword.explain(model, [text], ["attention_last", "attention_rollout"])[0].relevance
    np.testing.assert_allclose(relevance["attention_last"], maps[-1][0, 1:-1], atol=1e-9)
    both = [(weights + torch.eye(7)) / 2 for weights in maps]
    np.testing.assert_allclose(relevance["attention_rollout"], (both[1] @ both[0])[0, 1:-1], atol=1e-9)


def test_a_causal_model_reads_its_last_piece() -> None:
    pytest.importorskip("transformers")
    from tiny_transformers import classifier, tokenizer

    module = classifier("gpt2", n_embd=16, n_head=2, n_layer=2, n_positions=64)
    model = whichword.wrap(module, tokenizer(template=False))
    text = [f"w{i}" for i in (3, 8, 2, 8)]
    ids = torch.tensor([model.read(whichword.api._read(model, text)).ids])
    with torch.no_grad():
        last = module(input_ids=ids, output_attentions=True).attentions[-1][0].mean(0)
    relevance = whichword.explain(model, [text], ["attention_last"])[0].relevance["attention_last"]
    np.testing.assert_allclose(relevance, last[-1], atol=1e-9)


def test_models_without_attention_say_so() -> None:
    pooled = whichword.wrap(shaken(Recurrent("LSTM", read_out="attention")), vocabulary=WORDS, classes=CLASSES)
    for model in (network(), pooled):
        reasons = plan(["attention_last", "attention_rollout"], model).undefined
        assert set(reasons.values()) == {"it has no attention from piece to piece"}


def test_without_noise_smoothgrad_is_the_gradient() -> None:
    (explanation,) = whichword.explain(network(), SENTENCES, ["smoothgrad[noise=0]", "grad_1_s_dot"])
    plain, smooth = explanation.relevance["grad_1_s_dot"], explanation.relevance["smoothgrad[noise=0]"]
    np.testing.assert_allclose(smooth, plain, rtol=1e-9)


def test_gradient_shap_is_an_integral_by_chance() -> None:
    """Without noise its mean is that of integrated gradients, to the precision of the sample."""
    names = ["gradient_shap[noise=0,samples=600]", "grad_int_s_dot[steps=100]"]
    (explanation,) = whichword.explain(network(), SENTENCES, names)
    drawn, exact = (explanation.relevance[name] for name in names)
    assert np.abs(drawn - exact).max() < 0.1 * np.abs(exact).max()
    assert np.abs(drawn - exact).max() > 1e-9


@pytest.mark.parametrize("name", ["smoothgrad", "gradient_shap", "sentence_omit"])
def test_answers_do_not_depend_on_the_batch(name: str) -> None:
    texts = [SENTENCES, "The film .", "I left . I was not good"]
    together = whichword.explain(network(), texts, [name])
    for text, explanation in zip(texts, together, strict=True):
        (alone,) = whichword.explain(network(), [text], [name])
        np.testing.assert_allclose(alone.relevance[name], explanation.relevance[name], rtol=1e-9)


def test_sentences_and_words() -> None:
    model = network()
    (explanation,) = whichword.explain(model, [SENTENCES.split()], ["sentence_omit", "omit_1"])
    k, whole = explanation.predicted, explanation.scores
    words, starts = SENTENCES.split(), [0, 5, 10, 13]
    assert sentence_starts(model.read(whichword.api._read(model, words)), 13) == starts[:-1]
    for start, end in pairwise(starts):
        (left,) = whichword.explain(model, [words[:start] + words[end:]], ["last"])
        share = (whole[k] - left.scores[k]) / (end - start)
        expected = (share + explanation.relevance["omit_1"][start:end]) / 2
        np.testing.assert_allclose(explanation.relevance["sentence_omit"][start:end], expected, atol=1e-9)


@dataclass(frozen=True)
class FailsOnLong:
    """Raises on texts of more than three words."""

    def explain(self, model: Model, questions: Questions) -> Tensor:
        if questions.batch.width > 3:
            raise ValueError("too long:\n  too many words")
        return torch.ones(len(questions), questions.batch.width)


@dataclass(frozen=True)
class WrongShape:
    """Leaves a word out."""

    def explain(self, model: Model, questions: Questions) -> Tensor:
        return torch.ones(len(questions), questions.batch.width - 1)


METHODS.register("fails_on_long", FailsOnLong(), family="failing")
METHODS.register("wrong_shape", WrongShape(), family="failing")


def test_a_crash_is_a_remark_on_its_document_alone() -> None:
    short, long = whichword.explain(network(), ["The film .", SENTENCES], ["fails_on_long", "lrp"])
    assert short.relevance["fails_on_long"].tolist() == [1, 1, 1]
    assert not short.notes
    assert np.isnan(long.relevance["fails_on_long"]).all()
    assert long.notes == {"fails_on_long": "crashed: ValueError: too long: too many words"}
    assert np.isfinite(long.relevance["lrp"]).all()


def test_answers_of_another_shape_are_crashes() -> None:
    (explanation,) = whichword.explain(network(), ["The film ."], ["wrong_shape"])
    assert explanation.notes["wrong_shape"].endswith("it gave relevances of shape [1, 2], not [1, 3]")


def test_a_family_stands_for_its_methods_and_all_does_not() -> None:
    contestants = METHODS.names("contestants")
    assert "captum:DeepLift" in contestants
    assert not set(contestants) & set(METHODS.names())
    assert set(plan(["failing", "last"], network()).labels) == {"fails_on_long", "wrong_shape", "last"}


def test_the_model_is_left_as_it_was() -> None:
    pytest.importorskip("captum")
    model = whichword.wrap(shaken(Recurrent("LSTM")), vocabulary=WORDS, classes=CLASSES)
    state = torch.get_rng_state()
    whichword.explain(model, [WORDS[:5]], ["captum:DeepLift", "captum:KernelShap"])
    assert not any(module._forward_hooks or module._backward_hooks for module in model.module.modules())
    assert torch.equal(state, torch.get_rng_state())


def test_bad_settings_are_one_line() -> None:
    for spelling in (
        "captum:IntegratedGradients[steps=0]",
        "lime[samples=1]",
        "smoothgrad[noise=-1]",
        "shap:partition[output=x]",
    ):
        with pytest.raises(whichword.InputError):
            METHODS.resolve(spelling)
