"""Transformers that everybody gets: a classifier of MiniLM's size, a causal language model; and texts for them.

Real weights from the folders ``minilm`` and ``smollm2`` under WHICHWORD_MODELS; where there are none, the classifier
has random ones, and the rows say so. What a pass costs does not depend on them.
"""

import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from benchmarks.timing import Run
from whichword import explain, wrap
from whichword.answering import first_maximum
from whichword.methods import plan
from whichword.model import Batch
from whichword.models.transformer import TransformerModel
from whichword.types import Document, Text

CLASSES = 20
SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
STEMS = [f"word{n}" for n in range(2000)]
MINILM = {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536}
LLAMA = {"hidden_size": 384, "num_hidden_layers": 8, "num_attention_heads": 6, "intermediate_size": 1024}
FORMS = {"singular": "is", "plural": "are"}

Given = Text | Document


@dataclass(frozen=True)
class PretrainedWorkload:
    """A wrapped model, its module and tokenizer, and texts."""

    name: str
    model: TransformerModel
    tokenizer: Any
    texts: tuple[Given, ...]
    weights: str

    def of(self, lengths: Sequence[int]) -> "PretrainedWorkload":
        """Texts of these numbers of words, made of whole words and of words in two pieces, one in four."""
        return replace(self, texts=tuple(self._text(seed, length) for seed, length in enumerate(lengths)))

    def _text(self, seed: int, length: int) -> Given:
        chance = torch.Generator().manual_seed(seed)
        stems = _stems(self.tokenizer)
        numbers = torch.randint(len(stems), (length, 2), generator=chance).tolist()
        joined = (torch.rand(length, generator=chance) < 0.25).tolist()
        words = tuple(stems[a] + (stems[b] if both else "") for (a, b), both in zip(numbers, joined, strict=True))
        if self.name != CLASSIFIER:
            return Document(str(seed), words, "plural", facts=FORMS)
        return Text(words, " ".join(words))

    def ours(self, *methods: str) -> Run:
        """What a user calls, with all of these methods together."""
        return lambda: explain(self.model, self.texts, methods)

    def one_by_one(self, *methods: str) -> Run:
        """A call for each method."""
        return lambda: [explain(self.model, self.texts, method) for method in methods]

    def relevances(self, method: str) -> list[Tensor]:
        """What a user gets, [T] for each text."""
        return [torch.from_numpy(answer.relevance[method]) for answer in explain(self.model, self.texts, method)]

    def batch(self) -> Batch:
        return Batch.of([self.model.read(text) for text in self.texts])

    def targets(self, batch: Batch) -> Tensor:
        with torch.no_grad():
            return first_maximum(self.model.score(batch))

    def defined(self, methods: Sequence[str]) -> list[str]:
        undefined = plan(methods, self.model).undefined
        return [method for method in methods if method not in undefined]

    def told(self) -> str:
        return f"{self.weights}; {', '.join(f'{name}: {value}' for name, value in self.model.about.facts.items())}"


CLASSIFIER, CAUSAL, SMOLLM2 = "MiniLM", "causal LM", "SmolLM2-135M"


@cache
def _stems(tokenizer: Any) -> list[str]:
    """Words of the tokenizer's own, each a piece; in the order of their numbers."""
    pieces = sorted(tokenizer.get_vocab().items(), key=lambda entry: entry[1])
    names = [name.removeprefix("\u0120") for name, _ in pieces]
    return [name for name in dict.fromkeys(names) if name.isascii() and name.isalnum() and 3 < len(name) < 9][:2000]


def folder(name: str) -> Path | None:
    """Where the weights of this name are."""
    root = os.environ.get("WHICHWORD_MODELS")
    return Path(root) / name if root and (Path(root) / name / "config.json").is_file() else None


@cache
def minilm() -> PretrainedWorkload:
    """A BERT with a classifier's head, which is random: what a pass costs does not depend on it."""
    import transformers

    place = folder("minilm")
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        transformers.logging.set_verbosity_error()
        if place is None:
            pieces = _wordpiece()
            config = transformers.BertConfig(**MINILM, vocab_size=len(pieces), num_labels=CLASSES)
            module = transformers.BertForSequenceClassification(config)
        else:
            pieces = transformers.AutoTokenizer.from_pretrained(place, local_files_only=True)
            module = transformers.AutoModelForSequenceClassification.from_pretrained(
                place, local_files_only=True, num_labels=CLASSES
            )
    weights = "random weights of MiniLM's size" if place is None else "all-MiniLM-L6-v2 with a random head"
    return PretrainedWorkload(CLASSIFIER, _wrapped(module, pieces), pieces, (), weights)


@cache
def causal() -> PretrainedWorkload:
    """The two forms of a verb after a text of any words; of MiniLM's size, with random weights."""
    import transformers

    torch.manual_seed(0)
    pieces = _wordpiece(template=False)
    module = transformers.LlamaForCausalLM(transformers.LlamaConfig(**LLAMA, vocab_size=len(pieces)))
    return PretrainedWorkload(CAUSAL, _wrapped(module, pieces, task="agreement"), pieces, (), "random weights")


@cache
def smollm2() -> PretrainedWorkload:
    """A real one, six times as large; only where its weights are there."""
    import transformers

    transformers.logging.set_verbosity_error()
    place = folder("smollm2")
    pieces = transformers.AutoTokenizer.from_pretrained(place, local_files_only=True)
    module = transformers.AutoModelForCausalLM.from_pretrained(place, local_files_only=True)
    return PretrainedWorkload(SMOLLM2, _wrapped(module, pieces, task="agreement"), pieces, (), "its own weights")


def _wrapped(module: Any, pieces: Any, **settings: Any) -> TransformerModel:
    model = wrap(module.float().eval(), pieces, **settings)
    assert isinstance(model, TransformerModel)
    return model


def _wordpiece(template: bool = True) -> Any:
    """A tokenizer for made-up words, each a piece, alone or behind another one."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    names = [*SPECIALS, *FORMS.values(), *STEMS, *(f"##{stem}" for stem in STEMS), "a"]
    numbers = {name: i for i, name in enumerate(names)}
    pieces = Tokenizer(models.WordPiece(numbers, unk_token="[UNK]", max_input_chars_per_word=50))
    pieces.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    if template:
        pieces.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", None, [("[CLS]", 2), ("[SEP]", 3)])
    specials = dict(zip(["pad_token", "unk_token", "cls_token", "sep_token", "mask_token"], SPECIALS, strict=True))
    return PreTrainedTokenizerFast(tokenizer_object=pieces, **specials)
