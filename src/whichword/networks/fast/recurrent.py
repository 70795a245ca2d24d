"""GRU and LSTM without autograd: forward passes at many points and the way back, under any rules."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import torch
from torch import Tensor

from whichword import kernels
from whichword.edits import Edits
from whichword.networks.encoder import Dropout
from whichword.networks.fast import sequence
from whichword.networks.fast.cells import BEFORE, GATES, MEMORY, Cell
from whichword.networks.fast.folding import Embedded, WordTable, product
from whichword.networks.fast.inputs import Inputs
from whichword.networks.fast.runs import encode_edits
from whichword.networks.fast.way import Opened
from whichword.networks.gated import Memory, Recurrent
from whichword.passes import TRACE
from whichword.rules import PLAIN, Plain, Reference, Relevance, Rules
from whichword.sequences import Sequences, batches

Walk = Callable[[Rules, Sequences], Tensor]  # pre-activations of the words [B, T, G], bias included -> h [B, H]


@dataclass(frozen=True)
class RecurrentWay:
    """The way through a GRU or LSTM."""

    encoder: Recurrent
    cell: Cell
    table: WordTable | None = None
    local: ClassVar[bool] = False
    steady: ClassVar[bool] = False
    batch: ClassVar[int] = 2048
    capacity: ClassVar[int] = 16384

    def word_matrix(self) -> Tensor:
        return self.encoder.stacked("V")

    def project(self, x: Embedded) -> "RecurrentWords":
        """V e_t."""
        return x.once((self.encoder, "project"), lambda: self._project(x))  # type: ignore[no-any-return]

    def _project(self, x: Sequences) -> "RecurrentWords":
        V, words = self.word_matrix(), self.encoder
        walk = lambda rules, z: words.last(z, words.walk(rules, z.data))  # noqa: E731
        return RecurrentWords(self.cell, x.with_data(product(x, V, self.table)), V, self._inputs(x), walk)

    def _inputs(self, x: Sequences, mask: Tensor | None = None) -> Inputs:
        return Inputs(self.encoder.stacked("b"), self.encoder.stacked("U"), mask, x.lengths)

    def opened(self, x: Embedded, rules: Rules) -> Opened:
        return x.once((self.encoder, rules), lambda: self.project(x).open(x.data.new_ones(1), rules))  # type: ignore[no-any-return]

    def hidden(self, x: Embedded, expected: Sequence[Any] = ()) -> Tensor:
        for hint in expected if x.width and kernels.usable(x.data) else ():
            if hint == TRACE:
                return self._traced(x)[0]
            return self.opened(x, hint if isinstance(hint, Relevance) else PLAIN).hidden[0]
        words = self.project(x)
        return self.cell.last(words.words.data, words.inputs)

    def encode(self, x: Sequences, dropout: Dropout | None) -> Tensor:
        """All steps at once: what `Recurrent.forward` gives under the ordinary gradient."""
        if x.width == 0:
            return self.encoder(x, dropout=dropout)  # type: ignore[no-any-return]
        mask = dropout.mask((len(x), self.encoder.hidden), x.data) if dropout else None
        return sequence.run(self.cell, x.data @ self.word_matrix().T, self._inputs(x, mask))

    def remember(self, x: Embedded) -> Memory:
        """m_t, carry_t and o_T from one forward pass."""
        return self._traced(x)[1] if kernels.usable(x.data) else self.encoder.remember(x)

    def _traced(self, x: Embedded) -> tuple[Tensor, Memory]:
        """h and the memory, by the kernels."""
        return x.once((self.encoder, TRACE), lambda: self._trace(x))  # type: ignore[no-any-return]

    def _trace(self, x: Embedded) -> tuple[Tensor, Memory]:
        words = self.project(x)
        state = MEMORY if self.cell.out is not None else BEFORE
        last, (gates, states) = self.cell.forward(words.words.data, x.data.new_ones(1), words.inputs, (GATES, state))
        blocks = gates[0].chunk(self.cell.blocks, -1)
        if self.cell.out is None:
            memory, out = x.with_data(_shifted(x, states[0], last[0])), None
        else:
            memory, out = x.with_data(states[0]), x.with_data(blocks[self.cell.out]).last()
        return last[0], Memory(memory, x.with_data(blocks[self.cell.carry]), out)

    def encode_edits(self, x: Embedded, *edits: Edits) -> Tensor:
        """From the state where an edit begins, all copies at once; without the kernels, copy by copy."""
        if kernels.usable(x.data):
            words = self.project(x)
            return encode_edits(self.cell, words.words, words.inputs, edits)
        return torch.cat([self._encode_copies(x, edit) for edit in edits])

    def _encode_copies(self, x: Sequences, edits: Edits) -> Tensor:
        h = x.data.new_zeros(len(edits), self.encoder.hidden)
        for group in batches(edits.lengths(x).tolist(), self.capacity):
            index = torch.as_tensor(group, device=x.data.device)
            h[index] = self.encode(edits.pick(index).apply(x).filled(), None)
        return h


def _shifted(x: Sequences, before: Tensor, last: Tensor) -> Tensor:
    """h_t, which the next step finds before it, and at the end the last state; [B, T, H]."""
    following = torch.cat([before[:, 1:], last[:, None]], 1)
    ending = (x.positions == x.lengths[:, None] - 1)[..., None]
    return torch.where(ending, last[:, None], following)


@dataclass(frozen=True)
class RecurrentWords:
    """``words`` [B, T, G] = V e_t. Pulled gradients are [.., B, T, G], or [.., B, T, H] of the candidate."""

    cell: Cell
    words: Sequences
    V: Tensor  # [G, E]
    inputs: Inputs
    walk: Walk

    def open(self, scales: Tensor, rules: Rules) -> Opened:
        """Forward passes at alpha_m X."""
        return OPENERS.get(type(rules), Stepped.of)(self, scales, rules)

    def walked(self, rules: Rules, z: Tensor) -> Tensor:
        """h [M * B, H] after the steps over z [M, B, T, G], without bias."""
        return self.walk(rules, Sequences(z.flatten(0, 1) + self.inputs.bias, self.inputs.ends.repeat(len(z))))

    def lift(self, pulled: Tensor) -> Tensor:
        """V^T d, [.., B, T, E]."""
        rows = pulled.reshape(-1, pulled.shape[-1])  # one product, not one for each document
        return (rows @ self.V[-pulled.shape[-1] :]).view(*pulled.shape[:-1], -1)

    def dot(self, pulled: Tensor) -> Tensor:
        """e_t . V^T d_t = (V e_t) . d_t, [.., B, T]."""
        return (self.words.data[..., -pulled.shape[-1] :] * pulled).sum(-1)


@dataclass(frozen=True)
class RelevancePasses:
    """LRP and DeepLIFT by the kernels: ``factors`` [M, B, T, 4H] are what each step multiplies the gradient with."""

    of_words: RecurrentWords
    hidden: Tensor
    reference: Tensor | None
    factors: Tensor

    @staticmethod
    def of(words: RecurrentWords, scales: Tensor, rules: Relevance) -> "RelevancePasses":
        z, inputs = words.words.data.contiguous(), words.inputs
        M, B, T = len(scales), *z.shape[:2]
        assert inputs.U is not None
        H = inputs.U.shape[1]
        hidden, factors = z.new_empty(M, B, H), z.new_empty(M, B, T, 4 * H)
        reference = z.new_empty(B, H) if rules.paired else None
        constants = torch.tensor([rules.eps], dtype=torch.float64)
        weights = (scales.to(z.dtype), inputs.bias, inputs.U, inputs.ends.long().contiguous())
        sizes = (M, B, T, H, MODES[rules.paired, rules.readout])
        kernels.call(
            f"{words.cell.name}_relevance_forward", z, *sizes, z, *weights, constants, factors, hidden, reference
        )
        return RelevancePasses(words, hidden, reference, factors)

    def pull(self, seeds: Tensor) -> Tensor:
        M, S, B, H = seeds.shape
        T, inputs = self.factors.shape[2], self.of_words.inputs
        gradients = seeds.new_empty(1 + (M > 1), S, B, T, H)
        arrays = (inputs.U, inputs.ends.long().contiguous(), self.factors, seeds.contiguous(), gradients[0])
        end = gradients[1] if M > 1 else None
        kernels.call(f"{self.of_words.cell.name}_relevance_backward", seeds, M, S, B, T, H, *arrays, end)
        return gradients.expand(2, *gradients.shape[1:])  # of one point, the sum is the point itself


MODES = {(False, "literal"): 0, (False, "rescale"): 0, (True, "literal"): 1, (True, "rescale"): 2}


@dataclass(frozen=True)
class Stepped:
    """Any rules, step by step under autograd: the plain way, from the words' side on."""

    hidden: Tensor
    reference: Tensor | None
    leaf: Tensor  # [M, B, T, G]
    scored: Tensor  # h with its graph, [M, B, H]

    @staticmethod
    def of(words: RecurrentWords, scales: Tensor, rules: Rules) -> "Stepped":
        shape, reference = (len(scales), len(words.words), -1), None
        with torch.enable_grad():
            leaf = (scales[:, None, None, None] * words.words.data).requires_grad_()
            if isinstance(rules, Relevance) and rules.paired:
                notes = Reference()
                reference = words.walked(notes, torch.zeros_like(leaf)).detach().view(shape)[0]
                rules = replace(rules, reference=notes)
            h = words.walked(rules, leaf).view(shape)
        return Stepped(h.detach(), reference, leaf, h)

    def pull(self, seeds: Tensor) -> Tensor:
        graph = (self.scored, self.leaf)
        pulled = [torch.autograd.grad(*graph, seed, retain_graph=True)[0] for seed in seeds.unbind(1)]
        gradients = torch.stack(pulled, 1)  # [M, S, B, T, G]
        return torch.stack([gradients.sum(0), gradients[-1]])


def _plain(words: RecurrentWords, scales: Tensor, rules: Rules) -> Opened:
    return words.cell.open(words.words.data, scales, words.inputs)


def _relevance(words: RecurrentWords, scales: Tensor, rules: Relevance) -> Opened:
    return (RelevancePasses if kernels.usable(words.words.data) else Stepped).of(words, scales, rules)


OPENERS: dict[type, Callable[..., Opened]] = {Plain: _plain, Relevance: _relevance}
