"""Edited copies of causal models share the keys and values before the edit: the same scores, fewer pieces."""

from typing import Any

import pytest
import torch

pytest.importorskip("transformers", reason="needs transformers: pip install 'whichword[transformers]'")

from foreign_modules import shaken
from tiny_transformers import ROUNDING, SIZES, WORDS, classifier, config_of, tokenizer
from torch import Tensor
from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSequenceClassification

import whichword
from whichword.model import Batch
from whichword.models import prefixes
from whichword.models.prefixes import CopyPlan, SharedPrefixes
from whichword.models.transformer import SHARED, TransformerModel
from whichword.reading import AnyEdits, Edits, WordSets
from whichword.sequences import batches
from whichword.types import Document

DECODERS = ["gpt2", "llama", "qwen3"]
TEXTS = [WORDS[3:15], WORDS[7:12], [*WORDS[30:33], *WORDS[3:12]], WORDS[20:21], WORDS[1:13]]
FORMS = {"singular": "w3", "plural": "w4"}
CLOSE = {torch.float64: 1e-9, torch.float32: 1e-6}


TASKS = {"classes": AutoModelForSequenceClassification, "agreement": AutoModelForCausalLM}


def model_of(family: str, task: str, dtype: torch.dtype, **settings: Any) -> TransformerModel:
    """Shaken in double precision; in single precision as it begins: large weights make rounding large."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        module = TASKS[task].from_config(config_of(family, num_labels=3, initializer_range=0.1, **settings))
    module = shaken(module) if dtype == torch.float64 else module.eval()
    model = whichword.wrap(module, tokenizer(template=False), task="agreement" if task == "agreement" else None)
    assert isinstance(model, TransformerModel)
    model.unrounded = family in ROUNDING and dtype == torch.float64
    return model


def batch_of(model: TransformerModel) -> Batch:
    documents = [Document(str(i), tuple(words), "singular", facts=FORMS) for i, words in enumerate(TEXTS)]
    return Batch.of([model.read(document) for document in documents])


def windows(batch: Batch, kind: str, n: int) -> Edits:
    """Every window of n words, and each document as it is."""
    places = [(row, 0, 0) for row in range(len(batch))]
    places += [(row, t, min(t + n, T)) for row, T in enumerate(batch.words.tolist()) for t in range(T)]
    return Edits(kind, *torch.tensor(places).T)


def word_sets(batch: Batch) -> WordSets:
    chance = torch.Generator().manual_seed(0)
    rows = torch.arange(len(batch)).repeat(4)
    cut, blank = torch.rand(2, len(rows), batch.width, generator=chance) < torch.tensor([0.2, 0.3])[:, None, None]
    cut[:, 0] = False  # a text of one word keeps it
    return WordSets(rows, cut, blank & ~cut)


def scores(model: TransformerModel, batch: Batch, *edits: AnyEdits) -> Tensor:
    """By shared beginnings, worth it or not."""
    assert model.prefixes is not None
    copies = CopyPlan.of(batch, edits, model.passed_over)
    documents = batches(batch.ids.lengths.tolist(), prefixes.KEPT)
    work = [model.prefixes.work(batch, numbers, copies) for numbers in documents]
    with torch.no_grad():
        return model.prefixes.score_edits(batch, edits, work)


def gap(model: TransformerModel, batch: Batch, *edits: AnyEdits) -> float:
    """Of the largest score; a copy of no piece has none, either way."""
    shared, whole = scores(model, batch, *edits), model.score_whole_copies(batch, *edits)
    assert torch.equal(shared.isnan(), whole.isnan())
    assert not whole.isnan().all()
    return float((shared - whole).nan_to_num().abs().max() / whole.nan_to_num().abs().max())


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("task", ["classes", "agreement"])
@pytest.mark.parametrize("family", DECODERS)
def test_the_same_scores(family: str, task: str, dtype: torch.dtype) -> None:
    model = model_of(family, task, dtype)
    assert model.about.facts["edited copies"] == SHARED
    batch = batch_of(model)
    edits = [windows(batch, kind, n) for kind in ("cut", "blank") for n in (1, 3)]
    assert gap(model, batch, *edits) <= CLOSE[dtype]
    assert gap(model, batch, word_sets(batch)) <= CLOSE[dtype]


def test_few_documents_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the number of documents whose keys are kept, and of copies that go together."""
    model = model_of("llama", "agreement", torch.float64)
    batch = batch_of(model)
    edits = [windows(batch, "cut", 1), windows(batch, "blank", 3)]
    for kept, in_vain, pieces in [(1, 0, 1), (14, 64, 20), (10**6, 10**6, 10**6)]:
        monkeypatch.setattr(prefixes, "KEPT", kept)
        monkeypatch.setattr(prefixes, "CALL", in_vain)
        model.copy_pieces = pieces
        assert gap(model, batch, *edits) <= 1e-9


