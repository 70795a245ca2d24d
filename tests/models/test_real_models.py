"""Pretrained models in single precision, out of the folder WHICHWORD_MODELS; skipped, visibly, where there is none."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from foreign_modules import account_gap, forward_gap, row_gap
from safetensors.torch import load_file
from torch import Tensor, nn

import whichword
from whichword.models.module import ModuleModel
from whichword.types import Document

FOLDER = os.environ.get("WHICHWORD_MODELS", "")
TEXTS = ["You are a stupid idiot and nobody likes you", "Thank you , that was very kind of you", "What is it ?"]


def folder(name: str) -> Path:
    path = Path(FOLDER) / name
    if not FOLDER or not path.is_dir():
        pytest.skip(f"needs the pretrained model {name} in the folder WHICHWORD_MODELS")
    return path


def transformers() -> Any:
    return pytest.importorskip("transformers", reason="needs transformers: pip install 'whichword[transformers]'")


def classifier(name: str, **settings: Any) -> ModuleModel:
    path, library = folder(name), transformers()
    library.logging.set_verbosity_error()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)  # of a head, where the model has none
        module = library.AutoModelForSequenceClassification.from_pretrained(path, local_files_only=True, **settings)
    tokenizer = library.AutoTokenizer.from_pretrained(path, local_files_only=True)
    model = whichword.wrap(module.eval(), tokenizer)
    assert isinstance(model, ModuleModel)
    return model


def check_in_single_precision(model: ModuleModel, texts: list[list[str]]) -> None:
    assert model.about.dtype == "float32"
    for attention in ["weight", "attnlrp"] if model.has_attention else ["weight"]:
        assert forward_gap(model, texts, attention) <= 1e-5
        for text in texts:
            assert account_gap(model, text, f"lrp[attention={attention}]") <= 1e-4
    assert row_gap(model, texts, ["lrp", "deeplift", "grad_1_s_dot"]) <= 1e-3


@pytest.mark.parametrize(("name", "settings"), [("toxicity", {}), ("question", {}), ("minilm", {"num_labels": 4})])
def test_classifiers(name: str, settings: dict[str, int]) -> None:
    model = classifier(name, **settings)
    check_in_single_precision(model, [text.split() for text in TEXTS])


def test_an_insult_is_pointed_at() -> None:
    model = classifier("toxicity")
    insult, thanks, _ = whichword.explain(model, TEXTS)
    assert (insult.predicted, thanks.predicted) == ("toxic", "not-toxic")
    pointed = {method: insult.words[insult.rmax(method)] for method in ("omit_1", "occ_1", "limsse_ms_s", "lrp")}
    assert set(pointed.values()) <= {"stupid", "idiot"}, pointed
    account = insult.account()
    assert account.words > 0.5 * account.score


class Sentiment(nn.Module):
    """Somebody's LSTM, as its package has it."""

    def __init__(self, numbers: dict[str, Tensor]) -> None:
        super().__init__()
        self.embedding = nn.Embedding(*numbers["embedding.weight"].shape)
        self.lstm, self.fc = nn.LSTM(128, 128, batch_first=True), nn.Linear(128, 3)
        self.load_state_dict(numbers)

    def forward(self, ids: Tensor) -> Tensor:
        return self.fc(self.lstm(self.embedding(ids))[1][0][-1])


def test_somebodys_lstm() -> None:
    path = folder("finance-lstm")
    vocabulary = json.loads((path / "vocabulary.json").read_text(encoding="utf8"))
    classes = json.loads((path / "classes.json").read_text(encoding="utf8"))
    module = Sentiment(load_file(path / "weights.safetensors")).eval()
    model = whichword.wrap(module, lambda word: vocabulary.get(word.lower(), 1), classes=classes)
    check_in_single_precision(model, [text.split() for text in ("shares surge after record profit", "sales fell")])
    (answer,) = whichword.explain(model, ["shares surge after record profit"])
    assert answer.predicted == "Positive"
    assert answer.probabilities["Positive"] == pytest.approx(0.72, abs=0.01)
    bias = module.fc.bias.detach().numpy()[classes.index("Positive")]
    assert answer.relevance["decomp"].sum() == pytest.approx(answer.scores["Positive"] - bias, rel=1e-4)


def test_a_language_model() -> None:
    path, library = folder("smollm2"), transformers()
    module = library.AutoModelForCausalLM.from_pretrained(path, local_files_only=True).float().eval()
    model = whichword.wrap(module, library.AutoTokenizer.from_pretrained(path), task="agreement")
    words = ("The", "keys", "to", "the", "cabinet")
    document = Document("keys", words, "plural", facts={"singular": "is", "plural": "are"})
    methods = ["lrp", "lrp[attention=attnlrp]", "deeplift", "grad_1_s_dot", "omit_1", "occ_1"]
    (answer,) = whichword.explain(model, [document], methods)
    assert answer.predicted == "plural"
    assert 2 * answer.scores["plural"] == pytest.approx(-1.8 + 5.2, abs=0.2)
    for method in methods[:2]:
        account = answer.account(method)
        assert abs(account.gap) <= 1e-3 * max(map(abs, account.shares.values()))
    assert np.isfinite(answer.relevance["deeplift"]).all()
