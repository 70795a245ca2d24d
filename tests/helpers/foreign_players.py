"""Models for runs, spelled foreign_players:NAME: one that reads six words, and services that fail now and then.

What a service does is said by a file, whose name is in the environment: the code of a model must not change in a run.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from planted_corpus import CLASSES, PLANTED

import whichword
from whichword.base.lazy import Tensor
from whichword.model import Batch, Model, Reading
from whichword.models.blackbox import BlackBox
from whichword.text.places import head
from whichword.types import Text, Written

SIGHT = 6
MOOD = "FOREIGN_PLAYERS_MOOD"


def probabilities(texts: Sequence[str]) -> list[list[float]]:
    """By the planted words of each class."""
    counts = [[0.1 + sum(word in PLANTED[name] for word in text.split()) for name in CLASSES] for text in texts]
    return [[count / sum(row) for count in row] for row in counts]


class Shortsighted(BlackBox):
    """Reads the first six words."""

    def read(self, document: Written) -> Reading:
        seen, unknown = min(SIGHT, len(document.words)), [False] * len(document.words)
        return Reading(document.words, document.text, [0] * seen, range(seen), unknown, seen)

    def score(self, batch: Batch) -> Tensor:
        texts = [Text(reading.words[: reading.seen], head(reading, reading.seen)) for reading in batch.readings]
        return super().score(Batch.of([BlackBox.read(self, text) for text in texts]))


def shortsighted() -> Model:
    return Shortsighted(probabilities, CLASSES)


def mood() -> dict[str, Any]:
    """``fails``: texts with this word get no answer; ``every``: nor does each such call, so that the next one does."""
    body: dict[str, Any] = json.loads(Path(os.environ[MOOD]).read_text())
    return body


class Service:
    """A function that may be down."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, texts: list[str]) -> list[list[float]]:
        self.calls += 1
        now = mood()
        if now.get("every") and self.calls % now["every"] == 0:
            raise TimeoutError("try again later")
        if any(now.get("fails", "-") in text.split() for text in texts):
            raise ConnectionError("the service\nis down")
        return probabilities(texts)


def service() -> Model:
    return whichword.wrap(Service(), classes=CLASSES, pause=0.0)
