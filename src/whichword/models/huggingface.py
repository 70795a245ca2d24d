"""Hugging Face's classifiers with a fast tokenizer, as they are: encoders and decoders alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import Tensor, nn

from whichword.errors import InputError, SettingError
from whichword.model import Batch, Reading
from whichword.models.pieces import PieceReader
from whichword.models.transformer import TransformerModel
from whichword.models.words import two_classes
from whichword.types import About, Text, Written

NEGATIVE, POSITIVE = "negative", "positive"
PROBE = "a text of six short words"
SPARE = 1024  # rows that a table may have more than its tokenizer has pieces: some are rounded up


class Classifier(TransformerModel):
    """A model for sequence classification. One logit z is two classes: s = -z/2 and z/2.

    Where several labels are independent of each other (sigmoids), ``label`` is the one that is asked about.
    """

    def __init__(
        self, module: Any, tokenizer: Any, classes: Sequence[str] | None = None, label: str | None = None
    ) -> None:
        super().__init__(module, piece_table(module))
        self._pieces = PieceReader(tokenizer, longest_input(module, self.table))
        check_vocabulary(self.table, tokenizer)
        self._column = _column(module.config, label)
        self.passed_over = module.config.pad_token_id  # decoders read out before the padding
        self.one_by_one = module.config.pad_token_id is None  # such a decoder finds the last piece of one text alone
        facts = model_facts(module) | {"vocabulary": f"{len(tokenizer):,} pieces"}
        names, dtype = _names(module.config, classes, self._column), str(self.table.dtype).removeprefix("torch.")
        self.about = About(type(module).__name__, names, dtype, str(self.table.device), facts)
        self.settle()

    def read(self, document: Written) -> Reading:
        return self._pieces.read(document)

    def probe(self) -> Batch:
        return Batch.of([self.read(Text(tuple(PROBE.split()), PROBE))], self.about.device)

    def scores(self, output: Any, ids: Tensor, batch: Batch, rows: Tensor) -> Tensor:
        logits: Tensor | None = getattr(output, "logits", None)
        if logits is None:
            raise InputError(f"{self.about.name} gives no logits: a model for sequence classification is needed")
        return logits if self._column is None else two_classes(logits[:, self._column])


def piece_table(module: Any) -> Tensor:
    """Return the rows of the pieces."""
    embedding = module.get_input_embeddings()
    if not isinstance(embedding, nn.Embedding):
        raise InputError(f"{type(module).__name__} does not look pieces up in an nn.Embedding")
    return embedding.weight


def check_vocabulary(table: Tensor, tokenizer: Any) -> None:
    if not len(table) - SPARE <= len(tokenizer) <= len(table):
        raise InputError(
            f"the tokenizer has {len(tokenizer):,} pieces, the model's table {len(table):,} rows: "
            "they do not belong together"
        )


def longest_input(module: Any, table: Tensor) -> int | None:
    """Return the longest input in pieces, specials included; RoBERTa's kin begin to count behind the padding."""
    config = module.config
    positions = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None)
    if positions is None or positions < 0:  # -1: no limit
        return None
    tables = [part for part in module.modules() if isinstance(part, nn.Embedding) and part.weight is not table]
    skipped = [t.padding_idx + 1 for t in tables if t.num_embeddings == positions and t.padding_idx is not None]
    return int(positions) - max(skipped, default=0)


def model_facts(module: Any) -> dict[str, str]:
    count = sum(parameter.numel() for parameter in module.parameters())
    return {"type": module.config.model_type, "parameters": f"{count:,}"}


def _column(config: Any, label: str | None) -> int | None:
    """Return the one logit that is asked about; None where the classes exclude each other."""
    names = [config.id2label[i] for i in range(config.num_labels)]
    if config.num_labels == 1:
        return 0  # one logit is two classes, by its sigmoid
    if config.problem_type != "multi_label_classification":
        if label is not None:
            raise SettingError("the model's labels exclude each other: leave label= out, name a class by target=")
        return None
    if label not in names:
        raise SettingError(f"the model's labels are independent: choose one by label=...; it has: {', '.join(names)}")
    return names.index(label)


def _names(config: Any, classes: Sequence[str] | None, column: int | None) -> tuple[str, ...]:
    count = config.num_labels if column is None else 2
    if classes is not None:
        if len(classes) != count or len(set(classes)) != count:
            raise SettingError(f"the model has {count} classes, not {len(classes)}: {', '.join(classes)}")
        return tuple(classes)
    if column is None:
        return tuple(str(config.id2label[i]) for i in range(count))
    label = str(config.id2label[column])
    return (NEGATIVE, POSITIVE) if config.num_labels == 1 else (f"not {label}", label)
