"""The networks and documents that everybody gets: random words, networks of the paper's sizes, float32."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import torch
from torch import Tensor

from benchmarks.timing import Run
from whichword import explain
from whichword.methods import plan
from whichword.networks import Config, Network
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
TWENTY = tuple(method for methods in FAMILIES.values() for method in methods)  # the paper's, no baselines


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
    """A network, and texts as lists of words. Whoever explains them has to find out what the network predicts."""

    name: str
    network: Network
    texts: tuple[tuple[str, ...], ...]

    @property
    def words(self) -> int:
        """Of all texts."""
        return sum(map(len, self.texts))

    def first(self, number: int) -> "Workload":
        """``number`` of the texts, evenly over all lengths."""
        if number >= len(self.texts):
            return self
        by_length, step = sorted(self.texts, key=len), len(self.texts) // number
        return Workload(self.name, self.network, tuple(by_length[step // 2 :: step][:number]))

    def defined(self, methods: Sequence[str]) -> list[str]:
        """Those of the methods that this network can have."""
        undefined = plan(methods, self.network).undefined
        return [method for method in methods if method not in undefined]

    def ours(self, *methods: str) -> Run:
        """What a user calls, with all of these methods together."""
        return lambda: explain(self.network, self.texts, methods)

    def relevances(self, method: str) -> list[Tensor]:
        """What a user gets, [T] for each text."""
        explanations = explain(self.network, self.texts, method)
        return [torch.from_numpy(explanation.relevance[method]) for explanation in explanations]

    @cached_property
    def equal(self) -> list[tuple[Tensor, list[int]]]:
        """Texts of equal length side by side, which is what suits the peers: word ids [B, T], numbers of the texts."""
        groups = []
        for length in sorted(set(map(len, self.texts))):
            rows = [row for row, text in enumerate(self.texts) if len(text) == length]
            ids = torch.tensor([self.network.vocabulary.ids(self.texts[row]) for row in rows])
            groups.append((ids, rows))
        return groups

    def told(self) -> str:
        """In words, and whether `explain` folds the network for them."""
        lengths = sorted(set(map(len, self.texts)))
        span = f"{lengths[0]}" if len(lengths) == 1 else f"{lengths[0]} to {lengths[-1]}"
        folded = "folded" if self.network.prepared(self.words).tables else "not folded"
        return f"{len(self.texts)} documents of {span} words ({self.words:,} in all, {WORDS:,} different): {folded}"


def random_network(sizes: Sizes, seed: int = 0) -> Network:
    """Sure enough of its classes that p is neither flat nor 1."""
    torch.manual_seed(seed)
    classes = tuple(map(str, range(sizes.classes)))
    config = Config(sizes.kind, classes, sizes.embedding, sizes.hidden, sizes.bidirectional)
    network = Network.of(config, Vocabulary(tuple(f"w{n}" for n in range(WORDS - 1)))).requires_grad_(False)
    network.embedding.data.normal_(std=0.4)
    network.w.data.mul_(3.0)
    return network


def workload(name: str, sizes: Sizes) -> Workload:
    """Words are drawn evenly; the last one is unknown to the network."""
    generator = torch.Generator().manual_seed(1)
    numbers = [torch.randint(WORDS, (length,), generator=generator).tolist() for length in sizes.lengths]
    return Workload(name, random_network(sizes), tuple(tuple(f"w{n}" for n in row) for row in numbers))


def agreement() -> Workload:
    """Sentences of 3 to 40 words, as many of each length as make a good batch."""
    lengths = (3, 7, 11, 14, 18, 22, 27, 33, 40)
    return workload("agreement LSTM", Sizes("lstm", 50, 50, 2, False, lengths * 48))


def hybrid(kind: str, name: str) -> Workload:
    """Documents of ten sentences, read in both directions."""
    return workload(name, Sizes(kind, 300, 75, 20, True, (200,) * 144))


def cnn() -> Workload:
    return workload("CNN", Sizes("cnn", 300, 150, 20, False, (200,) * 144))


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
    "hybrid": partial(hybrid, "lstm", "hybrid biLSTM"),
    "gru": partial(hybrid, "gru", "hybrid biGRU"),
    "cnn": cnn,
    "qlstm": partial(hybrid, "qlstm", "QLSTM"),
    "qgru": partial(hybrid, "qgru", "QGRU"),
}
