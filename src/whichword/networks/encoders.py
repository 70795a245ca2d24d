"""What a network has to be (words in, one vector out), and four of them as one recurrence (appendix).

    m_t = carry_t * m_(t-1) + write_t * g_t,    h_t = out_t * phi(m_t)

    LSTM, QLSTM: carry f, write i, out o, phi tanh;    GRU, QGRU: carry z, write 1 - z, h_t = m_t.

They differ in two independent ways: which gates there are (the cell), and where the pre-activations come from: the
word and the last state (V e_t + U h_(t-1) + b), or a causal convolution over words (V * e + b) in Quasi-networks.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from whichword.registry import Registry
from whichword.rules import PLAIN, Rules
from whichword.sequences import Sequences


@dataclass(frozen=True)
class Dropout:
    """Training noise: masks of 0 and 1/(1-rate), drawn from a generator of their own."""

    rate: float
    generator: torch.Generator

    def mask(self, shape: tuple[int, ...], like: Tensor) -> Tensor:
        """Draw a fresh mask of this shape."""
        drawn = torch.rand(shape, generator=self.generator, dtype=like.dtype, device=like.device)
        return (drawn >= self.rate).to(like.dtype) / (1.0 - self.rate)


class Encoder(nn.Module):
    """Turn embedded words into a document vector. Parameters bear the appendix's names and are saved under them.

    A subclass is made with (embedding size, hidden size), says in ``directional`` whether it may read backwards too,
    and defines `forward` in the three words of `rules`. ``dropout``, given in training only, is for connections inside.
    That is enough for every method; faster ways to the same numbers are kept apart, in `networks.fast`.
    """

    directional: ClassVar[bool] = False

    def __init__(self, embedding: int, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden

    def forward(self, x: Sequences, rules: Rules = PLAIN, dropout: Dropout | None = None) -> Tensor:
        """Encode x [B, T, E] as h [B, H]; padding is already zero."""
        raise TypeError(f"{type(self).__name__} defines no forward pass")


NETWORKS: Registry[type[Encoder]] = Registry("network", "whichword.networks")


def glorot(*shape: int, fan_in: int, fan_out: int) -> nn.Parameter:
    """Draw uniformly from +-sqrt(6 / (fan_in + fan_out))."""
    bound = (6.0 / (fan_in + fan_out)) ** 0.5
    return nn.Parameter(torch.empty(*shape).uniform_(-bound, bound))


Gates = dict[str, Tensor]
Recurrence = Callable[[Rules, Tensor, Tensor], tuple[Gates, Tensor]]


class Step(NamedTuple):
    """One time step, each [B, H]; ``out`` is None where h_t = m_t."""

    memory: Tensor
    hidden: Tensor
    carry: Tensor
    out: Tensor | None


class Memory(NamedTuple):
    """m_t and carry_t for every t, [B, T, H], and o_T [B, H] (None: h_T = m_T): what cell decomposition reads."""

    memory: Sequences
    carry: Sequences
    out: Tensor | None


class Gated(Encoder):
    """The recurrence; subclasses name their gates and give the pre-activations."""

    directional: ClassVar[bool] = True
    gates: ClassVar[str]  # the letters of the gates, in the appendix's order

    def steps(self, x: Sequences, rules: Rules, dropout: Dropout | None = None) -> Iterator[Step]:
        """Yield all T steps. Rows that have ended run on over zeros; what they then give is not read."""
        raise TypeError(f"{type(self).__name__} defines no steps")

    def advance(self, rules: Rules, memory: Tensor, gates: Gates, candidate: Tensor) -> Step:
        """Compute m_t and h_t from the gates' values and g'_t."""
        raise TypeError(f"{type(self).__name__} defines no cell")

    def forward(self, x: Sequences, rules: Rules = PLAIN, dropout: Dropout | None = None) -> Tensor:
        return self.last(x, self.steps(x, rules, dropout))

    def last(self, x: Sequences, steps: Iterator[Step]) -> Tensor:
        """Return h after each row's own length."""
        hidden = [step.hidden for step in steps]
        if not hidden:  # no row has a word
            return x.data.new_zeros(len(x), self.hidden)
        return x.with_data(torch.stack(hidden, 1)).last()

    def remember(self, x: Sequences) -> Memory:
        """Return memory and carry at every step; x must have a word."""
        steps = list(self.steps(x, PLAIN))
        outs = [step.out for step in steps if step.out is not None]
        return Memory(
            x.with_data(torch.stack([step.memory for step in steps], 1)),
            x.with_data(torch.stack([step.carry for step in steps], 1)),
            x.with_data(torch.stack(outs, 1)).last() if outs else None,
        )

    def parameter(self, name: str) -> Tensor:
        """Return the parameter of this name."""
        tensor: Tensor = getattr(self, name)
        return tensor

    def stacked(self, letter: str) -> Tensor:
        """Stack V_i, V_f, .., V in one matrix along H, so that a step is one product."""
        return torch.cat([self.parameter(name) for name in self.names(letter)], -1 if letter == "b" else self._axis)

    _axis: ClassVar[int]  # of H: V and U are [H, ..], a kernel [F, E, H]

    def names(self, letter: str) -> list[str]:
        """Return V_i, V_f, .., V."""
        return [f"{letter}_{gate}" for gate in self.gates] + [letter]


