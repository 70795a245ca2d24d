"""The networks and documents that everybody gets: random words, networks of the paper's sizes, float32."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from whichword.methods import Questions, plan
from whichword.networks import Network
from whichword.networks.network import Config
from whichword.sequences import Sequences
from whichword.text import Vocabulary

WORDS = 1000
FOUR = ("s_l2", "p_l2", "s_dot", "p_dot")
GRAD_1, GRAD_INT = tuple(f"grad_1_{kind}" for kind in FOUR), tuple(f"grad_int_{kind}" for kind in FOUR)
OCCLUSIONS = ("occ_1", "occ_3", "occ_7")
SIX = ("omit_1", "omit_3", "omit_7", *OCCLUSIONS)
FITS = ("limsse_bb", "limsse_ms_s", "limsse_ms_p")
DRAWN = tuple(f"{fit}[samples=3000]" for fit in FITS)
FAMILIES = {
    "gradient": (*GRAD_1, *GRAD_INT),
    "perturbation": SIX,
    "decomp": ("decomp",),
    "lrp": ("lrp",),
    "deeplift": ("deeplift",),
    "LIMSSE": FITS,
}


@dataclass(frozen=True)
class Sizes:
    """A network and the lengths of its documents."""

    kind: str
    embedding: int
    hidden: int
    classes: int
    bidirectional: bool
    lengths: tuple[int, ...]


@dataclass(frozen=True)
class Workload:
    """A network, and questions about the class that it predicts for each document."""

    name: str
    network: Network
    questions: Questions

    @property
    def words(self) -> int:
        return int(self.questions.ids.lengths.sum())

    def first(self, number: int) -> "Workload":
        """``number`` of the documents, evenly over all lengths."""
        if number >= len(self.questions):
            return self
        by_length, step = self.questions.ids.lengths.argsort(stable=True).tolist(), len(self.questions) // number
        return Workload(self.name, self.network, self.questions.pick(by_length[step // 2 :: step][:number]))

    @cached_property
    def folded(self) -> Network:
        return self.network.folded()

    def defined(self, methods: Sequence[str]) -> bool:
        """Whether this network can have them."""
        return not plan(methods, self.network).undefined

    def ours(self, *methods: str) -> Callable[[], object]:
        """All of these methods together, from word ids on."""
        chosen = plan(methods, self.network)
        return lambda: chosen.answer(self.folded, self.questions)

    def answers(self, method: str) -> list[Tensor]:
        """The relevances of each document."""
        found = plan([method], self.network).answer(self.network, self.questions)[method].values
        return [row[:n] for row, n in zip(found, self.questions.ids.lengths.tolist(), strict=True)]

    @cached_property
    def equal(self) -> list[tuple[Tensor, Tensor, list[int]]]:
        """Batches of equal length, which is what suits the peers: embedded words [B, T, E], classes [B], rows."""
        lengths = self.questions.ids.lengths
        found = []
        for length in sorted(set(lengths.tolist())):
            rows = (lengths == length).nonzero()[:, 0]
            x = self.network.embed(self.questions.ids.pick(rows)).data
            found.append((x, self.questions.targets[rows], rows.tolist()))
        return found


def network(sizes: Sizes, seed: int = 0) -> Network:
    """Random, and sure enough of its classes that p is neither flat nor 1."""
    torch.manual_seed(seed)
    config = Config(
        sizes.kind, tuple(map(str, range(sizes.classes))), sizes.embedding, sizes.hidden, sizes.bidirectional
    )
    made = Network(config, Vocabulary(tuple(f"w{n}" for n in range(WORDS - 1)))).requires_grad_(False)
    made.embedding.data.normal_(std=0.4)
    made.w.data.mul_(3.0)
    return made


def workload(name: str, sizes: Sizes) -> Workload:
    made = network(sizes)
    generator = torch.Generator().manual_seed(1)
    ids = Sequences.of([torch.randint(WORDS, (n,), generator=generator).tolist() for n in sizes.lengths])
    with torch.no_grad():
        predicted = made.score(made.embed(ids)).argmax(1)
    return Workload(name, made, Questions(ids, predicted, tuple(map(str, range(len(ids))))))


def agreement() -> Workload:
    """Sentences of 3 to 40 words, as many of each length as make a good batch."""
    lengths = (3, 7, 11, 14, 18, 22, 27, 33, 40)
    return workload("agreement LSTM", Sizes("lstm", 50, 50, 2, False, lengths * 24))


def hybrid(kind: str, name: str) -> Workload:
    """Documents of ten sentences, read in both directions."""
    return workload(name, Sizes(kind, 300, 75, 20, True, (200,) * 4))


def cnn() -> Workload:
    return workload("CNN", Sizes("cnn", 300, 150, 20, False, (200,) * 8))


def of_length(kind: str) -> Callable[[int], Sizes]:
    """One document of so many words, for a network of the hybrid experiment's sizes."""
    if kind == "cnn":
        return lambda length: Sizes(kind, 300, 150, 20, False, (length,))
    return lambda length: Sizes(kind, 300, 75, 20, True, (length,))


LONG = {
    "biLSTM": of_length("lstm"),
    "biGRU": of_length("gru"),
    "QLSTM": of_length("qlstm"),
    "QGRU": of_length("qgru"),
    "CNN": of_length("cnn"),
}
WORKLOADS: dict[str, Callable[[], Workload]] = {
    "agreement": agreement,
    "hybrid": lambda: hybrid("lstm", "hybrid biLSTM"),
    "gru": lambda: hybrid("gru", "hybrid biGRU"),
    "cnn": cnn,
    "qlstm": lambda: hybrid("qlstm", "QLSTM"),
    "qgru": lambda: hybrid("qgru", "QGRU"),
}
