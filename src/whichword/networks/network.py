"""A network: embedding, encoder for each direction, read-out s(k, X) = w_k . h(X) + b_k (section 3.1)."""

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from whichword.errors import InputError
from whichword.model import Batch, Fast, Reading, Ruled, Trace, Traced
from whichword.networks.encoders import NETWORKS, Dropout, Encoder, Gated, Memory, glorot
from whichword.reading import AnyEdits
from whichword.rules import PLAIN, Rules
from whichword.sequences import Sequences
from whichword.text.vocabulary import Vocabulary
from whichword.types import About, Written

DIRECTIONS = ("forward", "backward")


@dataclass(frozen=True)
class Config:
    """What a network is, but for its numbers. ``hidden`` is the size of one direction."""

    kind: str
    classes: tuple[str, ...]
    embedding: int
    hidden: int
    bidirectional: bool = False


class Shortcuts(Fast, ABC):
    """The exact shortcuts of a network beyond `model.Fast`; everything here has its definition in `Network`."""

    @abstractmethod
    def score(self, batch: Batch) -> Tensor:
        """Return what `Network.score` gives, [B, K]; so for all others."""

    @abstractmethod
    def score_edits(self, batch: Batch, *edits: AnyEdits) -> Tensor: ...

    @abstractmethod
    def encode(self, x: Sequences, dropout: Dropout | None) -> Tensor: ...

    @abstractmethod
    def remember(self, batch: Batch) -> list[Memory]: ...

    @abstractmethod
    def prepared(self, words: int) -> "Network": ...


class Network(nn.Module, Ruled):
    """The project's own networks, the paper's among them. `Network.of` makes one."""

    # set by `networks.fast`, which this file does not import: definitions stand without it
    shortcuts: ClassVar[Callable[["Network"], Shortcuts | None]] = staticmethod(lambda network: None)
    tables: tuple[Any, ...] = ()  # of a network that `prepared` gave: what was computed of every frequent word

    def __init__(self, config: Config, vocabulary: Vocabulary) -> None:
        super().__init__()
        _check(config)
        make = NETWORKS[config.kind]
        self.vocabulary = vocabulary
        self.embedding = nn.Parameter(torch.empty(len(vocabulary), config.embedding).uniform_(-0.05, 0.05))
        directions = DIRECTIONS if config.bidirectional else DIRECTIONS[:1]
        self.encoders = nn.ModuleList(make(config.embedding, config.hidden) for _ in directions)
        # an encoder may settle its own size, as the linear one does
        self.config = replace(config, hidden=self.directions[0].hidden)
        size, k = sum(encoder.hidden for encoder in self.directions), len(config.classes)
        self.w = glorot(k, size, fan_in=size, fan_out=k)
        self.readout_b = nn.Parameter(torch.zeros(k))

    @staticmethod
    def of(config: Config, vocabulary: Vocabulary) -> "Network":
        """Make a network with random weights; one whose memory can be traced, where its encoder has one."""
        kind = GatedNetwork if issubclass(NETWORKS[config.kind], Gated) else Network
        return kind(config, vocabulary)

    @property
    def about(self) -> About:  # type: ignore[override]
        config = self.config
        name = f"bi{config.kind}" if config.bidirectional else config.kind
        sizes = {"embedding": str(config.embedding), "hidden": str(config.hidden)}
        facts = sizes | {"vocabulary": f"{len(self.vocabulary.words):,} words"}
        return About(name, config.classes, str(self.w.dtype).removeprefix("torch."), str(self.w.device), facts)

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes, in the order of the scores."""
        return self.config.classes

    @property
    def directions(self) -> list[Encoder]:
        """The encoder that reads forward, and the one that reads backward if there is one."""
        return list(self.encoders)  # type: ignore[arg-type]

    @property
    def fast(self) -> Shortcuts | None:
        """Faster exact ways, where there are any."""
        return type(self).shortcuts(self)

    def read(self, document: Written) -> Reading:
        ids = self.vocabulary.ids(document.words)
        return Reading(document.words, document.text, ids, range(len(ids)), self.vocabulary.unknown(ids), len(ids))

    def embed(self, batch: Batch) -> Tensor:
        """Look up word ids [B, T] -> e [B, T, E]."""
        return functional.embedding(batch.ids.filled(0).data, self.embedding).to(self.w.dtype)

    def encode(self, x: Sequences, rules: Rules = PLAIN, dropout: Dropout | None = None) -> Tensor:
        """Compute h(X) [B, H]: each direction reads the document in its own order; the forward half comes first."""
        if rules == PLAIN and (fast := self.fast) is not None:
            return fast.encode(x, dropout)
        return self.encode_plainly(x, rules, dropout)

    def encode_plainly(self, x: Sequences, rules: Rules = PLAIN, dropout: Dropout | None = None) -> Tensor:
        """Do what `encode` does by the definitions alone."""
        x = x.filled()
        readings = [x, x.reversed()][: len(self.encoders)]
        pairs = zip(self.directions, readings, strict=True)
        return torch.cat([encoder(reading, rules, dropout) for encoder, reading in pairs], -1)

    def forward(self, e: Tensor, batch: Batch, rules: Rules | None = None) -> Tensor:
        """Compute s(k, X) [B, K]."""
        rules = rules or PLAIN
        hidden = self.encode(batch.ids.with_data(e), rules)
        return rules.node(functional.linear(hidden, self.w, self.readout_b))

    def score(self, batch: Batch) -> Tensor:
        fast = self.fast
        return super().score(batch) if fast is None else fast.score(batch)

    def score_edits(self, batch: Batch, *edits: AnyEdits) -> Tensor:
        fast = self.fast
        return super().score_edits(batch, *edits) if fast is None else fast.score_edits(batch, *edits)

    def prepared(self, words: int) -> "Network":
        fast = self.fast
        return self if fast is None else fast.prepared(words)

    def on(self, device: str) -> "Network":
        """Return a copy on another device: the caller's own model stays where it is."""
        return self if self.w.device == torch.device(device) else copy.deepcopy(self).to(device)  # `to` is in place

    def arrays(self) -> dict[str, Tensor]:
        """Return the parameters under the names that are saved: embedding, forward.V_i, .., w, readout_b."""
        named: dict[str, Tensor] = {"embedding": self.embedding}
        for direction, encoder in zip(DIRECTIONS, self.directions, strict=False):  # one direction: the first name
            named |= {f"{direction}.{name}": value for name, value in encoder.named_parameters()}
        return named | {"w": self.w, "readout_b": self.readout_b}

    @staticmethod
    def from_arrays(
        kind: str,
        arrays: Mapping[str, np.ndarray[Any, Any] | Tensor],
        *,
        classes: Sequence[str],
        vocabulary: Sequence[str] | Vocabulary,
        bidirectional: bool = False,
        dtype: torch.dtype = torch.float32,
    ) -> "Network":
        """Make a network from arrays under the names and shapes of `docs/checkpoint.md`.

        Row i of ``embedding`` is word i of ``vocabulary``, the oov row is last. (A vocabulary as long as the embedding
        names the oov row too.)
        """
        tensors = {name: torch.as_tensor(value) for name, value in arrays.items()}
        for name in ("embedding", "w"):
            if name not in tensors or tensors[name].dim() != 2:
                raise InputError(f"{kind}: array {name!r} must be there, with two dimensions")
        words = vocabulary if isinstance(vocabulary, Vocabulary) else _vocabulary(vocabulary, tensors["embedding"])
        hidden = tensors["w"].shape[1] // (2 if bidirectional else 1)
        config = Config(kind, tuple(classes), tensors["embedding"].shape[1], hidden, bidirectional)
        with torch.random.fork_rng(devices=[]):  # the initial values are drawn for nothing: leave no trace of it
            network = Network.of(config, words).to(dtype)
        assign(network, tensors)
        return network.requires_grad_(False)  # made to be asked, not trained

    def save(self, path: str | Path) -> None:
        """Write the folder that `whichword.load` reads."""
        from whichword.networks.checkpoint import save  # checkpoint imports this module

        save(self, Path(path))