def test_beginnings_of_different_lengths_go_together() -> None:
    """Copies with and without the word; where a module cannot be told the positions, those of one length alone."""
    model = model_of("llama", "agreement", torch.float64)
    batch = batch_of(model)
    edits = [windows(batch, "cut", 1), windows(batch, "blank", 3)]
    calls = {}
    for takes_positions in (True, False):
        model.takes_positions = takes_positions
        model.prefixes = SharedPrefixes.of(model)
        assert model.prefixes.aligned is takes_positions
        assert gap(model, batch, *edits) <= 1e-9
        copies = CopyPlan.of(batch, edits, model.passed_over)
        groups = model.prefixes.work(batch, list(range(len(batch))), copies).groups
        assert sorted(copy for group in groups for copy in group.copies) == list(range(len(copies.rows)))
        calls[takes_positions] = len(groups)
    assert calls[True] <= 0.7 * calls[False]


def pieces_run(model: TransformerModel, score: Any) -> int:
    """How many pieces the module looks up meanwhile."""
    counts: list[int] = []

    def count(module: Any, args: tuple[Tensor, ...]) -> None:
        counts.append(args[0].numel())

    handle = model.module.get_input_embeddings().register_forward_pre_hook(count)
    try:
        score()
    finally:
        handle.remove()
    return sum(counts)


def test_half_of_the_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefixes, "CALL", 0)
    model = model_of("gpt2", "classes", torch.float64)
    batch = batch_of(model)
    edits = [windows(batch, kind, 1) for kind in ("cut", "blank")]
    shared = pieces_run(model, lambda: scores(model, batch, *edits))
    whole = pieces_run(model, lambda: model.score_whole_copies(batch, *edits))
    assert shared < 0.65 * whole


def test_it_is_done_where_it_pays() -> None:
    """Many copies of long texts; not a short text alone, nor substrings, which share no beginning with their texts."""
    model = model_of("gpt2", "classes", torch.float64)
    assert model.prefixes is not None
    short = batch_of(model).pick(torch.tensor([1]))
    rows = torch.zeros(5, dtype=torch.long)
    substrings = Edits("crop", rows, rows + 1, rows + torch.tensor([2, 3, 3, 4, 5]))
    for edits in (windows(short, "cut", 1), substrings):
        assert model.prefixes.plan(short, [edits]) is None
        assert torch.equal(model.score_edits(short, edits), model.score_whole_copies(short, edits))
    reading = model.read(Document("long", tuple(WORDS[:30] * 2), "singular", facts=FORMS))
    long = Batch.of([reading] * 3)
    edits = windows(long, "blank", 1)
    whole = pieces_run(model, lambda: model.score_whole_copies(long, edits))
    assert pieces_run(model, lambda: model.score_edits(long, edits)) < 0.6 * whole
    torch.testing.assert_close(model.score_edits(long, edits), model.score_whole_copies(long, edits), rtol=0, atol=1e-9)


def test_a_sliding_window() -> None:
    """A model that sees a few pieces back keeps the keys of all of them: copies begin anywhere."""
    config = AutoConfig.for_model("mistral", **SIZES, num_key_value_heads=1, sliding_window=4, num_labels=3)
    model = whichword.wrap(shaken(AutoModelForSequenceClassification.from_config(config)), tokenizer(template=False))
    assert isinstance(model, TransformerModel)
    assert model.about.facts["edited copies"] == SHARED
    model.unrounded = True
    batch = batch_of(model)
    assert gap(model, batch, windows(batch, "cut", 1), windows(batch, "blank", 2)) <= 1e-9


def test_pieces_that_the_read_out_passes_over() -> None:
    """A classifier that skips padding at the end skips the same pieces in a text; a copy may end with many."""
    model = model_of("llama", "classes", torch.float64, pad_token_id=5 + 12)  # the piece w12
    batch = batch_of(model)
    assert int((batch.ids.data[4] == 17).nonzero()[-1]) == int(batch.ids.lengths[4]) - 1
    assert gap(model, batch, windows(batch, "cut", 1), windows(batch, "blank", 3)) <= 1e-9


def test_without_padding_texts_go_one_by_one() -> None:
    model = model_of("gpt2", "classes", torch.float64, pad_token_id=None)
    assert model.one_by_one
    batch = batch_of(model)
    assert gap(model, batch, windows(batch, "cut", 3)) <= 1e-9


def test_it_says_where_nothing_is_shared() -> None:
    """Angles that depend on the length of the text: run whole, and said so. An encoder has nothing to share."""
    rope = {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 10000.0}
    stretched = model_of("llama", "agreement", torch.float32, rope_parameters=rope)
    assert stretched.prefixes is None
    assert stretched.about.facts["edited copies"] == "run whole: its rotary angles depend on the length of the text"
    encoder = whichword.wrap(classifier("bert"), tokenizer())
    assert "edited copies" not in encoder.about.facts


def test_a_model_that_looks_ahead_is_found_out() -> None:
    """A decoder that is told not to be causal keeps keys and values, but not those of its copies."""
    module = classifier("llama", "sdpa")
    for layer in module.model.layers:
        layer.self_attn.is_causal = False
    module.config.is_causal = False
    model = whichword.wrap(module, tokenizer(template=False))
    assert model.about.facts["edited copies"] == "run whole: its pieces see those that follow"
