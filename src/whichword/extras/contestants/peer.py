"""What the methods of other libraries have in common: a document at a time, a seed, a refusal, word switches."""

from __future__ import annotations

import importlib.util
import random
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from whichword.base.lazy import Tensor, torch
from whichword.errors import InputError, named
from whichword.methods.method import Answer, Method, Questions
from whichword.model import OUTPUTS, Batch, Differentiable, Model
from whichword.reading import WordSets
from whichword.types import Text

FAMILY = "contestants"
PROBE = ("a", "text", "of", "five", "words")


class Peer(Method, ABC):
    """A method of ``library``. Whether it takes a model shows on a short text: its own error is the reason.

    A model that may be asked about a bounded number of texts, or reads no word of ours, is not tried before.
    """

    library: ClassVar[str]
    foreign: ClassVar[bool] = True
    one_by_one: ClassVar[bool] = True

    @abstractmethod
    def explain(self, model: Any, questions: Questions) -> Answer:
        """Explain a single document: phi(t, k, X), [1, T]."""

    def refuses(self, model: Model) -> str | None:
        if importlib.util.find_spec(self.library) is None:  # looks for it without loading it
            return f"{self.library} is not installed: pip install 'whichword[contestants]'"
        probe = _probe(model)
        if probe is None:
            return None
        try:
            self.explain(
                model, Questions(probe, torch.zeros(1, dtype=torch.long, device=model.about.device), ("probe",))
            )
        except Exception as error:  # a library may raise anything
            return f"{self.library} says {named(error)}"
        return None


def _probe(model: Model) -> Batch | None:
    """Make a batch of one short text; None where the model cannot tell anything of one."""
    if not isinstance(model, Differentiable):
        return None
    try:
        probe = getattr(model, "probe", None)  # of a model that reads no word of ours
        if probe is not None:
            batch: Batch = probe()
            return batch
        return Batch.of([model.read(Text(PROBE, " ".join(PROBE)))], model.about.device)
    except InputError:
        return None


def check_output(output: str) -> None:
    if output not in OUTPUTS:
        raise InputError(f"output must be one of {', '.join(OUTPUTS)}, not {output!r}")


def at_least(name: str, value: int | None, least: int = 1) -> None:
    """Refuse a setting that counts things but is no whole number from ``least``."""
    if value is not None and (not isinstance(value, int) or value < least):
        raise InputError(f"{name} must be a whole number from {least}, not {value}")


def seed_of(questions: Questions, purpose: str) -> int:
    """Draw the document's own seed for a library that takes a number."""
    return int(questions.randomness(0, purpose).integers(2**31))  # a positive int32 suits all of them


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Begin every generator that a library may draw from at ``seed``; afterwards all are as they were.

    Libraries warn of what a person at a keyboard should know; a run of thousands of documents has no reader.
    """
    states = np.random.get_state(), random.getstate()  # libraries draw from the global ones
    with torch.random.fork_rng(devices=[]), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(seed)
        np.random.seed(seed)
        random.seed(seed)
        try:
            yield
        finally:
            np.random.set_state(states[0])
            random.setstate(states[1])


def chosen(scores: Tensor, k: Tensor, output: str) -> Tensor:
    """Pick o(k) of copies of one document, [n, K] -> [n]."""
    return (scores if output == "s" else scores.softmax(1))[:, int(k)]


GAP = "\x1f"  # between the words of a text that a library cuts again: a character that no word is made of


@dataclass(frozen=True, eq=False)
class WordSwitches:
    """o(k) of one document with only the words that are on: z [n, T] of 0 and 1 -> [n].

    A word that is off has zero vectors; of a model without vectors it is taken out of the text.
    """

    model: Model
    questions: Questions
    output: str

    @property
    def words(self) -> int:
        return int(self.questions.batch.words[0])

    @property
    def texts(self) -> list[str]:
        """The words that the model reads; a probe has ids alone, and names of no meaning."""
        readings = self.questions.batch.readings
        return list(readings[0].words[: self.words]) if readings else [f"word{t}" for t in range(self.words)]

    def __call__(self, z: Tensor) -> Tensor:
        off = (z < 0.5).to(self.questions.targets.device)  # libraries give floats
        nothing = torch.zeros_like(off)
        pair = (nothing, off) if isinstance(self.model, Differentiable) else (off, nothing)  # cut, blank
        rows = torch.zeros(len(z), dtype=torch.long, device=off.device)
        scores = self.model.score_edits(self.questions.batch, WordSets(rows, *pair))
        return chosen(scores, self.questions.targets[0], self.output).detach().double().cpu()

    def of_array(self, z: NDArray[Any]) -> NDArray[np.float64]:
        """Do the same for numpy."""
        values: NDArray[np.float64] = self(torch.as_tensor(np.asarray(z, dtype=np.float64))).numpy()
        return values

    def answer(self, values: Any) -> Answer:
        """Make an answer of a relevance per switch."""
        phi = torch.as_tensor(np.asarray(values, dtype=np.float64)).reshape(1, -1)
        outside = None if self.questions.batch.word is None else torch.zeros(1, dtype=torch.float64)
        return Answer(phi, rest=outside)
