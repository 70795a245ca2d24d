"""Hugging Face's classifiers with a fast tokenizer, as they are: encoders and decoders alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from whichword.errors import InputError
from whichword.model import Batch, Reading
from whichword.models.module import ModuleModel
from whichword.text.places import spans
from whichword.types import About, Written

NEGATIVE, POSITIVE = "negative", "positive"
MANY = 10**6  # a tokenizer that names no longest input names an astronomic number


class Pieces:
    """A fast tokenizer, called once per text: which pieces there are, and which word owns each of them."""

    def __init__(self, tokenizer: Any, longest: int | None) -> None:
        if not getattr(tokenizer, "is_fast", False):
            raise InputError("the tokenizer has no offsets: a fast tokenizer is needed (AutoTokenizer, use_fast=True)")
        self.tokenizer = tokenizer
        limits = [limit for limit in (longest, tokenizer.model_max_length) if limit and limit < MANY]
        self.longest = min(limits, default=None)

    def read(self, document: Written) -> Reading:
        """Cut at the model's longest input: words without a piece are not part of X."""
        cut: dict[str, Any] = {"truncation": True, "max_length": self.longest} if self.longest else {}
        encoded = self.tokenizer(
            document.text, return_offsets_mapping=True, return_special_tokens_mask=True, verbose=False, **cut
        )
        ids, special = encoded["input_ids"], encoded["special_tokens_mask"]
        word = owners(document, encoded["offset_mapping"], special)
        unknown = {t for t, i in zip(word, ids, strict=True) if i == self.tokenizer.unk_token_id and t >= 0}
        seen = max(word, default=-1) + 1
        flags = [t in unknown for t in range(len(document.words))]
        return Reading(document.words, document.text, ids, word, flags, seen)


def owners(document: Written, offsets: Sequence[tuple[int, int]], special: Sequence[int]) -> list[int]:
    """The word in which each piece's first non-space character lies; -1 for specials.

    A piece of no word (of spaces alone) belongs to the word before it, else to the one after it.
    """
    places, text = spans(document), document.text
    found: list[int] = []
    t = 0
    for (start, end), is_special in zip(offsets, special, strict=True):
        if is_special or not places:
            found.append(-1)
            continue
        first = start + len(text[start:end]) - len(text[start:end].lstrip())
        while t + 1 < len(places) and places[t + 1][0] <= min(first, max(end - 1, start)):
            t += 1
        found.append(t)
    return found


class Classifier(ModuleModel):
    """A model for sequence classification. One logit z is two classes: s = -z/2 and z/2.

    Where several labels are independent of each other (sigmoids), ``label`` is the one that is asked about.
    """

    def __init__(
        self, module: Any, tokenizer: Any, classes: Sequence[str] | None = None, label: str | None = None
    ) -> None:
        super().__init__(module, module.get_input_embeddings().weight, has_attention=True)
        config = module.config
        _check_vocabulary(self.table, tokenizer)
        self._pieces = Pieces(tokenizer, _longest(config))
        self._column = _column(config, label)
        names = _names(config, classes, self._column)
        count = sum(parameter.numel() for parameter in module.parameters())
        facts = {"type": config.model_type, "parameters": f"{count:,}", "vocabulary": f"{len(tokenizer):,} pieces"}
        dtype = str(self.table.dtype).removeprefix("torch.")
        self.about = About(type(module).__name__, names, dtype, str(self.table.device), facts)

    def read(self, document: Written) -> Reading:
        return self._pieces.read(document)

    def call(self, ids: Tensor, batch: Batch, rows: Tensor) -> Tensor:
        if self.module.config.pad_token_id is None and len(ids) > 1:  # such a decoder takes one text at a time
            logits = torch.cat([self._logits(row[None]) for row in ids])
        else:
            logits = self._logits(ids)
        if self._column is None:
            return logits
        z = logits[:, self._column : self._column + 1] / 2
        return torch.cat([-z, z], 1)

    def _logits(self, ids: Tensor) -> Tensor:
        logits: Tensor = self.module(input_ids=ids, attention_mask=torch.ones_like(ids)).logits
        return logits


def _check_vocabulary(table: Tensor, tokenizer: Any) -> None:
    if len(tokenizer) > len(table):
        raise InputError(f"the tokenizer has {len(tokenizer):,} pieces, the model's table {len(table):,} rows")


def _longest(config: Any) -> int | None:
    """The model's longest input in pieces, specials included; RoBERTa's kin begin to count behind the padding."""
    positions = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None)
    if positions is None:
        return None
    shifted = config.model_type in ("roberta", "xlm-roberta", "camembert", "mpnet", "longformer")
    return int(positions) - (config.pad_token_id + 1 if shifted else 0)


def _column(config: Any, label: str | None) -> int | None:
    """The one logit that is asked about; None where the classes exclude each other."""
    names = [config.id2label[i] for i in range(config.num_labels)]
    if config.num_labels == 1:
        return 0
    if config.problem_type != "multi_label_classification":
        return None
    if label not in names:
        raise InputError(f"the model's labels are independent: choose one by label=...; it has: {', '.join(names)}")
    return names.index(label)


def _names(config: Any, classes: Sequence[str] | None, column: int | None) -> tuple[str, ...]:
    count = config.num_labels if column is None else 2
    if classes is not None:
        if len(classes) != count or len(set(classes)) != count:
            raise InputError(f"the model has {count} classes, not {len(classes)}: {', '.join(classes)}")
        return tuple(classes)
    if column is None:
        return tuple(str(config.id2label[i]) for i in range(count))
    label = str(config.id2label[column])
    return (NEGATIVE, POSITIVE) if config.num_labels == 1 else (f"not {label}", label)
