"""What passes through a model give beyond scores: which gradients, what is traced, and what a model may do faster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from whichword.base.lazy import Tensor
from whichword.sequences import Sequences

# what a method will ask of a batch, so that the prediction's pass can serve it: one of these, or relevance rules
TRACE, GRADIENT, INTEGRAL = "trace", "gradient", "integral"
BATCH_WORDS = 4096  # so many at once where nothing is known of what suits a model
OUTPUTS = ("s", "p")  # what may be explained: the score s(k, X), the probability p(k | X)


class GradientKind(NamedTuple):
    """One gradient method: the mean over the points or the last one alone, of s or p, by norm or dot product."""

    integrated: bool
    output: str
    reduction: str


# (batch, classes [B], number of points, which gradients) -> phi of each, [B, T]
Integrate = Callable[[Any, Tensor, int, Sequence[GradientKind]], dict[GradientKind, Tensor]]


@dataclass(frozen=True)
class Trace:
    """What cell decomposition reads of one direction, in its own reading order; ``backward``: the last word first."""

    memory: Sequences  # m_t [B, T, H]
    carry: Sequences  # what is kept of m_(t-1), [B, T, H]
    out: Tensor | None  # o_T [B, H]; None: h_T = m_T
    w: Tensor  # w_k of this direction, [B, H]
    backward: bool = False


class Fast:
    """Faster exact ways to what methods define by `Model`, where a model has them; None: the method's own way is taken.

    ``in_double``: the same model in double precision.
    """

    in_double: Callable[[], Any] | None = None

    @property
    def local(self) -> bool:
        """Whether edited copies cost no more than the words around an edit."""
        return False

    @property
    def steady(self) -> bool:
        """Whether what an edit does not reach stays the same to the last bit."""
        return False

    @property
    def batch_words(self) -> int:
        """How many words suit it at once."""
        return BATCH_WORDS

    @property
    def integrate(self) -> Integrate | None:
        """Gradients at the points of an integral, reduced to a number per word, [B, T] each."""
        return None

    @property
    def relevance(self) -> Callable[[Any, Tensor, Any], Tensor] | None:
        """(batch, classes [B], rules) -> phi of LRP and DeepLIFT, [B, T]."""
        return None
