"""Three models that are none of ours: one gives scores only, one gradients, one gradients and rules.

The last two read pieces of at most three letters, several per word, between two pieces that are no word's.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from whichword.model import Batch, Differentiable, Model, Reading, Ruled
from whichword.rules import PLAIN, Rules
from whichword.text.places import spans
from whichword.types import About, Written

CLASSES = ("no", "yes", "maybe")
OPEN, CLOSE, FIRST = 0, 1, 2  # ids of the special pieces, and of the first one of a text; padding has that of OPEN
LETTERS, VOCABULARY, EMBEDDING, HIDDEN = 3, 50, 4, 5
TEXTS = [
    "",
    "extraordinarily",
    "It wasn't good.",
    " Never\n\n\tsay   never again, she said;  do \r\n it ",
    ["a", "very", "extraordinarily", "good", "film", "a"],
]


class Letters(Model):
    """Scores only: s_k = sum_i w_i cos((k + 1) c_i + i) of the characters c_i: nothing in a text is without effect.

    It reads the text as it was written, up to the end of its first ``limit`` words; nobody has frozen its weights.
    """

    about = About("letters", CLASSES, "float64")

    def __init__(self, limit: int = 100) -> None:
        self.limit = limit
        self.w = nn.Parameter(torch.linspace(1.0, 2.0, 1000, dtype=torch.float64))

    def read(self, document: Written) -> Reading:
        count = len(document.words)
        unknown = [not word.isascii() for word in document.words]
        return Reading(document.words, document.text, range(count), range(count), unknown, min(count, self.limit))

    def score(self, batch: Batch) -> Tensor:
        return torch.stack([self.score_text(self._visible(reading)) for reading in batch.readings])

    def _visible(self, reading: Reading) -> str:
        """All of the text, if all of its words are read."""
        if reading.seen == len(reading.words):
            return reading.text
        return reading.text[: spans(reading)[reading.seen - 1][1]]

    def score_text(self, text: str) -> Tensor:
        letters = torch.tensor([ord(letter) for letter in text], dtype=torch.float64)
        k, i = torch.arange(1.0, 4.0, dtype=torch.float64)[:, None], torch.arange(len(text))
        return (self.w[: len(text)] * torch.cos(k * letters + i)).sum(1)


def pieces(word: str) -> list[int]:
    """A word's pieces of at most three letters."""
    parts = [word[start : start + LETTERS] for start in range(0, len(word), LETTERS)]
    return [FIRST + sum(place * ord(letter) for place, letter in enumerate(part, 1)) % VOCABULARY for part in parts]


def read_pieces(document: Written, limit: int) -> Reading:
    """The pieces of the first ``limit`` words between the two special ones."""
    words = document.words[:limit]
    cut = [(piece, t) for t, word in enumerate(words) for piece in pieces(word)]
    ids, word_of = [OPEN, *(piece for piece, _ in cut), CLOSE], [-1, *(t for _, t in cut), -1]
    unknown = [not word.isascii() for word in document.words]
    return Reading(document.words, document.text, ids, word_of, unknown, len(words))


def draw(model: nn.Module, seed: int = 4) -> None:
    """Weights of a size that makes everything matter, in double precision."""
    generator = torch.Generator().manual_seed(seed)
    for parameter in model.double().parameters():
        parameter.data.copy_(0.7 * torch.randn(parameter.shape, generator=generator, dtype=torch.float64))


class Recurring(nn.Module, Differentiable):
    """Gradients only: nn.LSTM, which is not written in the words of `rules`."""

    about = About("recurring", CLASSES, "float64")

    def __init__(self, limit: int = 100) -> None:
        super().__init__()
        self.limit = limit
        self.embedding = nn.Embedding(FIRST + VOCABULARY, EMBEDDING)
        self.lstm = nn.LSTM(EMBEDDING, HIDDEN, batch_first=True)
        self.readout = nn.Linear(HIDDEN, len(CLASSES))
        draw(self)

    def read(self, document: Written) -> Reading:
        return read_pieces(document, self.limit)

    def embed(self, batch: Batch) -> Tensor:
        return self.embedding(batch.ids.data)

    def forward(self, e: Tensor, batch: Batch) -> Tensor:
        states, _ = self.lstm(batch.ids.with_data(e).filled().data)
        return self.readout(batch.ids.with_data(states).last())


class Bag(nn.Module, Ruled):
    """Gradients and rules: s = w sum_p relu(A e_p + b) + c; without biases LRP keeps every bit of s."""

    about = About("bag", CLASSES, "float64")

    def __init__(self, limit: int = 100, bias: bool = False) -> None:
        super().__init__()
        self.limit = limit
        self.embedding = nn.Embedding(FIRST + VOCABULARY, EMBEDDING)
        self.inner = nn.Linear(EMBEDDING, HIDDEN, bias=bias)
        self.readout = nn.Linear(HIDDEN, len(CLASSES), bias=bias)
        draw(self)

    def read(self, document: Written) -> Reading:
        return read_pieces(document, self.limit)

    def embed(self, batch: Batch) -> Tensor:
        return self.embedding(batch.ids.data)

    def forward(self, e: Tensor, batch: Batch, rules: Rules | None = None) -> Tensor:
        rules = rules or PLAIN
        g = rules.act(torch.relu, rules.node(self.inner(batch.ids.with_data(e).filled().data)))
        return rules.node(self.readout(rules.node(batch.ids.with_data(g).filled().data.sum(1))))


FOREIGN: dict[str, type[Model]] = {"letters": Letters, "recurring": Recurring, "bag": Bag}


def of_pieces(ids: Sequence[int], model: Recurring | Bag, blank: Sequence[int] = ()) -> Tensor:
    """s of these pieces alone, [K], the vectors of those at ``blank`` zero: nothing of the package computes it."""
    e = model.embedding.weight.detach()[list(ids)].clone()
    e[list(blank)] = 0.0
    if isinstance(model, Recurring):
        return model.readout(model.lstm(e)[0][-1]).detach()
    return model.readout(torch.relu(model.inner(e)).sum(0)).detach()
