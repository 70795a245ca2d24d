"""What a faster way through an encoder offers. `forward` of the encoder defines what each of these has to give."""

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

from torch import Tensor

from whichword.networks.encoders import Dropout
from whichword.networks.fast.folding import Embedded
from whichword.reading import Edits
from whichword.rules import Rules
from whichword.sequences import Sequences


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

    def pull(self, seeds: Tensor, last: bool = True) -> Tensor:
        """From gradients in h [M, S, B, H] to gradients in the words' side z [2, S, ...], under the rules.

        z = alpha_m * projection is what enters the pre-activations. [0] is the sum over the points, [1] the last point
        alone, which may be missing unless it is the ``last`` of all. The form of ... is the encoder's own; padding gets
        zeros.
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


class Way(Protocol):
    """One encoder, gone through faster.

    ``local``: edited copies cost the words around an edit, whatever the document's length. ``steady``: features that an
    edit does not reach stay as they are, bit by bit. ``batch`` words suit it at once, and ``capacity`` words x points.
    """

    local: ClassVar[bool]
    steady: ClassVar[bool]
    batch: ClassVar[int]
    capacity: ClassVar[int]

    def word_matrix(self) -> Tensor:
        """W [G, E]: everything begins with W e_t at every word, so it can be looked up."""
        ...

    def project(self, x: Embedded) -> Projected:
        """W e_t, computed once per batch and shared by the prediction and all methods."""
        ...

    def opened(self, x: Embedded, rules: Rules) -> Opened:
        """The pass over the documents themselves, at one point, made once per batch."""
        ...

    def hidden(self, x: Embedded, expected: Sequence[Any] = ()) -> Tensor:
        """h [B, H], without a gradient: the prediction's forward pass, by one that will be asked for where that is."""
        ...

    def encode(self, x: Sequences, dropout: Dropout | None) -> Tensor:
        """h [B, H] with a gradient, for training."""
        ...

    def read_edits(self, x: Embedded, w: Tensor, *edits: Edits) -> Tensor:
        """w h of edited copies, [n, K] in double, one kind of edits after the other; each has a copy. w [K, H]."""
        ...
