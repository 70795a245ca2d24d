"""Say what "backward" means: a network is written once, in three words, and only its gradient depends on the rules.

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
from functools import partial
from typing import Any, Protocol

import torch
from torch import Tensor

from whichword.errors import InputError

Function = Callable[[Tensor], Tensor]
Slope = Callable[[], Tensor | float]  # called only if a gradient comes


class Rules(Protocol):
    """The three words that a network is written in."""

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
    """The shares that LRP does not give to words: of constants (leaves, c . G(c) each), of epsilon and of softmax.

    ``offsets``: f(0) of an activation at z = 0, constants too. ``decisions``: which factors were weights, and where.
    ``attention``: whether a softmax made weights; ``weights``: these, where a list is given to put them in.
    """

    constants: list[Tensor] = field(default_factory=list)
    offsets: float = 0.0
    epsilon: float = 0.0
    softmax: float = 0.0
    decisions: dict[str, str] = field(default_factory=dict)
    attention: bool = False
    weights: list[Tensor] | None = None

    def constant(self, value: Tensor) -> Tensor:
        """Put a leaf in the place of a constant that is added, so that its share can be read off."""
        leaf = value.detach().clone().requires_grad_(True)
        self.constants.append(leaf)
        return leaf

    def enter_epsilon(self, dz: Tensor, gradient: Tensor, slope: Tensor | float) -> None:
        """Enter what a node keeps: G(z) z (1 - z/(z + esign z))."""
        self.epsilon += float((gradient * dz * (1.0 - slope)).double().sum())

    def enter_offsets(self, offset: Tensor, gradient: Tensor, slope: Tensor | float) -> None:
        """Enter f(0) of an activation at z = 0, from where no chord leads back."""
        self.offsets += float((gradient * offset).double().sum())


Entry = Callable[[Tensor, Tensor | float], None]  # the gradient and the slope: what is entered in a ledger


class PassesDifferError(InputError, RuntimeError):
    """A model whose values decide what it computes went two ways: there are no differences to take."""

    def __init__(self) -> None:
        super().__init__("the pass over the input and the reference pass do not go through the same operations")


class Reference:
    """The rules of a reference pass: everything as it is, and every z of a node, z and f(z) of an activation noted."""

    def __init__(self) -> None:
        self.notes: deque[tuple[Tensor, ...]] = deque()  # in the order of the program, taken from the left

    def gate(self, f: Function, z: Tensor) -> Tensor:
        return f(z)

    def act(self, f: Function, z: Tensor, *, written_out: bool = False) -> Tensor:
        value = f(z)
        self.note(z, value)
        return value

    def node(self, z: Tensor) -> Tensor:
        self.note(z)
        return z

    def note(self, *values: Tensor) -> None:
        """Note copies: a foreign model may change its values in place afterwards."""
        self.notes.append(tuple(value.detach().clone() for value in values))

    def next(self, *like: Tensor) -> tuple[Tensor, ...]:
        """Take what was noted in this place of the program; the two passes have to go through the same places."""
        if not self.notes or [note.shape for note in self.notes[0]] != [value.shape for value in like]:
            raise PassesDifferError
        return self.notes.popleft()

    def check_used_up(self) -> None:
        """Refuse a pass over the input that has not come through all places of the reference pass."""
        if self.notes:
            raise PassesDifferError


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
        return f(z).detach()  # a weight: no relevance goes to what made it

    def act(self, f: Function, z: Tensor, *, written_out: bool = False) -> Tensor:
        value = f(z.detach())
        dz, df = self._differences(z.detach(), value)
        # at once and not when a gradient comes: a model that is not ours may change z or the value in place
        slope = chord(dz, self.spelled_out(f, dz, df) if written_out else df)
        offsets = None if self.ledger is None else partial(self.ledger.enter_offsets, torch.where(dz == 0, df, 0.0))
        return with_slope(z, value, lambda: slope, offsets)

    def node(self, z: Tensor) -> Tensor:
        (dz,) = self._differences(z.detach())
        entry = None if self.ledger is None else partial(self.ledger.enter_epsilon, dz)
        return with_slope(z, z.detach().clone(), lambda: self.share(dz), entry)

    def share(self, dz: Tensor) -> Tensor:
        """Compute a' / (a' + esign(a')) = |a'| / (|a'| + eps): what epsilon leaves of a node's relevance.

        dz is a', or its difference (DeepLIFT).
        """
        size = dz.abs()
        return size.div_(size + self.eps)

    def spelled_out(self, f: Function, dz: Tensor, df: Tensor) -> Tensor:
        """Choose the difference of an activation that the appendix spells f(z): f(dz) when read literally, else df."""
        return f(dz) if self.paired and self.readout == "literal" else df

    def _differences(self, *values: Tensor) -> tuple[Tensor, ...]:
        """Subtract what the values are in the reference pass, if there is one."""
        if self.reference is None:
            return values
        return tuple(a - b for a, b in zip(values, self.reference.next(*values), strict=True))


def chord(dz: Tensor, df: Tensor) -> Tensor:
    """Divide df / dz. Where dz = 0 the node below multiplies by 0 as well, so any finite slope will do."""
    return (df / dz).masked_fill_(dz == 0, 0.0)


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
            ctx.entry(gradient[0], slope)
        return gradient[0] * slope, None, None, None


def with_slope(z: Tensor, value: Tensor, slope: Slope, entry: Entry | None = None) -> Tensor:
    """Return ``value``, a tensor of its own, whose gradient times the slope goes back to z.

    The slope is only computed if a gradient comes.
    """
    result: Tensor = _WithSlope.apply(z, [value], slope, entry)  # type: ignore[no-untyped-call]
    return result


# ---------------------------------------------------------------------------------------------------------------------
# Where a gradient starts


def _of_s(s: Tensor, one_hot: Tensor) -> Tensor:
    """Compute d s_k / d s_j = 1[j = k]."""
    return one_hot.expand_as(s)


def _of_p(s: Tensor, one_hot: Tensor) -> Tensor:
    """Compute d p_k / d s_j = p_k (1[j = k] - p_j); 1 - p_k is the sum of the others, exact where p_k is nearly 1."""
    p = s.softmax(-1)
    others = p * (1.0 - one_hot)
    return (p * one_hot).sum(-1, keepdim=True) * (one_hot * others.sum(-1, keepdim=True) - others)


SEEDS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {"s": _of_s, "p": _of_p}