class LSTMCell(Gated):
    """c_t = f_t c_(t-1) + i_t g_t, h_t = o_t tanh(c_t)."""

    gates = "ifo"

    def advance(self, rules: Rules, memory: Tensor, gates: Gates, candidate: Tensor) -> Step:
        g = rules.act(torch.tanh, rules.node(candidate))
        c = rules.node(gates["f"] * memory + gates["i"] * g)
        h = rules.node(gates["o"] * rules.act(torch.tanh, c, written_out=True))
        return Step(c, h, gates["f"], gates["o"])


class GRUCell(Gated):
    """h_t = z_t h_(t-1) + (1 - z_t) g_t."""

    gates = "z"

    def advance(self, rules: Rules, memory: Tensor, gates: Gates, candidate: Tensor) -> Step:
        g = rules.act(torch.tanh, rules.node(candidate))
        h = rules.node(gates["z"] * memory + (1.0 - gates["z"]) * g)
        return Step(h, h, gates["z"], None)


class Recurrent(Gated):
    """Pre-activations V e_t + U h_(t-1) + b; V [H, E], U [H, H], b [H]."""

    _axis = 0

    def __init__(self, embedding: int, hidden: int) -> None:
        super().__init__(embedding, hidden)
        for name in self.names("V"):
            self.register_parameter(name, glorot(hidden, embedding, fan_in=embedding, fan_out=hidden))
        for name in self.names("U"):
            self.register_parameter(name, nn.Parameter(nn.init.orthogonal_(torch.empty(hidden, hidden))))
        for name in self.names("b"):
            # a forget gate that starts open lets the gradient through
            self.register_parameter(name, nn.Parameter(torch.full((hidden,), float(name == "b_f"))))

    def steps(self, x: Sequences, rules: Rules, dropout: Dropout | None = None) -> Iterator[Step]:
        words = x.data @ self.stacked("V").T + self.stacked("b")
        # one mask per sequence: variational dropout on the hidden-to-hidden connection
        mask = dropout.mask((len(x), self.hidden), x.data) if dropout else None
        return self.walk(rules, words, mask)

    def walk(self, rules: Rules, words: Tensor, mask: Tensor | None = None) -> Iterator[Step]:
        """Yield the steps from the words' side of the pre-activations on, bias included, [B, T, G]."""
        memory = hidden = words.new_zeros(len(words), self.hidden)
        recurrence = self._recurrence()
        for word in words.unbind(1):
            source = hidden if mask is None else hidden * mask
            gates, candidate = recurrence(rules, word, source)
            step = self.advance(rules, memory, gates, candidate)
            memory, hidden = step.memory, step.hidden
            yield step

    def _recurrence(self) -> Recurrence:
        raise TypeError(f"{type(self).__name__} defines no recurrence")


