"""What passes through a model give beyond scores: which gradients, what is traced, and what a model may do faster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from whichword.lazy import Tensor
from whichword.sequences import Sequences

# what a method will ask of a batch, so that the prediction's pass can serve it: one of these, or relevance rules
TRACE, GRADIENT, INTEGRAL = "trace", "gradient", "integral"
OUTPUTS = ("s", "p")  # what may be explained: the score s(k, X), the probability p(k | X)


class GradientKind(NamedTuple):
    """One gradient method: the mean over the points or the last one alone, of s or p, by norm or dot product."""

    integrated: bool
    output: str
    reduction: str


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

    ``local``: edited copies cost no more than the words around an edit. ``steady``: what an edit does not reach stays
    the same to the last bit. ``batch_words`` suit it at once. ``in_double``: the same model in double precision.
    """

    local: bool = False
    steady: bool = False
    batch_words: int = 4096
    integrate: Callable[[Any, Tensor, int, Sequence[GradientKind]], dict[GradientKind, Tensor]] | None = None
    relevance: Callable[[Any, Tensor, Any], Tensor] | None = None
    in_double: Callable[[], Any] | None = None
