"""A small fine-tuning loop for Hugging Face's encoders and classifiers: whole model or head, AdamW, shuffled batches.

Every random number is a function of (seed, epoch): a training that was stopped begins anew and gives the same model,
whatever the number of cores.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional

from whichword.base.runtime import one_thread
from whichword.errors import InputError
from whichword.training.batches import random_numbers
from whichword.types import Corpus, Document

Stepped = Callable[[int, int, float], None]  # steps done, steps in all, loss


@dataclass(frozen=True)
class FineTuning:
    """``pieces``: what exceeds them is cut off. ``only_head``: layers stay as they are, without dropout."""

    epochs: int = 2
    batch: int = 16
    learning_rate: float = 5e-5
    pieces: int = 96
    seed: int = 0
    only_head: bool = False

    def __post_init__(self) -> None:
        for name in ("epochs", "batch", "pieces"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1, not {getattr(self, name)}")
        if not 0.0 < self.learning_rate < 1.0:
            raise InputError(f"learning_rate must be between 0 and 1, not {self.learning_rate}")


def tell_steps(done: int, steps: int, loss: float) -> None:
    """Print every twentieth step, and the last, to standard error."""
    if done % 20 == 0 or done == steps:
        print(f"step {done} of {steps}, loss {loss:.4f}", file=sys.stderr, flush=True)


def fine_tune(start: Path, corpus: Corpus, settings: FineTuning, folder: Path, stepped: Stepped | None = None) -> Path:
    """Train a copy of the model in ``start`` with a head for the corpus's classes on its texts; what is in
    ``folder`` already is left as it is.
    """
    if (folder / "config.json").is_file():  # folders appear whole, so it is done
        return folder
    if not corpus.train:
        raise InputError(f"{corpus.name}: fine-tuning needs documents in the train part")
    module, tokenizer, drawn = _loaded(start, corpus.classes, settings.seed)
    if settings.only_head:
        _freeze(module, drawn)
    with one_thread():  # sums in another order would give another model
        _train(module, tokenizer, corpus, settings, stepped or (lambda done, steps, loss: None))
    return _saved(module, tokenizer, folder)


def _loaded(start: Path, classes: Sequence[str], seed: int) -> tuple[Any, Any, set[str]]:
    """Load the model, its tokenizer, and the names of the parameters that the folder does not have: they were drawn."""
    try:
        from transformers import AutoModelForSequenceClassification, AutoTokenizer
    except ImportError as missing:
        raise InputError("fine-tuning needs transformers: pip install 'whichword[huggingface]'") from missing
    names = dict(enumerate(classes))
    options: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}  # no network, no code of a model
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)  # the head is drawn
        module, loading = AutoModelForSequenceClassification.from_pretrained(
            start,
            num_labels=len(classes),
            id2label=names,
            label2id={name: number for number, name in names.items()},
            problem_type="single_label_classification",
            ignore_mismatched_sizes=True,  # a head for other classes is drawn anew
            dtype="float32",
            output_loading_info=True,
            **options,
        )
    return module, AutoTokenizer.from_pretrained(start, **options), set(loading["missing_keys"])


def _freeze(module: Any, drawn: set[str]) -> None:
    """Let only what is outside ``base_model`` or was drawn learn: a pooling layer may never have been trained."""
    inside = set(map(id, module.base_model.parameters()))
    for name, parameter in module.named_parameters():
        parameter.requires_grad_(id(parameter) not in inside or name in drawn)


def _train(module: Any, tokenizer: Any, corpus: Corpus, settings: FineTuning, stepped: Stepped) -> None:
    parameters = [parameter for parameter in module.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(parameters, lr=settings.learning_rate)
    steps = settings.epochs * -(-len(corpus.train) // settings.batch)  # rounded up
    module.train()
    module.base_model.train(not settings.only_head)  # frozen layers have no dropout
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(settings.seed)  # dropout
        for number, documents in enumerate(_batches(corpus.train, settings), 1):
            loss = _loss(module, tokenizer, documents, corpus.classes, settings.pieces)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
            stepped(number, steps, loss.item())
    module.eval()


def _batches(documents: Sequence[Document], settings: FineTuning) -> Any:
    """Yield batches: neighbours in length share one, they come in random order, epoch after epoch."""
    for epoch in range(settings.epochs):
        generator = random_numbers(settings.seed, "fine-tuning", epoch)
        order = torch.randperm(len(documents), generator=generator).tolist()
        near = sorted(order, key=lambda i: len(documents[i].words))  # stable: equals stay shuffled
        groups = [near[i : i + settings.batch] for i in range(0, len(near), settings.batch)]
        for group in torch.randperm(len(groups), generator=generator).tolist():
            yield [documents[i] for i in groups[group]]


def _loss(module: Any, tokenizer: Any, documents: Sequence[Document], classes: Sequence[str], pieces: int) -> Any:
    texts = [document.text for document in documents]
    encoded = tokenizer(texts, return_tensors="pt", padding=True, truncation=True, max_length=pieces)
    gold = torch.tensor([classes.index(document.label) for document in documents])
    logits = module(input_ids=encoded["input_ids"], attention_mask=encoded["attention_mask"]).logits
    return functional.cross_entropy(logits, gold)


def _saved(module: Any, tokenizer: Any, folder: Path) -> Path:
    """Save the folder whole: a kill leaves nothing that looks like a model."""
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    module.save_pretrained(part)
    tokenizer.save_pretrained(part)
    shutil.rmtree(folder, ignore_errors=True)  # rename replaces no folder that has files
    part.rename(folder)
    return folder
