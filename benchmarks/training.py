"""``python -m benchmarks.training``: words per second and core that each network is trained with.

Beside them, in turns, the plain way: the steps that define the networks under autograd, the whole embedding's gradient
and torch's Adam. A full run of the benchmarks has this table too.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import torch
from torch import Tensor
from torch.nn import functional

from benchmarks.tables import row_of, table_of
from benchmarks.timing import Run, alternate, median
from whichword.base.runtime import keep_memory
from whichword.model import Batch
from whichword.networks import Config, Dropout, Network
from whichword.rules import PLAIN
from whichword.sequences import Sequences
from whichword.text import Vocabulary
from whichword.training.adam import Adam
from whichword.training.loop import descend, noisy_scores

BATCHES = 8
HEAD = ("network", "vocabulary", "embedding, hidden", "batch x words", "words/s", "the plain way", "ratio")


@dataclass(frozen=True)
class TrainingCase:
    """A network and its batches: ``vocabulary`` words by Zipf's law, documents of about ``length``."""

    kind: str
    bidirectional: bool
    embedding: int
    hidden: int
    vocabulary: int
    batch: int
    length: int

    def network(self) -> Network:
        torch.manual_seed(0)
        config = Config(self.kind, ("a", "b", "c"), self.embedding, self.hidden, self.bidirectional)
        return Network.of(config, Vocabulary(tuple(f"w{n}" for n in range(self.vocabulary - 1))))

    def batches(self) -> list[tuple[Sequences, Tensor]]:
        """Word ids and classes."""
        random = torch.Generator().manual_seed(1)

        def document() -> list[int]:
            length = max(1, round(self.length * (0.95 + 0.1 * float(torch.rand(1, generator=random)))))
            ranks = torch.exp(torch.rand(length, generator=random) * torch.tensor(float(self.vocabulary)).log())
            return (ranks.long() - 1).tolist()

        return [
            (Sequences.of([document() for _ in range(self.batch)]), torch.randint(3, (self.batch,), generator=random))
            for _ in range(BATCHES)
        ]

    def words(self) -> float:
        """Per batch."""
        return float(sum(int(ids.lengths.sum()) for ids, _ in self.batches())) / BATCHES


TOPICS = [TrainingCase(kind, True, 100, 75, 50_000, 16, 200) for kind in ("gru", "qgru", "lstm", "qlstm")]
AGREEMENT = [TrainingCase(kind, False, 50, 50, 10_000, 16, 7) for kind in ("gru", "qgru", "lstm", "qlstm", "cnn")]
CASES = [*TOPICS, TrainingCase("cnn", False, 100, 150, 50_000, 16, 200), *AGREEMENT]


def ours(case: TrainingCase) -> Run:
    network = case.network()
    adam, batches = Adam(network, 1e-3), case.batches()

    def step() -> None:
        ids, classes = batches[adam.step % BATCHES]
        noise = Dropout(0.5, _random(adam.step))
        descend(adam, ids, classes, lambda e: noisy_scores(network, e, noise))

    return step


def plain(case: TrainingCase) -> Run:
    network = case.network()
    adam, batches, numbers = torch.optim.Adam(network.parameters(), lr=1e-3), case.batches(), count()

    def step() -> None:
        number = next(numbers)
        ids, classes = batches[number % BATCHES]
        loss = functional.cross_entropy(_plain_scores(network, ids, Dropout(0.5, _random(number))), classes)
        adam.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        adam.step()

    return step


def _random(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def _plain_scores(network: Network, ids: Sequences, noise: Dropout) -> Tensor:
    """s with dropout after the embedding, inside the encoder and before the read-out."""
    e = network.embed(Batch(ids, ids.lengths))
    h = network.encode_plainly(ids.with_data(e * noise.mask(tuple(e.shape), e)), PLAIN, noise)
    return functional.linear(h * noise.mask(tuple(h.shape), h), network.w, network.readout_b)


def measure(turns: int) -> Iterator[list[str]]:
    """The cells of each row of the table."""
    for case in CASES:
        times = alternate(ours(case), plain(case), turns)
        name = f"{'two-way ' if case.bidirectional else ''}{case.kind}"
        sizes = [f"{case.vocabulary:,}", f"{case.embedding}, {case.hidden}", f"{case.batch} x {case.length}"]
        rates = [f"{case.words() / median(seconds):,.0f}" for seconds in (times.ours, times.theirs)]
        yield [name, *sizes, *rates, f"{times.median:.1f}"]


def main() -> None:
    torch.set_num_threads(1)
    keep_memory()
    print(table_of(HEAD, []))
    for cells in measure(3 if os.environ.get("QUICK") else 9):
        print(row_of(cells), flush=True)


if __name__ == "__main__":
    main()
