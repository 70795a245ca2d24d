"""Any labelled text of the Hugging Face hub, through the extra `whichword[huggingface]`."""

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from whichword.corpora.building import Dropped, Intake, Rejected, by_content, distinct, text_document
from whichword.corpora.lines import label_of, text_of
from whichword.corpora.registry import CORPORA, CorpusAbout
from whichword.errors import FileError, InputError, SettingError
from whichword.text import sentence_model
from whichword.types import Corpus, Document


@CORPORA.register("huggingface")
@dataclass(frozen=True)
class HuggingFace:
    """``huggingface[dataset=ag_news]``; ``text`` and ``label`` name columns, ``train``, ``heldout``, ``test`` splits.

    Without a heldout split, a tenth of the training split, by a hash of the text, is heldout.
    """

    dataset: str = ""
    configuration: str = ""
    revision: str = ""
    text: str = "text"
    label: str = "label"
    train: str = "train"
    heldout: str = ""
    test: str = "test"
    strict: bool = True

    about: ClassVar[CorpusAbout] = CorpusAbout(
        source="the Hugging Face hub, https://huggingface.co/datasets",
        licence="by dataset",
        how='install the extra, `pip install "whichword[huggingface]"`, and name a dataset: huggingface[dataset=NAME]',
    )

    def read(self, data: Path, seed: int) -> Corpus:
        if not self.dataset:
            raise SettingError("corpus huggingface: name a dataset: huggingface[dataset=NAME]")
        loaded = {name: self._load(name, data) for name in (self.train, self.heldout, self.test) if name}
        intake = Intake(self.strict)
        first, second, third = (list(self._documents(loaded.get(n), n, intake)) for n in self._splits)
        documents = distinct([*first, *second, *third])
        train, heldout, _ = by_content(
            documents[: len(first)], (100 if self.heldout else 90, 0 if self.heldout else 10, 0)
        )
        later = documents[len(first) :]
        record = {"source": f"{self.dataset} {self.revision}".strip(), "sentences": sentence_model(), **intake.record()}
        classes = tuple(sorted({document.label for document in documents}))
        return Corpus("huggingface", classes, train, (*heldout, *later[: len(second)]), later[len(second) :], record)

    @property
    def _splits(self) -> tuple[str, str, str]:
        return self.train, self.heldout, self.test

    def _load(self, split: str, data: Path) -> Any:
        try:
            datasets = importlib.import_module("datasets")  # an extra
        except ImportError:
            raise InputError(f"corpus huggingface: {self.about.how}") from None
        try:
            return datasets.load_dataset(
                self.dataset, self.configuration or None, split=split, revision=self.revision or None
            )
        except Exception as error:  # the hub has dozens of kinds: no network, no such name, no such split, ...
            reason = str(error).strip().splitlines() or [type(error).__name__]
            raise FileError(f"corpus huggingface: {self.dataset}, split {split}: {reason[0]}") from None

    def _documents(self, rows: Any, split: str, intake: Intake) -> Iterator[Document]:
        if rows is None:
            return
        names = getattr(rows.features.get(self.label), "names", None)  # of classes that are stored as numbers

        def parse(row: dict[str, Any]) -> Document:
            text, label = text_of(row, self.text), label_of(row, self.label)
            if names:
                if not 0 <= row[self.label] < len(names):  # -1 stands for no label
                    raise Rejected(f"{self.label!r} is {label}: no class")
                label = names[row[self.label]]
            if not text.strip():
                raise Dropped("without words")
            return text_document(text, label)

        yield from intake.read(Path(self.dataset) / split, enumerate(rows, 1), parse)  # stands for the file in messages
