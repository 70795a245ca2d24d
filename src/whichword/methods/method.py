"""What a method is: a frozen dataclass of settings with an ``explain``, entered in `METHODS` under its name."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from whichword.networks import Model
from whichword.registry import Registry
from whichword.sequences import Sequences


@dataclass(frozen=True)
class Questions:
    """A batch of (document, class): why k?

    ``ids`` [B, T] are word ids, ``targets`` [B] classes, ``keys`` name the documents. Randomness is a function of
    (seed, key, method) alone, never of order or batch.
    """

    ids: Sequences
    targets: Tensor
    keys: tuple[str, ...]
    seed: int = 0

    def __len__(self) -> int:
        return len(self.ids)

    def pick(self, rows: Sequence[int]) -> "Questions":
        """Some of the questions."""
        index = torch.as_tensor(rows, dtype=torch.long, device=self.targets.device)
        return Questions(self.ids.pick(index), self.targets[index], tuple(self.keys[i] for i in rows), self.seed)

    def randomness(self, row: int, purpose: str) -> np.random.Generator:
        """The random numbers that belong to this document and this purpose."""
        return next(self.each_randomness([row], purpose))

    def each_randomness(self, rows: Iterable[int], purpose: str) -> Iterator[np.random.Generator]:
        """Row by row, from one generator that is keyed anew: to make one takes longer than to draw from it."""
        bits = np.random.Philox(key=0)
        generator, fresh = np.random.Generator(bits), bits.state
        for row in rows:
            text = "\0".join((str(self.seed), self.keys[row], purpose))
            name = hashlib.blake2b(text.encode("utf8", "surrogatepass"), digest_size=16)
            fresh["state"]["key"] = np.frombuffer(name.digest(), dtype="<u8").astype(np.uint64)
            bits.state = fresh
            yield generator


@dataclass(frozen=True)
class Answer:
    """Relevances [B, T] (what stands in the padding is never read) and remarks on single rows."""

    values: Tensor
    notes: Mapping[int, str] = field(default_factory=dict)


class Method(Protocol):
    """A frozen dataclass; its fields are the settings that ``name[setting=value]`` can change.

    Two attributes are optional. ``needs`` names a capability without which the method is not defined for a model.
    A static ``together(model, questions, methods)`` answers several methods of the same class in passes they share; it
    returns an `Answer` or tensor for each.
    """

    def explain(self, model: Model, questions: Questions) -> Answer | Tensor:
        """phi(t, k, X) for each question, [B, T]."""
        ...


METHODS: Registry[Method] = Registry("method", "whichword.methods")
