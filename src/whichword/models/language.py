"""Language models in the agreement game: which of a verb's two forms comes next?

X is what stands before the verb. With l_k the logit of the first piece of form k, with its leading space, after X:
s_k = (l_k - l_other) / 2, since only differences of logits mean anything; ``score="logit"`` takes l_k itself.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor

from whichword.errors import InputError, SettingError
from whichword.model import Batch, Reading
from whichword.models.huggingface import PROBE, check_vocabulary, longest_input, model_facts, piece_table
from whichword.models.pieces import PieceReader
from whichword.models.transformer import TransformerModel
from whichword.types import NUMBERS, About, Text, Written

SCORES = ("difference", "logit")


UNKNOWN = "a form of the verb is not known"
ALIKE = "the verb's forms begin with the same piece"
UNREADABLE = "the tokenizer does not know a form of the verb"
LONG = "a form of the verb has several pieces, and a mask stands for one"


class VerbFormsError(InputError):
    """A sentence that cannot be asked about: its verb's two forms are not known, or not told apart by one piece.

    ``reason`` is the same for sentences alike.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(slots=True)
class VerbReading(Reading):
    """A reading and the first pieces of the two forms that may follow."""

    forms: tuple[int, int] = (0, 0)


class LanguageModel(TransformerModel):
    """A causal or masked language model. A document's facts name the verb's forms: ``singular`` and ``plural``.

    A masked one reads X and then its mask; forms of several pieces do not fit there.
    """

    def __init__(self, module: Any, tokenizer: Any, score: str = "difference") -> None:
        super().__init__(module, piece_table(module))
        if score not in SCORES:
            raise SettingError(f"score must be one of {', '.join(SCORES)}, not {score!r}")
        self._pieces = PieceReader(tokenizer, longest_input(module, self.table))
        check_vocabulary(self.table, tokenizer)
        self._score, self._tokenizer = score, tokenizer
        self._first_pieces: dict[str, int] = {}
        self._masked = "MaskedLM" in type(module).__name__
        if not self._masked and "logits_to_keep" in inspect.signature(module.forward).parameters:
            self.options["logits_to_keep"] = 1  # logits of all pieces would be large
        dtype = str(self.table.dtype).removeprefix("torch.")
        facts = model_facts(module) | {"score": score}
        self.about = About(type(module).__name__, NUMBERS, dtype, str(self.table.device), facts)
        self.settle()

    def read(self, document: Written) -> VerbReading:
        return self._reading(document, self._forms(document))

    def refusal(self, document: Written) -> str:
        try:
            self._forms(document)
        except VerbFormsError as error:
            return error.reason
        return ""

    def _reading(self, document: Written, forms: tuple[int, int]) -> VerbReading:
        reading = self._pieces.read(document, f" {self._tokenizer.mask_token}" if self._masked else "")
        ids, word = list(reading.ids), list(reading.word)
        if not self._masked and ids and ids[-1] == self._tokenizer.eos_token_id and word[-1] < 0:
            ids, word = ids[:-1], word[:-1]  # nothing follows the end of a text
        return VerbReading(reading.words, reading.text, ids, word, reading.unknown, reading.seen, forms)

    def probe(self) -> Batch:
        return Batch.of([self._reading(Text(tuple(PROBE.split()), PROBE), (0, 1))], self.about.device)  # any forms

    def _forms(self, document: Written) -> tuple[int, int]:
        facts = getattr(document, "facts", {})
        missing = [number for number in NUMBERS if number not in facts]
        if missing:
            told = f"the verb's {missing[0]} form is not known: a document's facts have to name both"
            raise VerbFormsError(UNKNOWN, told)
        first, second = (self.first_piece(facts[number]) for number in NUMBERS)
        if first == second:
            raise VerbFormsError(ALIKE, f"{facts['singular']} and {facts['plural']} begin with the same piece")
        return first, second

    def first_piece(self, form: str) -> int:
        """Return the first piece of a verb form, with its leading space; a tokenizer is asked about a form once."""
        if form not in self._first_pieces:
            self._first_pieces[form] = self._first_piece(form)
        return self._first_pieces[form]

    def _first_piece(self, form: str) -> int:
        # behind a word, so that the form has its leading space; the pieces of the "a" end at 1
        encoded = self._tokenizer(f"a {form}", add_special_tokens=False, return_offsets_mapping=True)
        pieces = [i for i, (_, end) in zip(encoded["input_ids"], encoded["offset_mapping"], strict=True) if end > 1]
        if not pieces or pieces[0] == self._tokenizer.unk_token_id:
            raise VerbFormsError(UNREADABLE, f"the tokenizer does not know {form!r}")
        if self._masked and len(pieces) > 1:
            raise VerbFormsError(LONG, f"{form} has {len(pieces)} pieces: a mask stands for one")
        return int(pieces[0])

    def scores(self, output: Any, ids: Tensor, batch: Batch, rows: Tensor) -> Tensor:
        readings = cast(Sequence[VerbReading], [batch.readings[row] for row in rows.tolist()])  # as `read` made them
        forms = torch.tensor([reading.forms for reading in readings], device=ids.device)
        logits = self._at(output.logits, ids).gather(1, forms)
        return logits if self._score == "logit" else (logits - logits.flip(1)) / 2

    def _at(self, logits: Tensor, ids: Tensor) -> Tensor:
        """Return the logits after the last piece, or at the mask, which is the last of its kind; [n, V]."""
        if not self._masked:
            return logits[:, -1]
        behind = (ids == self._tokenizer.mask_token_id).flip(1).int().argmax(1)  # pieces after the mask
        return logits[torch.arange(len(ids), device=ids.device), ids.shape[1] - 1 - behind]
