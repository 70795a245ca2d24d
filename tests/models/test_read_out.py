"""The last layer at one position: found on a probe, equal to the whole pass, and left alone where more is read."""

from typing import Any

import pytest
import torch

pytest.importorskip("transformers", reason="needs transformers: pip install 'whichword[transformers]'")

from foreign_modules import shaken
from tiny_transformers import ROUNDING, SIZES, WORDS, classifier, config_of, tokenizer
from transformers import AutoConfig, AutoModelForMaskedLM, AutoModelForSequenceClassification

import whichword
from whichword.methods.gradient import gradients
from whichword.model import Batch
from whichword.models.transformer import ALONE, TransformerModel
from whichword.operations.mode import Lookup, WordVectors
from whichword.operations.positions import OnePosition, ReadOut
from whichword.reading import Edits
from whichword.types import Text

FIRST, LAST = ["bert", "distilbert", "roberta", "electra", "albert"], ["llama", "qwen3"]
TEXTS = [WORDS[3:15], WORDS[7:12], WORDS[20:21], WORDS[1:13]]


def model_of(family: str, **settings: Any) -> TransformerModel:
    model = whichword.wrap(classifier(family, "sdpa", **settings), tokenizer(template=family not in LAST))
    assert isinstance(model, TransformerModel)
    model.unrounded = family in ROUNDING
    return model


def batch_of(model: TransformerModel) -> Batch:
    return Batch.of([model.read(Text(tuple(words), " ".join(words))) for words in TEXTS])


def whole(model: TransformerModel) -> TransformerModel:
    """The same module without any of it."""
    plain = whichword.wrap(model.module, model._pieces.tokenizer)  # type: ignore[attr-defined]
    assert isinstance(plain, TransformerModel)
    plain.read_out, plain.unrounded = None, model.unrounded
    return plain


@pytest.mark.parametrize("family", [*FIRST, *LAST])
def test_the_same_gradients_and_scores_of_copies(family: str) -> None:
    model = model_of(family)
    assert model.read_out is not None
    assert model.about.facts["last layer"] == ALONE
    assert model.read_out.position == (0 if family in FIRST else -1)
    batch, plain = batch_of(model), whole(model)
    k, e = torch.tensor([0, 1, 2, 0]), model.embed(batch)
    ours, theirs = gradients(model, e, batch, k), gradients(plain, e, batch, k)
    for output in ours:
        torch.testing.assert_close(ours[output], theirs[output], rtol=0, atol=1e-12 * float(theirs["s"].abs().max()))
    rows = torch.tensor([0, 1, 3])
    edits = [Edits(kind, rows, rows, rows + 2) for kind in ("cut", "blank")]
    ours_copies, their_copies = model.score_edits(batch, *edits), plain.score_edits(batch, *edits)
    torch.testing.assert_close(ours_copies, their_copies, rtol=0, atol=1e-12 * float(their_copies.abs().max()))


def test_products_are_spared() -> None:
    """A BERT's last layer: three products behind the attention at one position, and all before them at all."""
    model = model_of("bert")
    assert model.read_out is not None
    batch = model.probe()
    mode = OnePosition(WordVectors(model.table, batch.ids.data, model.embed(batch)), model.read_out)
    with torch.no_grad():
        model.looked_up(mode, batch, torch.tensor([0]), batch.ids.data)
    assert mode.spared == 3


class MeanPooled(torch.nn.Module):
    """A read-out of all positions."""

    def __init__(self, module: Any) -> None:
        super().__init__()
        self.config, self.module = module.config, module

    def get_input_embeddings(self) -> Any:
        return self.module.get_input_embeddings()

    def forward(self, input_ids: Any, attention_mask: Any) -> Any:
        output = self.module.bert(input_ids, attention_mask=attention_mask)
        output.logits = self.module.classifier(output.last_hidden_state.mean(1))
        return output


def test_where_more_is_read_nothing_is_left_out() -> None:
    """A mean over positions; a mask in the middle; attention that is no call of torch's."""
    pooled = whichword.wrap(MeanPooled(classifier("bert", "sdpa")).eval(), tokenizer())
    masked = whichword.wrap(shaken(AutoModelForMaskedLM.from_config(config_of("bert"))), tokenizer(), task="agreement")
    eager = whichword.wrap(classifier("bert", "eager"), tokenizer())
    for model in (pooled, masked, eager):
        assert isinstance(model, TransformerModel)
        assert model.read_out is None
        assert "last layer" not in model.about.facts
        assert type(model.lookup(WordVectors(model.table, torch.zeros(1, 1), torch.zeros(1, 1, 1)))) is Lookup


def test_a_read_out_that_skips_the_end_of_a_text() -> None:
    model = model_of("llama", pad_token_id=5 + 12)  # the piece w12
    batch, plain = batch_of(model), whole(model)
    assert int(batch.ids.data[3, batch.ids.lengths[3] - 1]) == 17
    e = model.embed(batch)
    torch.testing.assert_close(model.forward(e, batch), plain.forward(e, batch), rtol=0, atol=1e-11)


def test_attention_that_is_called_more_often_is_an_error() -> None:
    """Better than a wrong answer: behind the last attention only one position is right."""
    model = model_of("bert")
    model.read_out = ReadOut(1, 0)
    batch = batch_of(model)
    with pytest.raises(whichword.errors.InputError, match="more often"):
        model.forward(model.embed(batch), batch)


def test_unknown_words_hide_nothing() -> None:
    """The probe's words are one and the same piece for this tokenizer: where nothing differs, any position would do."""
    config = AutoConfig.for_model("mistral", **SIZES, num_key_value_heads=1, sliding_window=4, num_labels=3)
    module = shaken(AutoModelForSequenceClassification.from_config(config))
    model = whichword.wrap(module, tokenizer(template=False))
    assert isinstance(model, TransformerModel)
    assert len(set(model.probe().ids.data[0].tolist())) == 1
    assert model.read_out == ReadOut(2, -1)