class GRU(GRUCell, Recurrent):
    """The paper's GRU: the reset gate stands inside the matrix product, g' = V e_t + U (r_t * h_(t-1)) + b.

    (torch.nn.GRU computes r_t * (U h_(t-1) + b') instead.)
    """

    gates = "zr"

    def _recurrence(self) -> Recurrence:
        U_gates, U = torch.cat([self.parameter("U_z"), self.parameter("U_r")]).T, self.parameter("U").T

        def step(rules: Rules, word: Tensor, hidden: Tensor) -> tuple[Gates, Tensor]:
            *words, word_g = word.chunk(3, -1)
            z, r = (torch.cat(words, -1) + hidden @ U_gates).chunk(2, -1)
            reset = rules.gate(torch.sigmoid, r)
            return {"z": rules.gate(torch.sigmoid, z)}, word_g + (reset * hidden) @ U

        return step


class LSTM(LSTMCell, Recurrent):
    """i, f, o gate g = tanh(V e_t + U h_(t-1) + b) into c_t and out of it."""

    def _recurrence(self) -> Recurrence:
        U = self.stacked("U").T

        def step(rules: Rules, word: Tensor, hidden: Tensor) -> tuple[Gates, Tensor]:
            z = word + hidden @ U
            *gates, candidate = z.chunk(4, -1)
            return {name: rules.gate(torch.sigmoid, a) for name, a in zip("ifo", gates, strict=True)}, candidate

        return step


WIDTH = 5  # F, the kernel width of the paper


def convolve(x: Tensor, kernel: Tensor, ahead: int) -> Tensor:
    """Compute V * e: out_t = sum_j kernel_j e_(t + ahead - j), zero vectors around the ends.

    x [B, T, E], kernel [F, E, H] -> [B, T, H]. ``ahead`` = 0 is causal, (F - 1) / 2 centred ("same").
    """
    width = kernel.shape[0]
    if x.shape[1] == 0:  # conv1d wants at least F places
        return x.new_zeros(x.shape[0], 0, kernel.shape[2])
    padded = functional.pad(x, (0, 0, width - 1 - ahead, ahead))
    # conv1d correlates, so the kernel is turned round
    return functional.conv1d(padded.transpose(1, 2), kernel.flip(0).permute(2, 1, 0)).transpose(1, 2)


class Quasi(Gated):
    """Pre-activations V * [0 .. e_1 .. e_T] + b, a causal convolution; V [5, E, H], row j for e_(t-j)."""

    _axis = 2

    def __init__(self, embedding: int, hidden: int) -> None:
        super().__init__(embedding, hidden)
        for name in self.names("V"):
            fans = {"fan_in": WIDTH * embedding, "fan_out": WIDTH * hidden}
            self.register_parameter(name, glorot(WIDTH, embedding, hidden, **fans))
        for name in self.names("b"):
            self.register_parameter(name, nn.Parameter(torch.zeros(hidden)))

    def steps(self, x: Sequences, rules: Rules, dropout: Dropout | None = None) -> Iterator[Step]:
        z = convolve(x.data, self.stacked("V"), ahead=0) + self.stacked("b")
        memory = x.data.new_zeros(len(x), self.hidden)
        *gates, candidate = z.chunk(len(self.gates) + 1, -1)
        values = [rules.gate(torch.sigmoid, a).unbind(1) for a in gates]  # of all steps at once: no h is in them
        for t, g in enumerate(candidate.unbind(1)):
            step = self.advance(rules, memory, {n: v[t] for n, v in zip(self.gates, values, strict=True)}, g)
            memory = step.memory
            yield step


class QGRU(GRUCell, Quasi):
    """The Quasi-GRU."""


class QLSTM(LSTMCell, Quasi):
    """The Quasi-LSTM."""
