"""``experiments.league:lstm``: an nn.LSTM as people write it, for docs/league.md; trained here in half a minute.

    whichword trust experiments.league:lstm --corpus grammar -m all,contestants --limit 300

It reads a sentence up to its verb and says whether the verb is singular or plural. ``experiments.league:finance`` is
somebody else's, with the weights that ``make models ONLY=finance-lstm`` puts into the folder WHICHWORD_MODELS.
"""

import json
import os
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

import whichword
from whichword.corpora import read_corpus
from whichword.errors import InputError
from whichword.model import Model
from whichword.types import Document

EPOCHS, BATCH, RATE, SIZE = 6, 32, 0.005, 32
UNKNOWN = "[unk]"


class LastState(nn.Module):
    """A word table, an nn.LSTM, and a linear layer on its last state."""

    def __init__(self, words: int, embedding: int, hidden: int, classes: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, embedding)
        self.lstm, self.fc = nn.LSTM(embedding, hidden, batch_first=True), nn.Linear(hidden, classes)

    def forward(self, ids: Tensor) -> Tensor:
        scores: Tensor = self.fc(self.lstm(self.embedding(ids))[1][0][-1])
        return scores


@cache
def lstm() -> Model:
    """Fitted to the corpus ``grammar``; the same weights whenever it is asked for."""
    corpus = read_corpus("grammar")
    words = [UNKNOWN, *sorted({word for document in corpus.train for word in document.words})]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        module = LastState(len(words), SIZE, SIZE, len(corpus.classes))
        _fit(module, corpus.train, words, corpus.classes)
    return whichword.wrap(module.eval(), vocabulary=words, classes=corpus.classes, unknown=UNKNOWN)


def _fit(module: nn.Module, documents: Sequence[Document], words: Sequence[str], classes: Sequence[str]) -> None:
    number = {word: row for row, word in enumerate(words)}
    optimizer = torch.optim.Adam(module.parameters(), RATE)
    for batch in (batch for _ in range(EPOCHS) for batch in _batches(documents)):
        ids = torch.tensor([[number[word] for word in document.words] for document in batch])
        labels = torch.tensor([classes.index(document.label) for document in batch])
        optimizer.zero_grad()
        nn.functional.cross_entropy(module(ids), labels).backward()  # type: ignore[no-untyped-call]
        optimizer.step()


def _batches(documents: Sequence[Document]) -> Iterator[list[Document]]:
    """Sentences of one length, so that nothing is padded, in an order drawn by torch's seed."""
    by_length: dict[int, list[Document]] = {}
    for i in torch.randperm(len(documents)).tolist():
        batch = by_length.setdefault(len(documents[i].words), [])
        batch.append(documents[i])
        if len(batch) == BATCH:
            yield by_length.pop(len(batch[0].words))
    yield from by_length.values()


@cache
def finance() -> Model:
    """The sentiment of headlines, by the package fin-sentiment."""
    folder = Path(os.environ.get("WHICHWORD_MODELS", "models")) / "finance-lstm"
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; make models ONLY=finance-lstm fetches it")
    vocabulary, classes = (
        json.loads((folder / f"{name}.json").read_text("utf8")) for name in ("vocabulary", "classes")
    )
    weights = load_file(folder / "weights.safetensors")
    words, embedding = weights["embedding.weight"].shape
    module = LastState(words, embedding, weights["fc.weight"].shape[1], len(classes))
    module.load_state_dict(weights)
    return whichword.wrap(module.eval(), lambda word: vocabulary.get(word.lower(), 1), classes=classes)
