"""Faults are found, and nothing else: over all networks, torch modules and pretrained models."""

import json
import os
from pathlib import Path

import pytest
import torch
from experiments.health.random_models import KINDS, WORDS, random_network
from experiments.health.subject import OURS, WITH_ATTENTION
from foreign_modules import CLASSES, Recurrent, shaken
from foreign_modules import WORDS as FEW_WORDS
from perceptron import Perceptron
from unsound_methods import FAULTS

import whichword
from whichword.health.shifts import CLEAR
from whichword.model import Model
from whichword.types import Document

LENGTHS = (5, 9, 14, 20, 12, 7, 30, 18)
REAL = [
    "You are a stupid idiot and nobody likes you",
    "Thank you , that was very kind of you to come",
    "What is the name of the man who went to the market ?",
    "shares surge after record profit at the company in the third quarter",
]


def texts(words: tuple[str, ...] | list[str], times: int = 1) -> list[list[str]]:
    chance = torch.Generator().manual_seed(3)
    sizes = [size for _ in range(times) for size in LENGTHS]
    return [[words[i] for i in torch.randint(0, len(words), (size,), generator=chance)] for size in sizes]


@pytest.mark.parametrize(("kind", "both"), KINDS)
def test_nothing_on_our_own_methods(kind: str, both: bool) -> None:
    assert whichword.examine(random_network(kind, both), texts(WORDS), OURS).complaints == {}


class Opposite(torch.nn.Module):
    """Two classes of opposite scores, no biases, words that add up: many methods are one, and none is at fault."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = torch.nn.Embedding(len(WORDS), 12)
        self.inner, self.outer = torch.nn.Linear(12, 10, bias=False), torch.nn.Linear(10, 1, bias=False)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        score = self.outer(torch.tanh(self.inner(self.embedding(ids))).sum(1))
        return torch.cat([-score, score], 1)


def test_what_is_one_by_a_theorem_is_no_fault() -> None:
    model = whichword.wrap(shaken(Opposite()), vocabulary=WORDS, classes=("no", "yes"))
    examined = whichword.examine(model, texts(WORDS))
    same = {health.method: health.same_as for health in examined.methods}
    assert "grad_1_s_dot" in same["grad_1_p_dot"]
    assert "lrp" in same["deeplift"]
    assert "omit_1" in same["limsse_ms_s"]
    assert examined.complaints == {}


@pytest.mark.parametrize("kind", ["lstm", "cnn"])
@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_found(kind: str, name: str) -> None:
    complaints = whichword.examine(
        random_network(kind), texts(WORDS, 4 if name.startswith("shifted") else 1), ["all", name]
    ).complaints
    assert list(complaints) == [name]
    assert any(FAULTS[name][1] in line for line in complaints[name]), complaints


def test_a_fault_is_found_when_the_method_is_asked_alone() -> None:
    for name, (_, words) in FAULTS.items():
        if name != "by_position":
            assert words in " ".join(whichword.examine(random_network("cnn"), texts(WORDS), [name]).complaints[name])


def test_a_shift_is_told_with_the_correlations() -> None:
    examined = whichword.examine(random_network("cnn"), texts(WORDS), ["shifted"])
    shift = examined.methods[0].shift
    assert shift.by == 1
    assert shift.fit > shift.in_place + CLEAR
    assert f"correlation {shift.fit:.2f} there" in examined.complaints["shifted"][0]
    assert not whichword.examine(random_network("cnn"), texts(WORDS)[:1], ["shifted"]).complaints  # one text


def test_captum_deeplift_on_an_lstm() -> None:
    pytest.importorskip("captum")
    model = whichword.wrap(shaken(Recurrent("LSTM")), vocabulary=FEW_WORDS, classes=CLASSES)
    complaints = whichword.examine(model, texts(FEW_WORDS), ["captum:DeepLift", "deeplift", "lrp"]).complaints
    assert list(complaints) == ["captum:DeepLift"]
    assert "its rules are dead: it equals input x gradient" in complaints["captum:DeepLift"][0]


def test_captum_on_a_module_whose_rules_come_to_gradients() -> None:
    """With no epsilon, LRP of rectifiers is input x gradient: a theorem, not a fault."""
    pytest.importorskip("captum")
    model = whichword.wrap(shaken(Perceptron()), vocabulary=FEW_WORDS, classes=CLASSES)
    examined = whichword.examine(model, texts(FEW_WORDS), ["captum:LRP", "captum:FeatureAblation"])
    by_name = {health.method: health for health in examined.methods}
    assert by_name["captum:FeatureAblation"].same_as == ("occ_1",)
    assert not by_name["captum:FeatureAblation"].blamed_for
    assert "grad_1_s_dot" not in by_name["captum:LRP"].blamed_for


def test_truncation_is_a_remark() -> None:
    pytest.importorskip("transformers")
    from tiny_transformers import WORDS as PIECES
    from tiny_transformers import classifier, tokenizer

    model = whichword.wrap(classifier("bert"), tokenizer())
    examined = whichword.examine(model, [PIECES[:20], PIECES * 2], ["lrp", "omit_1"])
    assert examined.remarks == ("the model read only the beginning of 1 of 2 texts: 28 words have no relevance",)
    assert examined.complaints == {}
    assert json.loads(json.dumps(examined.to_dict()))["methods"][0]["unread"] == 0


def test_texts_that_a_method_is_not_defined_for_are_a_remark() -> None:
    """torch's recurrent networks cannot read an empty text, so that a window of seven words over five has no score."""
    model = whichword.wrap(shaken(Recurrent("LSTM")), vocabulary=FEW_WORDS, classes=CLASSES)
    examined = whichword.examine(model, [*texts(FEW_WORDS), FEW_WORDS[:1]], OURS)
    assert examined.complaints == {}
    why = "the model cannot read a text of no words"
    assert f"omit_7: no relevances for 3 of 9 documents: {why}" in examined.remarks
    assert f"sentence_omit: no relevances for 1 of 9 documents: {why}" in examined.remarks


