"""What a method is asked, and what it answers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from whichword.lazy import Tensor, torch
from whichword.model import Batch
from whichword.text.keys import content_key


@dataclass(frozen=True)
class Questions:
    """A batch of (document, class): why k?

    ``targets`` [B] are classes; ``keys`` name the documents (none: by their words). Randomness is a function of
    (seed, key, method) alone, never of order or batch.
    """

    batch: Batch
    targets: Tensor
    keys: tuple[str, ...] = ()
    seed: int = 0

    def __len__(self) -> int:
        return len(self.batch)

    def pick(self, rows: Sequence[int]) -> Questions:
        """Some of the questions."""
        index = torch.as_tensor(rows, dtype=torch.long, device=self.targets.device)
        keys = tuple(self.keys[i] for i in rows) if self.keys else ()
        return Questions(self.batch.pick(index), self.targets[index], keys, self.seed)

    def zeros(self) -> Tensor:
        """A number per word, [B, T]."""
        return torch.zeros(len(self.batch), self.batch.width, dtype=torch.float64)

    def randomness(self, row: int, purpose: str) -> np.random.Generator:
        """The random numbers that belong to this document and this purpose."""
        return next(self.each_randomness([row], purpose))

    def each_randomness(self, rows: Iterable[int], purpose: str) -> Iterator[np.random.Generator]:
        """Row by row, from one generator that is keyed anew: to make one takes longer than to draw from it."""
        bits = np.random.Philox(key=0)
        generator, fresh = np.random.Generator(bits), bits.state
        for row in rows:
            text = "\0".join((str(self.seed), self._key(row), purpose))
            name = hashlib.blake2b(text.encode("utf8", "surrogatepass"), digest_size=16)
            fresh["state"]["key"] = np.frombuffer(name.digest(), dtype="<u8").astype(np.uint64)
            bits.state = fresh
            yield generator

    def _key(self, row: int) -> str:
        return self.keys[row] if self.keys else content_key(*self.batch.readings[row].words)


@dataclass(frozen=True)
class Answer:
    """Relevances [B, T] (what stands in the padding is never read) and remarks on single rows.

    ``rest`` [B] is what fell on pieces outside the text; None: the model has none.
    """

    values: Tensor
    notes: Mapping[int, str] = field(default_factory=dict)
    rest: Tensor | None = None


def answered(answer: Answer | Tensor) -> Answer:
    """A method may answer with relevances alone."""
    return answer if isinstance(answer, Answer) else Answer(answer)
