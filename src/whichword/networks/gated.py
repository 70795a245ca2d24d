"""GRU, LSTM, Quasi-GRU and Quasi-LSTM as one recurrence (appendix, "Neural networks").

    m_t = carry_t * m_(t-1) + write_t * g_t,    h_t = out_t * phi(m_t)

    LSTM, QLSTM: carry f, write i, out o, phi tanh;    GRU, QGRU: carry z, write 1 - z, h_t = m_t.

They differ in two independent ways: which gates there are (the cell), and where the pre-activations come from: the
word and the last state (V e_t + U h_(t-1) + b), or a causal convolution over words (V * e + b), see `quasi`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import torch
from torch import Tensor, nn

from whichword.edits import Edits
from whichword.networks import kernels, recurrent
from whichword.networks.encoder import Dropout, Encoder, glorot
from whichword.networks.folding import product
from whichword.networks.recurrent_edits import encode_edits
from whichword.networks.recurrent_kernels import Inputs
from whichword.networks.recurrent_trace import trace
from whichword.networks.recurrent_words import RecurrentWords
from whichword.rules import PLAIN, Rules
from whichword.sequences import Sequences, batches

Gates = dict[str, Tensor]
Recurrence = Callable[[Rules, Tensor, Tensor], tuple[Gates, Tensor]]


class Step(NamedTuple):
    """One time step, each [B, H]; ``out`` is None where h_t = m_t."""

    memory: Tensor
    hidden: Tensor
    carry: Tensor
    out: Tensor | None


@dataclass(frozen=True)
class Trace:
    """What cell decomposition reads: m_t and carry_t for every t, and the last step's out."""

    memory: Sequences  # [B, T, H]
    carry: Sequences  # [B, T, H]
    out: Tensor | None  # o_T [B, H]; None: h_T = m_T