class GatedNetwork(Network, Traced):
    """A network of gated encoders, whose memory w reads out."""

    def trace(self, batch: Batch, k: Tensor) -> list[Trace]:
        fast = self.fast
        memories = self.remember_plainly(batch) if fast is None else fast.remember(batch)
        weights = self.w[k].chunk(len(memories), -1)
        return [Trace(*memory, w, bool(way)) for way, (memory, w) in enumerate(zip(memories, weights, strict=True))]

    def remember_plainly(self, batch: Batch) -> list[Memory]:
        """Return what the encoders remember of every word, by the definitions alone."""
        x = batch.ids.with_data(self.embed(batch)).filled()
        pairs = zip(self.directions, [x, x.reversed()], strict=False)  # one or two directions
        return [encoder.remember(reading) for encoder, reading in pairs if isinstance(encoder, Gated)]


def assign(network: Network, tensors: Mapping[str, Tensor]) -> None:
    """Copy values in, after checking names, shapes and that every value is finite."""
    arrays, kind = network.arrays(), network.config.kind
    for problem, names in (("missing", arrays.keys() - tensors.keys()), ("unknown", tensors.keys() - arrays.keys())):
        if names:
            raise InputError(f"{kind}: {problem} arrays: {', '.join(sorted(names))}")
    for name, parameter in arrays.items():
        value = tensors[name]
        if value.shape != parameter.shape:
            raise InputError(f"{kind}: array {name} has shape {list(value.shape)}, not {list(parameter.shape)}")
        if not value.is_floating_point() or not bool(torch.isfinite(value).all()):
            raise InputError(f"{kind}: array {name} holds values that are not finite numbers")
        parameter.data.copy_(value)  # keeps the parameter, takes its precision


def _vocabulary(words: Sequence[str], embedding: Tensor) -> Vocabulary:
    rows = embedding.shape[0]
    if len(words) not in (rows - 1, rows):  # with a name for the oov row, or without
        raise InputError(
            f"embedding has {rows} rows for {len(words)} words: it needs one per word and the oov row last"
        )
    return Vocabulary(tuple(words[: rows - 1]))


def _check(config: Config) -> None:
    directional = NETWORKS[config.kind].directional
    if config.bidirectional and not directional:
        raise InputError(f"{config.kind} has no direction: it cannot be bidirectional")
    if len(config.classes) < 2 or len(set(config.classes)) != len(config.classes):
        raise InputError(f"a network needs at least two classes with names of their own, not {list(config.classes)}")
    if min(config.embedding, config.hidden) < 1:
        raise InputError(f"embedding and hidden size must be at least 1, not {config.embedding} and {config.hidden}")
