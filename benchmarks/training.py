"""``python -m benchmarks.training``: words a second and core that each network is trained with.

Beside them, in turns, the plain way: the steps that define the networks under autograd, the whole embedding's gradient
and torch's Adam.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from benchmarks.results import median
from benchmarks.timing import alternate
from whichword.allocation import keep_memory
from whichword.networks import Dropout, Encoder, Network
from whichword.networks.gated import Gated
from whichword.networks.network import Config
from whichword.rules import PLAIN
from whichword.sequences import Sequences
from whichword.text import Vocabulary
from whichword.training.adam import Adam
from whichword.training.loop import descend

BATCHES = 8


@dataclass(frozen=True)
class Case:
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
        return Network(config, Vocabulary(tuple(f"w{n}" for n in range(self.vocabulary - 1))))

    def batches(self) -> list[tuple[Sequences, Tensor]]:
        random = torch.Generator().manual_seed(1)

        def document() -> list[int]:
            length = max(1, round(self.length * (0.95 + 0.1 * float(torch.rand(1, generator=random)))))
            ranks = torch.exp(torch.rand(length, generator=random) * torch.tensor(float(self.vocabulary)).log())
            return (ranks.long() - 1).tolist()

        return [
            (Sequences.of([document() for _ in range(self.batch)]), torch.randint(3, (self.batch,), generator=random))
            for _ in range(BATCHES)
        ]


TOPICS = [Case(kind, True, 100, 75, 50_000, 16, 200) for kind in ("gru", "qgru", "lstm", "qlstm")]
AGREEMENT = [Case(kind, False, 50, 50, 10_000, 16, 7) for kind in ("gru", "qgru", "lstm", "qlstm", "cnn")]
CASES = [*TOPICS, Case("cnn", False, 100, 150, 50_000, 16, 200), *AGREEMENT]


def ours(case: Case) -> Callable[[], object]:
    network = case.network()
    adam, batches = Adam(network, 1e-3), case.batches()

    def step() -> None:
        ids, classes = batches[adam.step % BATCHES]
        descend(network, adam, ids, classes, Dropout(0.5, torch.Generator().manual_seed(adam.step)))

    return step


def plain(case: Case) -> Callable[[], object]:
    network = case.network()
    adam, batches = torch.optim.Adam(network.parameters(), lr=1e-3), case.batches()
    taken = iter(range(1 << 60))

    def step() -> None:
        number = next(taken)
        ids, classes = batches[number % BATCHES]
        loss = functional.cross_entropy(_plain_scores(network, ids, Dropout(0.5, _random(number))), classes)
        adam.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        adam.step()

    return step


def _random(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def _plain_scores(network: Network, ids: Sequences, noise: Dropout) -> Tensor:
    e = network.embed(ids)
    e = e.with_data(e.data * noise.mask(tuple(e.data.shape), e.data))
    readings = [e.filled(), e.filled().reversed()]
    encoders: list[Encoder] = list(network.encoders)  # type: ignore[arg-type]
    h = torch.cat([_by_steps(encoder, x, noise) for encoder, x in zip(encoders, readings, strict=False)], -1)
    return functional.linear(h * noise.mask(tuple(h.shape), h), network.w, network.readout_b)


def _by_steps(encoder: Encoder, x: Sequences, noise: Dropout) -> Tensor:
    return Gated.forward(encoder, x, PLAIN, noise) if isinstance(encoder, Gated) else encoder(x, PLAIN, noise)


def main() -> None:
    torch.set_num_threads(1)
    keep_memory()
    print("| network | embedding, hidden | batch x words | words/s | the plain way | ratio |")
    print("|---|---|---|---|---|---|")
    for case in CASES:
        words = float(sum(int(ids.lengths.sum()) for ids, _ in case.batches())) / BATCHES
        times = alternate(ours(case), plain(case), 3 if os.environ.get("QUICK") else 9)
        name = f"{'two-way ' if case.bidirectional else ''}{case.kind}"
        rates = [f"{words / median(seconds):,.0f}" for seconds in (times.ours, times.theirs)]
        sizes = f"{case.embedding}, {case.hidden} | {case.batch} x {case.length}"
        print(f"| {name} | {sizes} | {rates[0]} | {rates[1]} | {times.median:.1f} |", flush=True)


if __name__ == "__main__":
    main()