class Gated(Encoder):
    """The recurrence; subclasses name their gates and give the pre-activations."""

    directional: ClassVar[bool] = True
    gates: ClassVar[str]  # the letters of the gates, in the appendix's order

    def steps(self, x: Sequences, rules: Rules, dropout: Dropout | None = None) -> Iterator[Step]:
        """All T steps. Rows that have ended run on over zeros; nobody reads what they then give."""
        raise TypeError(f"{type(self).__name__} defines no steps")

    def advance(self, rules: Rules, memory: Tensor, gates: Gates, candidate: Tensor) -> Step:
        """From the gates' values and g'_t to m_t and h_t."""
        raise TypeError(f"{type(self).__name__} defines no cell")

    def forward(self, x: Sequences, rules: Rules = PLAIN, dropout: Dropout | None = None) -> Tensor:
        return self._last(x, self.steps(x, rules, dropout))

    def _last(self, x: Sequences, steps: Iterator[Step]) -> Tensor:
        """h after each row's own length."""
        hidden = [step.hidden for step in steps]
        if not hidden:
            return x.data.new_zeros(len(x), self.hidden)
        return x.with_data(torch.stack(hidden, 1)).last()

    def trace(self, x: Sequences) -> Trace:
        """Memory and carry at every step; x must have a word."""
        steps = list(self.steps(x, PLAIN))
        outs = [step.out for step in steps if step.out is not None]
        return Trace(
            x.with_data(torch.stack([step.memory for step in steps], 1)),
            x.with_data(torch.stack([step.carry for step in steps], 1)),
            x.with_data(torch.stack(outs, 1)).last() if outs else None,
        )

    def _parameter(self, name: str) -> Tensor:
        found: Tensor = getattr(self, name)
        return found

    def _stacked(self, letter: str) -> Tensor:
        """V_i, V_f, .., V in one matrix along H, so that a step is one product."""
        return torch.cat([self._parameter(name) for name in self._names(letter)], -1 if letter == "b" else self._axis)

    _axis: ClassVar[int]

    def _names(self, letter: str) -> list[str]:
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
        for name in self._names("V"):
            self.register_parameter(name, glorot(hidden, embedding, fan_in=embedding, fan_out=hidden))
        for name in self._names("U"):
            self.register_parameter(name, nn.Parameter(nn.init.orthogonal_(torch.empty(hidden, hidden))))
        for name in self._names("b"):
            # a forget gate that starts open lets the gradient through
            self.register_parameter(name, nn.Parameter(torch.full((hidden,), float(name == "b_f"))))

    def steps(self, x: Sequences, rules: Rules, dropout: Dropout | None = None) -> Iterator[Step]:
        words = x.data @ self._stacked("V").T + self._stacked("b")
        # one mask a sequence: variational dropout on the hidden-to-hidden connection
        mask = dropout.mask((len(x), self.hidden), x.data) if dropout else None
        return self._walk(rules, words, mask)

    def _walk(self, rules: Rules, words: Tensor, mask: Tensor | None) -> Iterator[Step]:
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

    cell: ClassVar[str]  # its name in `recurrent`, which takes all steps at once under the ordinary gradient

    def forward(self, x: Sequences, rules: Rules = PLAIN, dropout: Dropout | None = None) -> Tensor:
        """As the steps say; under the ordinary gradient all of them at once, which is faster."""
        if rules != PLAIN or x.width == 0:
            return super().forward(x, rules, dropout)
        mask = dropout.mask((len(x), self.hidden), x.data) if dropout else None
        words = x.data @ self._stacked("V").T
        return recurrent.run(self.cell, words, self._stacked("b"), x.lengths, self._stacked("U"), mask)

    batch = 2048
    capacity = 16384

    def project(self, x: Sequences) -> RecurrentWords:
        """V e_t, shared by all points."""
        V, given = self._stacked("V"), Inputs(self._stacked("b"), self._stacked("U"), None, x.lengths)
        walk = lambda rules, words: self._last(words, self._walk(rules, words.data, None))  # noqa: E731
        return RecurrentWords(self.cell, x.with_data(product(x, V, self.table)), V, given, walk)

    def word_matrix(self) -> Tensor:
        return self._stacked("V")

    def trace(self, x: Sequences) -> Trace:
        """As the steps say, from one forward pass of the kernels where they are usable."""
        return Trace(*trace(self.project(x))) if kernels.usable(x.data) else super().trace(x)

    def encode_edits(self, x: Sequences, *edits: Edits) -> Tensor:
        """From the state where an edit begins, all copies at once; without the kernels, copy by copy."""
        if kernels.usable(x.data):
            return encode_edits(self.project(x), edits)
        return torch.cat([self._encode_copies(x, each) for each in edits])

    def _encode_copies(self, x: Sequences, edits: Edits) -> Tensor:
        h = x.data.new_zeros(len(edits), self.hidden)
        for group in batches(edits.lengths(x).tolist(), self.capacity):
            some = torch.as_tensor(group, device=x.data.device)
            h[some] = self(edits.pick(some).apply(x))
        return h


class GRU(GRUCell, Recurrent):
    """The paper's GRU: the reset gate stands inside the matrix product, g' = V e_t + U (r_t * h_(t-1)) + b.

    (torch.nn.GRU computes r_t * (U h_(t-1) + b') instead.)
    """

    gates = "zr"
    cell = "gru"

    def _recurrence(self) -> Recurrence:
        U_gates, U = torch.cat([self._parameter("U_z"), self._parameter("U_r")]).T, self._parameter("U").T

        def step(rules: Rules, word: Tensor, hidden: Tensor) -> tuple[Gates, Tensor]:
            *words, word_g = word.chunk(3, -1)
            z, r = (torch.cat(words, -1) + hidden @ U_gates).chunk(2, -1)
            reset = rules.gate(torch.sigmoid, r)
            return {"z": rules.gate(torch.sigmoid, z)}, word_g + (reset * hidden) @ U

        return step


class LSTM(LSTMCell, Recurrent):
    """i, f, o gate g = tanh(V e_t + U h_(t-1) + b) into c_t and out of it."""

    cell = "lstm"

    def _recurrence(self) -> Recurrence:
        U = self._stacked("U").T

        def step(rules: Rules, word: Tensor, hidden: Tensor) -> tuple[Gates, Tensor]:
            z = word + hidden @ U
            *gates, candidate = z.chunk(4, -1)
            return {name: rules.gate(torch.sigmoid, a) for name, a in zip("ifo", gates, strict=True)}, candidate

        return step
