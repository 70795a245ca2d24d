"""A network: embedding, encoder for each direction, read-out s(k, X) = w_k . h(X) + b_k (section 3.1)."""

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from whichword.errors import InputError
from whichword.networks.editor import Editor
from whichword.networks.encoder import NETWORKS, Dropout, Editing, Encoder, Projecting, glorot
from whichword.networks.folding import Embedded, WordTable
from whichword.networks.gated import Gated, Trace
from whichword.networks.pullback import Pullback, Wanted
from whichword.rules import PLAIN, Relevance, Rules
from whichword.sequences import Sequences
from whichword.text import Vocabulary

DIRECTIONS = ("forward", "backward")


@dataclass(frozen=True)
class Config:
    """What a network is, but for its numbers. ``hidden`` is the size of one direction."""

    kind: str
    classes: tuple[str, ...]
    embedding: int
    hidden: int
    bidirectional: bool = False


class Network(nn.Module):
    """The project's own networks, the paper's among them."""

    def __init__(self, config: Config, vocabulary: Vocabulary) -> None:
        super().__init__()
        _check(config)
        make = NETWORKS[config.kind]
        self.vocabulary = vocabulary
        self.embedding = nn.Parameter(torch.empty(len(vocabulary), config.embedding).uniform_(-0.05, 0.05))
        directions = DIRECTIONS if config.bidirectional else DIRECTIONS[:1]
        self.encoders = nn.ModuleList(make(config.embedding, config.hidden) for _ in directions)
        # an encoder may settle its own size, as the linear one does
        self.config = replace(config, hidden=self._encoders[0].hidden)
        size, k = sum(encoder.hidden for encoder in self._encoders), len(config.classes)
        self.w = glorot(k, size, fan_in=size, fan_out=k)
        self.readout_b = nn.Parameter(torch.zeros(k))

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes, in the order of the scores."""
        return self.config.classes

    @property
    def _encoders(self) -> list[Encoder]:
        return list(self.encoders)  # type: ignore[arg-type]

    def embed(self, ids: Sequences) -> Sequences:
        """Word ids [B, T] -> e [B, T, E]."""
        return Embedded.look_up(ids, self.embedding)

    def encode(self, x: Sequences, rules: Rules = PLAIN, dropout: Dropout | None = None) -> Tensor:
        """h(X) [B, H]: each direction reads the document in its own order; the forward half comes first."""
        x = x.filled()
        readings = [x] if len(self.encoders) == 1 else [x, x.reversed()]
        pairs = zip(self._encoders, readings, strict=True)
        return torch.cat([encoder(reading, rules, dropout) for encoder, reading in pairs], -1)

    def score(self, x: Sequences, rules: Rules = PLAIN) -> Tensor:
        """s(k, X) [B, K]."""
        return rules.node(functional.linear(self.encode(x, rules), self.w, self.readout_b))

    @property
    def trace(self) -> Callable[[Sequences], list[Trace]] | None:
        """For gated networks, a function that gives each direction's trace, in its own reading order."""
        gated = [encoder for encoder in self._encoders if isinstance(encoder, Gated)]
        if not gated:
            return None

        def trace(x: Sequences) -> list[Trace]:
            x = x.filled()
            return [encoder.trace(y) for encoder, y in zip(gated, [x, x.reversed()], strict=False)]

        return trace

    def folded(self) -> "Network":
        """The same network with what its encoders make of every frequent word computed in advance.

        It pays for more words than the vocabulary has. A snapshot: fold again when parameters have changed.
        """
        view, encoders = copy.copy(self), [copy.copy(encoder) for encoder in self._encoders]
        for encoder in encoders:
            W = encoder.word_matrix()
            encoder.table = None if W is None else WordTable.of(self.embedding.detach(), W.detach())
        view._modules = self._modules | {"encoders": nn.ModuleList(encoders)}
        return view

    @property
    def _pullback(self) -> Pullback | None:
        encoders = [encoder for encoder in self._encoders if isinstance(encoder, Projecting)]
        return Pullback(encoders, self.w, self.readout_b) if len(encoders) == len(self.encoders) else None

    @property
    def integrate(self) -> Callable[[Sequences, Tensor, int, Sequence[Wanted]], dict[Wanted, Tensor]] | None:
        """Gradients at many points without autograd, where the encoders can (`Pullback.integrate`)."""
        return None if self._pullback is None else self._pullback.integrate

    @property
    def relevance(self) -> Callable[[Sequences, Tensor, Relevance], Tensor] | None:
        """LRP and DeepLIFT without autograd, where the encoders can (`Pullback.relevance`)."""
        return None if self._pullback is None else self._pullback.relevance

    @property
    def score_edits(self) -> Callable[..., Tensor] | None:
        """s of edited copies, [n, K], without making them, where the encoders can: (x, *edits), see `Editor.score`."""
        encoders = [encoder for encoder in self._encoders if isinstance(encoder, Editing)]
        return Editor(encoders, self.w, self.readout_b).score if len(encoders) == len(self.encoders) else None

    @property
    def local(self) -> bool:
        """Whether an edited copy costs no more than the words around its edit."""
        return all(encoder.local for encoder in self._encoders)

    @property
    def steady(self) -> bool:
        """Whether what an edit does not reach stays the same to the last bit, so that changes have no error of s."""
        return all(encoder.steady for encoder in self._encoders)

    def in_double(self) -> "Network":
        """The same function of embedded words in double precision; the embedding itself is shared as it is."""
        shared = {id(self.embedding): self.embedding} | {id(encoder.table): None for encoder in self._encoders}
        twin = copy.deepcopy(self, shared)
        twin.encoders.double()
        twin.w, twin.readout_b = (nn.Parameter(value.double(), False) for value in (self.w, self.readout_b))
        return twin

    def arrays(self) -> dict[str, Tensor]:
        """The parameters under the names that are saved: embedding, forward.V_i, .., w, readout_b."""
        named: dict[str, Tensor] = {"embedding": self.embedding}
        for direction, encoder in zip(DIRECTIONS, self._encoders, strict=False):
            named |= {f"{direction}.{name}": value for name, value in encoder.named_parameters()}
        return named | {"w": self.w, "readout_b": self.readout_b}

    @classmethod
    def from_arrays(
        cls,
        kind: str,
        arrays: Mapping[str, np.ndarray[Any, Any] | Tensor],
        *,
        classes: Sequence[str],
        vocabulary: Sequence[str] | Vocabulary,
        bidirectional: bool = False,
        dtype: torch.dtype = torch.float32,
    ) -> "Network":
        """A network from arrays under the names and shapes of `docs/checkpoint.md`.

        Row i of ``embedding`` is word i of ``vocabulary``, the oov row is last. (A vocabulary as long as the embedding
        names the oov row too.)
        """
        tensors = {name: torch.as_tensor(value) for name, value in arrays.items()}
        for name in ("embedding", "w"):
            if name not in tensors or tensors[name].dim() != 2:
                raise InputError(f"{kind}: array {name!r} must be there, with two dimensions")
        known = vocabulary if isinstance(vocabulary, Vocabulary) else _vocabulary(vocabulary, tensors["embedding"])
        hidden = tensors["w"].shape[1] // (2 if bidirectional else 1)
        config = Config(kind, tuple(classes), tensors["embedding"].shape[1], hidden, bidirectional)
        with torch.random.fork_rng(devices=[]):  # the initial values are drawn for nothing: leave no trace of it
            network = cls(config, known).to(dtype)
        network.assign(tensors)
        return network.requires_grad_(False)

    def assign(self, tensors: Mapping[str, Tensor]) -> None:
        """Copy values in, after checking names, shapes and that every value is finite."""
        own = self.arrays()
        for problem, names in (
            ("missing", own.keys() - tensors.keys()),
            ("unknown", tensors.keys() - own.keys()),
        ):
            if names:
                raise InputError(f"{self.config.kind}: {problem} arrays: {', '.join(sorted(names))}")
        for name, parameter in own.items():
            value = tensors[name]
            if value.shape != parameter.shape:
                shapes = f"{list(value.shape)}, not {list(parameter.shape)}"
                raise InputError(f"{self.config.kind}: array {name} has shape {shapes}")
            if not value.is_floating_point() or not bool(torch.isfinite(value).all()):
                raise InputError(f"{self.config.kind}: array {name} holds values that are not finite numbers")
            parameter.data.copy_(value)

    def save(self, path: str | Path) -> None:
        """Write the folder that `whichword.load` reads."""
        from whichword.networks.checkpoint import save

        save(self, Path(path))


def _vocabulary(words: Sequence[str], embedding: Tensor) -> Vocabulary:
    rows = embedding.shape[0]
    if len(words) not in (rows - 1, rows):
        raise InputError(f"embedding has {rows} rows for {len(words)} words: it needs one a word and the oov row last")
    return Vocabulary(tuple(words[: rows - 1]))


def _check(config: Config) -> None:
    directional = NETWORKS[config.kind].directional
    if config.bidirectional and not directional:
        raise InputError(f"{config.kind} has no direction: it cannot be bidirectional")
    if len(config.classes) < 2 or len(set(config.classes)) != len(config.classes):
        raise InputError(f"a network needs at least two classes with names of their own, not {list(config.classes)}")
    if min(config.embedding, config.hidden) < 1:
        raise InputError(f"embedding and hidden size must be at least 1, not {config.embedding} and {config.hidden}")