def transformer(family: str, template: bool = True) -> Model:
    pytest.importorskip("transformers")
    from tiny_transformers import classifier, tokenizer

    return whichword.wrap(classifier(family), tokenizer(template))


@pytest.mark.parametrize("family", ["bert", "gpt2"])
def test_nothing_on_transformers(family: str) -> None:
    model = transformer(family, template=family == "bert")
    assert whichword.examine(model, texts(WORDS), WITH_ATTENTION).complaints == {}


def test_an_integral_from_zero_vectors_misses_what_happens_next_to_zero() -> None:
    """A Llama divides a word vector by its length first: between zero and the first step lies most of the change."""
    model = transformer("llama", template=False)
    examined = whichword.examine(model, texts(WORDS))
    assert set(examined.complaints) == {"grad_int_s_dot", "grad_int_p_dot"}
    assert all(line.startswith("does not add up") for lines in examined.complaints.values() for line in lines)
    finer = whichword.examine(model, texts(WORDS)[:3], ["grad_int_s_dot[steps=1000]", "lrp"])
    gaps = {health.method: health.gap for health in examined.methods + finer.methods}
    assert gaps["lrp"] < 1e-3 < 0.25 < gaps["grad_int_s_dot[steps=1000]"]


def pretrained(name: str) -> Path:
    folder = Path(os.environ.get("WHICHWORD_MODELS", "")) / name
    if "WHICHWORD_MODELS" not in os.environ or not folder.is_dir():
        pytest.skip(f"needs the pretrained model {name} in the folder WHICHWORD_MODELS")
    return folder


@pytest.mark.parametrize("name", ["toxicity", "question", "finance-lstm"])
def test_nothing_on_pretrained_models(name: str) -> None:
    folder = pretrained(name)
    spelling = "experiments.league:finance" if name == "finance-lstm" else f"hf:{folder}"
    assert whichword.examine(whichword.load(spelling), [*REAL, "sales fell"], OURS).complaints == {}


@pytest.mark.slow
def test_nothing_but_the_integral_on_a_language_model() -> None:
    model = whichword.load(f"lm:{pretrained('smollm2')}")
    forms = {"singular": "is", "plural": "are"}
    sentences = ["The author that the senators admire", "The dogs that bark at the black cat"]
    documents = [Document(text, tuple(text.split()), "plural", facts=forms) for text in sentences]
    sound = ["grad_1_s_dot", "grad_1_s_l2", "omit_1", "occ_1", "lrp", "lrp[attention=attnlrp]"]
    complaints = whichword.examine(model, documents, [*sound, "grad_int_s_dot"]).complaints
    assert list(complaints) == ["grad_int_s_dot"]
    assert complaints["grad_int_s_dot"][0].startswith("does not add up")
