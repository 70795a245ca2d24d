"""What "backward" means. A network is written once, in three words; only its gradient depends on the rules.

- ``gate(f, z)``: f(z) used as a weight.
- ``act(f, z)``: f(z) used as a neuron.
- ``node(z)``: a sum of weighted inputs and a bias.

Forward values are identical under all rules. Under `Relevance`, input x gradient is relevance: with G(a) = R(a)/a
the epsilon rule R(i) = sum_j R(j) a_i w_ij / (a'_j + esign(a'_j)) (section 3.2 of the paper) reads

    G(i) = sum_j w_ij * G(a'_j) * a'_j / (a'_j + esign(a'_j))        node: a factor on the gradient
    G(a'_j) = G(a_j) * a_j / a'_j                                     act: the chord instead of the slope

and a gate, being a weight, passes no gradient to its own inputs. So LRP is one ordinary backward pass. DeepLIFT
(section 3.3) is the same with every a replaced by its difference a - a_ref to the reference pass, which is made first
and noted by `Reference`, node by node in the order of the program.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch
from torch import Tensor

Function = Callable[[Tensor], Tensor]
Slope = Callable[[], Tensor | float]


class Rules(Protocol):
    """The three words."""

    def gate(self, f: Function, z: Tensor) -> Tensor: ...

    def act(self, f: Function, z: Tensor, *, written_out: bool = False) -> Tensor: ...

    def node(self, z: Tensor) -> Tensor: ...


@dataclass(frozen=True)
class Plain:
    """The ordinary gradient."""

    def gate(self, f: Function, z: Tensor) -> Tensor:
        return f(z)

    def act(self, f: Function, z: Tensor, *, written_out: bool = False) -> Tensor:
        return f(z)

    def node(self, z: Tensor) -> Tensor:
        return z


PLAIN = Plain()


@dataclass
class Ledger:
    """What LRP does not give to words: shares of constants (leaves, c . G(c) each), of epsilon and of softmax."""

    constants: list[Tensor] = field(default_factory=list)
    epsilon: float = 0.0
    softmax: float = 0.0

    def constant(self, value: Tensor) -> Tensor:
        """A leaf in the place of a constant that is added, so that its share can be read off."""
        leaf = value.detach().clone().requires_grad_(True)
        self.constants.append(leaf)
        return leaf


Entry = tuple[Tensor, Ledger]  # z, or its difference, of a node, and where its epsilon is entered


class Reference:
    """The rules of a reference pass: everything as it is, and every z of a node, z and f(z) of an activation noted."""

    def __init__(self) -> None:
        self.notes: deque[tuple[Tensor, ...]] = deque()

    def gate(self, f: Function, z: Tensor) -> Tensor:
        return f(z)

    def act(self, f: Function, z: Tensor, *, written_out: bool = False) -> Tensor:
        value = f(z)
        self.notes.append((z.detach(), value.detach()))
        return value

    def node(self, z: Tensor) -> Tensor:
        self.notes.append((z.detach(),))
        return z

    def next(self, *like: Tensor) -> tuple[Tensor, ...]:
        """What was noted in this place of the program; the two passes have to go through the same places."""
        if not self.notes or [note.shape for note in self.notes[0]] != [value.shape for value in like]:
            raise RuntimeError("the pass over the input and the reference pass do not go through the same operations")
        return self.notes.popleft()


@dataclass(frozen=True)
class Relevance:
    """Epsilon LRP; ``paired``: DeepLIFT, against the noted ``reference`` pass.

    ``written_out`` marks an activation that the appendix spells f(z) in its recursions instead of giving it a letter:
    the LSTM's tanh(c). There, replacing c by c - c_ref literally gives f(z - z_ref); ``readout="rescale"`` takes
    f(z) - f(z_ref) there too.
    """

    eps: float = 1e-3
    paired: bool = False
    readout: str = "literal"
    reference: Reference | None = field(default=None, compare=False)
    ledger: Ledger | None = field(default=None, compare=False)
    attention: str = "weight"  # "attnlrp": softmax and products of two neurons get relevance too

    def gate(self, f: Function, z: Tensor) -> Tensor:
        return f(z).detach()

    def act(self, f: Function, z: Tensor, *, written_out: bool = False) -> Tensor:
        value = f(z.detach())
        dz, df = self._differences(z.detach(), value)
        return with_slope(z, value, lambda: chord(dz, self.spelled_out(f, dz, df) if written_out else df))

    def node(self, z: Tensor) -> Tensor:
        (dz,) = self._differences(z.detach())
        entry = None if self.ledger is None else (dz, self.ledger)
        return with_slope(z, z.detach().clone(), lambda: self.share(dz), entry)

    def share(self, dz: Tensor) -> Tensor:
        """a' / (a' + esign(a')): what epsilon leaves of a node's relevance. dz is a', or its difference (DeepLIFT)."""
        eps = dz.new_tensor(self.eps)  # two plain numbers would make `where` give float32
        return dz / (dz + torch.where(dz < 0, -eps, eps))

    def spelled_out(self, f: Function, dz: Tensor, df: Tensor) -> Tensor:
        """The difference of an activation that the appendix spells f(z): f(dz) when read literally, else df."""
        return f(dz) if self.paired and self.readout == "literal" else df

    def _differences(self, *values: Tensor) -> tuple[Tensor, ...]:
        """The values themselves, or less what they are in the reference pass."""
        if self.reference is None:
            return values
        return tuple(a - b for a, b in zip(values, self.reference.next(*values), strict=True))


def chord(dz: Tensor, df: Tensor) -> Tensor:
    """df / dz. Where dz = 0 the node below multiplies by 0 as well, so any finite slope will do."""
    return torch.where(dz == 0, 0.0, df / torch.where(dz == 0, 1.0, dz))


class _WithSlope(torch.autograd.Function):
    """A value going forward, the gradient times the slope going back to z.

    The value is no argument of its own: autograd would take what is handed on for a view, and refuse to let a model
    change it in place.
    """

    @staticmethod
    def forward(ctx: Any, z: Tensor, value: list[Tensor], slope: Slope, entry: Entry | None) -> Tensor:
        ctx.slope, ctx.entry = slope, entry
        return value[0]

    @staticmethod
    def backward(ctx: Any, *gradient: Tensor) -> tuple[Tensor, None, None, None]:
        slope = ctx.slope()
        if ctx.entry is not None:
            dz, ledger = ctx.entry
            ledger.epsilon += float((gradient[0] * dz * (1.0 - slope)).double().sum())
        return gradient[0] * slope, None, None, None


def with_slope(z: Tensor, value: Tensor, slope: Slope, entry: Entry | None = None) -> Tensor:
    """``value``, a tensor of its own, whose gradient times the slope goes back to z.

    The slope is only computed if a gradient comes.
    """
    result: Tensor = _WithSlope.apply(z, [value], slope, entry)  # type: ignore[no-untyped-call]
    return result


# ---------------------------------------------------------------------------------------------------------------------
# Where a gradient starts


def _of_s(s: Tensor, one_hot: Tensor) -> Tensor:
    """d s_k / d s_j = 1[j = k]."""
    return one_hot.expand_as(s)


def _of_p(s: Tensor, one_hot: Tensor) -> Tensor:
    """d p_k / d s_j = p_k (1[j = k] - p_j); 1 - p_k is the sum of the others, exact where p_k is nearly 1."""
    p = s.softmax(-1)
    others = p * (1.0 - one_hot)
    return (p * one_hot).sum(-1, keepdim=True) * (one_hot * others.sum(-1, keepdim=True) - others)


SEEDS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {"s": _of_s, "p": _of_p}
