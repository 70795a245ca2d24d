"""What a network has to be: words in, one vector out. And what it may offer besides, to be explained faster."""

from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

import torch
from torch import Tensor, nn

from whichword.edits import Edits
from whichword.networks.folding import WordTable
from whichword.registry import Registry
from whichword.rules import PLAIN, Rules
from whichword.sequences import Sequences


@dataclass(frozen=True)
class Dropout:
    """Training noise: masks of 0 and 1/(1-rate), drawn from a generator of their own."""

    rate: float
    generator: torch.Generator

    def mask(self, shape: tuple[int, ...], like: Tensor) -> Tensor:
        """A fresh mask of this shape."""
        drawn = torch.rand(shape, generator=self.generator, dtype=like.dtype, device=like.device)
        return (drawn >= self.rate).to(like.dtype) / (1.0 - self.rate)


class Encoder(nn.Module):
    """Turns embedded words into a document vector. Parameters bear the appendix's names and are saved under them.

    A subclass is made with (embedding size, hidden size), says in ``directional`` whether it may read backwards too,
    and defines `forward` in the three words of `rules`. ``dropout``, given in training only, is for connections inside.

    That is enough for every method. `Projecting` and `Editing` are faster exact ways, for whoever cares; `Network` uses
    them where all of its encoders have them, and `forward` defines what they have to give.
    """

    directional: ClassVar[bool] = False
    local: ClassVar[bool] = False  # `Editing` at the cost of the words around an edit, whatever the document's length
    steady: ClassVar[bool] = False  # `Editing` that leaves features the edit does not reach as they are, bit by bit
    batch: ClassVar[int] = 8192  # words that `Projecting` takes at once
    capacity: ClassVar[int] = 16384  # words x points, if that is fewer: what fits the cache

    table: WordTable | None = None  # of a folded network: what `Projecting` and `Editing` would compute of every word

    def __init__(self, embedding: int, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden

    def word_matrix(self) -> Tensor | None:
        """W [G, E], if `Projecting` and `Editing` begin with W e_t at every word: then it can be looked up."""
        return None

    def forward(self, x: Sequences, rules: Rules = PLAIN, dropout: Dropout | None = None) -> Tensor:
        """x [B, T, E] -> h [B, H]; padding is already zero."""
        raise TypeError(f"{type(self).__name__} defines no forward pass")


class Opened(Protocol):
    """Forward passes at M points alpha_m X, with what is needed to go back."""

    @property
    def hidden(self) -> Tensor:
        """h(alpha_m X), [M, B, H]."""
        ...

    @property
    def reference(self) -> Tensor | None:
        """Under paired rules (DeepLIFT): h of zero embeddings, as many as the row has words, [B, H]."""
        ...

    def pull(self, seeds: Tensor) -> Tensor:
        """From gradients in h [M, S, B, H] to gradients in the words' side z [2, S, ...], under the rules.

        z = alpha_m * projection is what enters the pre-activations. [0] is the sum over the points, [1] the last point
        alone. The form of ... is the encoder's own; padding gets zeros.
        """
        ...


class Projected(Protocol):
    """The words' side of the pre-activations, linear in X and without bias, shared by all points (zero baseline)."""

    def open(self, scales: Tensor, rules: Rules) -> Opened:
        """Forward passes at ``scales`` [M], all above 0."""
        ...

    def lift(self, pulled: Tensor) -> Tensor:
        """The transposed projection: gradients in z [..., ...] -> gradients in e [..., B, T, E]."""
        ...

    def dot(self, pulled: Tensor) -> Tensor:
        """e_t . lift(pulled)_t, [..., B, T], in the cheapest way: where z belongs to one word, z . pulled."""
        ...


@runtime_checkable
class Projecting(Protocol):
    """An encoder with a backward pass of its own: gradients and relevances without autograd (`pullback`)."""

    batch: ClassVar[int]
    capacity: ClassVar[int]

    def project(self, x: Sequences) -> Projected:
        """x [B, T, E], padding zero; the linear part, computed once for all points."""
        ...


@runtime_checkable
class Editing(Protocol):
    """An encoder that knows what an edit leaves unchanged."""

    def encode_edits(self, x: Sequences, *edits: Edits) -> Tensor:
        """h of edited copies, [n, H], as ``self(edits.apply(x))`` of one kind of edits after the other.

        Each has a copy; padding is zero, no gradient is asked for.
        """
        ...


NETWORKS: Registry[type[Encoder]] = Registry("network", "whichword.networks")


def glorot(*shape: int, fan_in: int, fan_out: int) -> nn.Parameter:
    """Uniform on +-sqrt(6 / (fan_in + fan_out))."""
    bound = (6.0 / (fan_in + fan_out)) ** 0.5
    return nn.Parameter(torch.empty(*shape).uniform_(-bound, bound))
