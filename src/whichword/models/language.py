"""Language models in the agreement game: which of a verb's two forms comes next?

X is what stands before the verb. With l_k the logit of the first piece of form k, with its leading space, after X:
s_k = (l_k - l_other) / 2, since only differences of logits mean anything; ``score="logit"`` takes l_k itself.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from whichword.errors import InputError
from whichword.model import Batch, Reading
from whichword.models.huggingface import Pieces
from whichword.models.module import ModuleModel
from whichword.types import About, Text, Written

NUMBERS = ("singular", "plural")
SCORES = ("difference", "logit")


@dataclass(frozen=True)
class VerbReading(Reading):
    """A reading and the first pieces of the two forms that may follow."""

    forms: tuple[int, int] = (0, 0)


class LanguageModel(ModuleModel):
    """A causal or masked language model. A document's facts name the verb's forms: ``singular`` and ``plural``."""

    def __init__(self, module: Any, tokenizer: Any, score: str = "difference") -> None:
        super().__init__(module, module.get_input_embeddings().weight, has_attention=True)
        if score not in SCORES:
            raise InputError(f"score must be one of {', '.join(SCORES)}, not {score!r}")
        self._score, self._tokenizer = score, tokenizer
        self._pieces = Pieces(tokenizer, getattr(module.config, "max_position_embeddings", None))
        self._masked = "MaskedLM" in type(module).__name__
        parameters = inspect.signature(module.forward).parameters
        self._only_last = {"logits_to_keep": 1} if "logits_to_keep" in parameters and not self._masked else {}
        facts = {"type": module.config.model_type, "score": score}
        dtype = str(self.table.dtype).removeprefix("torch.")
        self.about = About(type(module).__name__, NUMBERS, dtype, str(self.table.device), facts)

    def read(self, document: Written) -> VerbReading:
        mask = self._tokenizer.mask_token if self._masked else None
        text = document.text if mask is None else f"{document.text} {mask}"
        reading = self._pieces.read(Text(document.words, text))
        word = list(reading.word)
        ids = list(reading.ids)
        if mask is not None:
            word[ids.index(self._tokenizer.mask_token_id)] = -1
        elif ids and ids[-1] == self._tokenizer.eos_token_id and word[-1] < 0:
            ids, word = ids[:-1], word[:-1]  # nothing follows the end of a text
        return VerbReading(
            document.words, document.text, ids, word, reading.unknown, reading.seen, self._forms(document)
        )

    def _forms(self, document: Written) -> tuple[int, int]:
        facts = getattr(document, "facts", {})
        missing = [number for number in NUMBERS if number not in facts]
        if missing:
            raise InputError(f"the verb's {missing[0]} form is not known: a document's facts have to name both")
        first, second = (self.first_piece(facts[number]) for number in NUMBERS)
        if first == second:
            raise InputError(f"{facts['singular']} and {facts['plural']} begin with the same piece")
        return first, second

    def first_piece(self, form: str) -> int:
        """The first piece of a verb form, with its leading space."""
        ids: list[int] = self._tokenizer(f"a {form}", add_special_tokens=False)["input_ids"]
        before = len(self._tokenizer("a", add_special_tokens=False)["input_ids"])
        return ids[before]

    def call(self, ids: Tensor, batch: Batch, rows: Tensor) -> Tensor:
        output = self.module(input_ids=ids, attention_mask=torch.ones_like(ids), **self._only_last)
        readings = [batch.readings[row] for row in rows.tolist()]
        forms = torch.tensor([getattr(reading, "forms") for reading in readings], device=ids.device)  # noqa: B009
        logits = self._at(output.logits, ids).gather(1, forms)
        return logits if self._score == "logit" else (logits - logits.flip(1)) / 2

    def _at(self, logits: Tensor, ids: Tensor) -> Tensor:
        """The logits after the last piece, or at the mask; [n, V]."""
        if not self._masked:
            return logits[:, -1]
        place = (ids == self._tokenizer.mask_token_id).int().argmax(1)
        return logits[torch.arange(len(ids), device=ids.device), place]
