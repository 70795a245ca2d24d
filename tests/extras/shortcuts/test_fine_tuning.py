"""Fine-tuning the head alone: layers stay to the last bit, what was drawn learns, the classes are learnt."""

import warnings
from pathlib import Path
from typing import Any

import pytest
import torch

pytest.importorskip("transformers", reason="needs transformers")

from whichword.errors import InputError
from whichword.extras.shortcuts.finetuning import FineTuning, fine_tune, tell_steps
from whichword.types import Corpus, Document

WORDS = {"good": ("fine", "great"), "bad": ("poor", "dull")}
SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
SIZES = {"hidden_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}


def corpus() -> Corpus:
    classes = tuple(WORDS)
    documents = [
        Document(f"{i:012x}", ("a", WORDS[label][i % 4 // 2], "film"), label) for i, label in enumerate(classes * 40)
    ]
    return Corpus("made", classes, tuple(documents[:60]), tuple(documents[60:70]), tuple(documents[70:]))


def encoder(folder: Path, pooled: bool = True) -> Path:
    """A BERT of one layer, drawn at random; without its pooling layer where that is not asked for."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from tokenizers import Tokenizer, models, pre_tokenizers, processors
        from transformers import BertConfig, BertModel, PreTrainedTokenizerFast
    words = [*SPECIALS, "a", "film", *(word for group in WORDS.values() for word in group)]
    pieces = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    pieces.pre_tokenizer = pre_tokenizers.Whitespace()
    pieces.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", None, [("[CLS]", 2), ("[SEP]", 3)])
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        config = BertConfig(vocab_size=len(words), max_position_embeddings=16, initializer_range=0.5, **SIZES)
        config.hidden_dropout_prob, config.classifier_dropout = 0.3, 0.0
        BertModel(config, add_pooling_layer=pooled).save_pretrained(folder)
    PreTrainedTokenizerFast(tokenizer_object=pieces, pad_token="[PAD]", unk_token="[UNK]").save_pretrained(folder)
    return folder


def weights(folder: Path) -> dict[str, Any]:
    from safetensors.torch import load_file

    return {name.removeprefix("bert."): tensor for name, tensor in load_file(folder / "model.safetensors").items()}


def changed(before: Path, after: Path) -> set[str]:
    """The first part of the names of all weights that are new or have another bit."""
    old, new = weights(before), weights(after)
    return {name.split(".")[0] for name in new if name not in old or not torch.equal(old[name], new[name])}


@pytest.mark.parametrize(("pooled", "learns"), [(True, {"classifier"}), (False, {"classifier", "pooler"})])
def test_layers_that_were_trained_stay_to_the_last_bit(tmp_path: Path, pooled: bool, learns: set[str]) -> None:
    start = encoder(tmp_path / "start", pooled)
    tuned = fine_tune(start, corpus(), FineTuning(epochs=1, only_head=True), tmp_path / "head")
    assert changed(start, tuned) == learns


def test_without_it_every_layer_learns(tmp_path: Path) -> None:
    start = encoder(tmp_path / "start")
    tuned = fine_tune(start, corpus(), FineTuning(epochs=1), tmp_path / "all")
    assert changed(start, tuned) == {"classifier", "pooler", "embeddings", "encoder"}


def losses(start: Path, settings: FineTuning, folder: Path) -> list[float]:
    seen: list[float] = []
    fine_tune(start, corpus(), settings, folder, lambda done, steps, loss: seen.append(loss))
    return seen


def test_the_head_learns_the_classes_and_a_second_training_is_equal(tmp_path: Path) -> None:
    from whichword import explain, load

    start = encoder(tmp_path / "start")
    settings = FineTuning(epochs=20, batch=20, learning_rate=0.05, only_head=True)
    assert losses(start, settings, tmp_path / "head")[-1] < 0.05
    fine_tune(start, corpus(), settings, tmp_path / "again")
    assert changed(tmp_path / "head", tmp_path / "again") == set()
    texts = [document.text for document in corpus().test]
    classes = [explanation.target for explanation in explain(load(f"hf:{tmp_path / 'head'}"), texts, "random")]
    assert classes == [document.label for document in corpus().test]


def test_a_line_every_twenty_steps_and_one_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    for done in range(1, 44):
        tell_steps(done, 43, 0.5)
    assert capsys.readouterr().err.splitlines() == [f"step {done} of 43, loss 0.5000" for done in (20, 40, 43)]


@pytest.mark.parametrize(("only_head", "same"), [(True, True), (False, False)])
def test_frozen_layers_have_no_dropout(tmp_path: Path, only_head: bool, same: bool) -> None:
    """All documents in every batch and steps of nearly nothing: only dropout can change the loss."""
    start = encoder(tmp_path / "start")
    settings = FineTuning(epochs=3, batch=60, learning_rate=1e-12, only_head=only_head)
    seen = losses(start, settings, tmp_path / "tuned")
    assert (max(seen) - min(seen) < 1e-5) == same


def test_what_it_cannot_do_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="epochs must be at least 1"):
        FineTuning(epochs=0, only_head=True)
    with pytest.raises(InputError, match="needs documents in the train part"):
        fine_tune(tmp_path, Corpus("made", ("a", "b"), (), (), ()), FineTuning(), tmp_path / "x")
