"""The way through a GRU or LSTM: the words' side of the pre-activations once, passes over it, edited copies.

A copy begins with the state that its document has where the edit begins. Cut and blanked copies run from the edit to
the end; crops with one start are one run, each of them what the run has read at its stop. Cell decomposition reads the
memory from the kernels' forward pass. Passes under rules of others go step by step under autograd, the plain way.

For training, a whole sequence is one node of autograd, under the ordinary gradient:

    words [B, T, G]   V e_t or V * e, the gates in the order of `encoders` and the candidate last
    bias  [G], U [G, H]   stacked in the same order; U is None for Quasi-networks
    mask  [B, H]      variational dropout of h_(t-1) on its way into U, or None
    ends  [B]         each row's own length; h of an empty row is 0

The gradients of U and of the bias are one product and one sum after all steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from whichword.base import kernels
from whichword.model import TRACE
from whichword.networks.encoders import Dropout, Memory, Recurrent
from whichword.networks.fast.cells import BEFORE, GATES, MEMORY, Cell, RelevancePasses
from whichword.networks.fast.steps import Inputs, States
from whichword.networks.fast.way import Embedded, Opened, WordTable, product, read_out
from whichword.reading import Edits
from whichword.rules import PLAIN, Plain, Reference, Relevance, Rules
from whichword.sequences import Sequences, batches


def traced(cell: Cell, x: Embedded, words: Tensor, inputs: Inputs) -> tuple[Tensor, Memory]:
    """Compute h [B, H]; m_t, carry_t and o_T."""
    state = MEMORY if cell.out is not None else BEFORE  # a GRU remembers in h itself
    last, (gates, states) = cell.forward(words, x.data.new_ones(1), inputs, (GATES, state))
    blocks = gates[0].chunk(cell.blocks, -1)
    if cell.out is None:
        memory, out = x.with_data(_shifted(x, states[0], last[0])), None  # kept is h_(t-1), and m_t = h_t is wanted
    else:
        memory, out = x.with_data(states[0]), x.with_data(blocks[cell.out]).last()
    return last[0], Memory(memory, x.with_data(blocks[cell.carry]), out)


def _shifted(x: Sequences, before: Tensor, last: Tensor) -> Tensor:
    """Shift to h_t, which the next step finds before it, and at the end the last state; [B, T, H]."""
    following = torch.cat([before[:, 1:], last[:, None]], 1)
    ending = (x.positions == x.lengths[:, None] - 1)[..., None]
    return torch.where(ending, last[:, None], following)


Walked = Callable[[Rules, Tensor], Tensor]  # the words' side [M, B, T, G], without bias -> h [M * B, H]


@dataclass(frozen=True)
class WalkedPasses:
    """The passes of an `Opened` with their graph."""

    hidden: Tensor
    reference: Tensor | None
    leaf: Tensor  # [M, B, T, G]
    scored: Tensor  # h with its graph, [M, B, H]

    @staticmethod
    def of(walked: Walked, words: Tensor, scales: Tensor, rules: Rules) -> WalkedPasses:
        shape, reference = (len(scales), len(words), -1), None
        with torch.enable_grad():
            leaf = (scales[:, None, None, None] * words).requires_grad_()
            if isinstance(rules, Relevance) and rules.paired:
                notes = Reference()
                reference = walked(notes, torch.zeros_like(leaf)).detach().view(shape)[0]  # X = 0, and so V X = 0
                rules = replace(rules, reference=notes)
            h = walked(rules, leaf).view(shape)
        return WalkedPasses(h.detach(), reference, leaf, h)

    def pull(self, seeds: Tensor, last: bool = True) -> Tensor:
        graph = (self.scored, self.leaf)
        pulled = [torch.autograd.grad(*graph, seed, retain_graph=True)[0] for seed in seeds.unbind(1)]
        gradients = torch.stack(pulled, 1)  # [M, S, B, T, G]
        return torch.stack([gradients.sum(0), gradients[-1]])


def run(cell: Cell, words: Tensor, inputs: Inputs) -> Tensor:
    """Compute h [B, H]; where no gradient is wanted, nothing is kept."""
    arrays = (words, inputs.bias, inputs.U)
    if not (torch.is_grad_enabled() and any(array is not None and array.requires_grad for array in arrays)):
        return cell.last(words, inputs)
    hidden: Tensor = _Sequence.apply(cell, *arrays, inputs.mask, inputs.ends)  # type: ignore[no-untyped-call]
    return hidden


class _Sequence(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, cell: Cell, words: Tensor, bias: Tensor, U: Tensor | None, mask: Tensor | None, ends: Tensor
    ) -> Tensor:
        ctx.cell, ctx.compiled = cell, kernels.usable(words)
        last, states = _forward(cell, words, Inputs(bias, U, mask, ends), ctx.compiled)
        ctx.save_for_backward(bias, U, mask, ends, *states)
        return last

    @staticmethod
    @once_differentiable  # the way back is not recorded
    def backward(ctx: Any, gradient: Tensor) -> tuple[None, Tensor, Tensor | None, Tensor | None, None, None]:
        bias, U, mask, ends, *states = ctx.saved_tensors
        d = _backward(ctx.cell, Inputs(bias, U, mask, ends), tuple(states), gradient, ctx.compiled)
        d_bias = d.sum((0, 1)) if ctx.needs_input_grad[2] else None
        dU = _connection_gradient(ctx.cell, d, mask, states) if ctx.needs_input_grad[3] else None
        return None, d, d_bias, dU, None, None


def _forward(cell: Cell, words: Tensor, inputs: Inputs, compiled: bool) -> tuple[Tensor, States]:
    if not compiled:
        return cell.steps.forward(words, inputs)
    last, states = cell.forward(words, words.new_ones(1), inputs, cell.arrays)
    return last[0], tuple(array[0] for array in states)


def _backward(cell: Cell, inputs: Inputs, states: States, gradient: Tensor, compiled: bool) -> Tensor:
    """Compute the gradient of the pre-activations, [B, T, G]."""
    if not compiled:
        return cell.steps.backward(inputs, states, gradient)
    pairs = zip(cell.arrays, states, strict=True)
    needed = tuple(array[None] for name, array in pairs if name in cell.needed)
    return cell.backward(inputs, needed, gradient[None, None])[0, 0]


def _connection_gradient(cell: Cell, d: Tensor, mask: Tensor | None, states: list[Tensor]) -> Tensor:
    """Compute dU [G, H]: what multiplies h_(t-1), and in the GRU's candidate r_t * h_(t-1)."""
    gates, before = states[:2]
    H = before.shape[-1]
    source = before if mask is None else before * mask[:, None]
    if cell.blocks == 4:  # the LSTM has no reset gate
        return _outer(d, source)
    return torch.cat([_outer(d[..., : 2 * H], source), _outer(d[..., 2 * H :], source * gates[..., H : 2 * H])])


def _outer(d: Tensor, source: Tensor) -> Tensor:
    """Sum the outer products sum_(b,t) d_(b,t) x source_(b,t), [G, H]."""
    return d.flatten(0, 1).T @ source.flatten(0, 1)


@dataclass(frozen=True)
class RecurrentWay:
    """The way through a GRU or LSTM."""

    encoder: Recurrent
    cell: Cell
    table: WordTable | None = None
    local: ClassVar[bool] = False
    steady: ClassVar[bool] = False
    batch: ClassVar[int] = 4096
    capacity: ClassVar[int] = 16384

    def word_matrix(self) -> Tensor:
        return self.encoder.stacked("V")

    def project(self, x: Embedded) -> RecurrentWords:
        """Compute V e_t, once per batch."""
        return x.once((self.encoder, "project"), lambda: self._project(x))  # type: ignore[no-any-return]

    def _project(self, x: Embedded) -> RecurrentWords:
        """Compute V e_t; the kernels look words up in the table themselves, where it has all of them."""
        V, bare = self.word_matrix(), x.bare()  # x itself keeps what is made here
        place = self.table.rows(x) if self.table is not None and kernels.usable(x.data) else None
        if self.table is None or place is None:
            return RecurrentWords(self.encoder, self.cell, bare, product(x, V, self.table), V, self._inputs(x))
        inputs = self._inputs(x)._replace(place=place)
        return RecurrentWords(self.encoder, self.cell, bare, self.table.products, V, inputs)

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
        return self.cell.last(words.rows, words.inputs)

    def encode(self, x: Sequences, dropout: Dropout | None) -> Tensor:
        """Run all steps at once: what `Recurrent.forward` gives under the ordinary gradient."""
        if x.width == 0:
            return self.encoder(x, dropout=dropout)  # type: ignore[no-any-return]
        mask = dropout.mask((len(x), self.encoder.hidden), x.data) if dropout else None
        return run(self.cell, x.data @ self.word_matrix().T, self._inputs(x, mask))

    def remember(self, x: Embedded) -> Memory:
        """Return m_t, carry_t and o_T from one forward pass."""
        return self._traced(x)[1] if kernels.usable(x.data) else self.encoder.remember(x)

    def _traced(self, x: Embedded) -> tuple[Tensor, Memory]:
        """Compute h and the memory by the kernels."""
        words = self.project(x)
        return x.once((self.encoder, TRACE), lambda: traced(self.cell, x, words.rows, words.inputs))  # type: ignore[no-any-return]

    def read_edits(self, x: Embedded, w: Tensor, *edits: Edits) -> Tensor:
        """Run all copies at once from the state where an edit begins; without the kernels, copy by copy."""
        if kernels.usable(x.data):
            return read_edits(self.project(x), w.contiguous(), edits)
        return read_out(torch.cat([self._encode_copies(x, edit) for edit in edits]), w)

    def _encode_copies(self, x: Sequences, edits: Edits) -> Tensor:
        h = x.data.new_zeros(len(edits), self.encoder.hidden)
        for group in batches(edits.lengths(x).tolist(), self.capacity):
            index = torch.as_tensor(group, device=x.data.device)
            h[index] = self.encode(edits.pick(index).apply(x).filled(), None)
        return h


@dataclass(frozen=True)
class RecurrentWords:
    """V e_t: ``rows`` [B, T, G], or [N, G] in which ``inputs.place`` says where each word is.

    Pulled gradients are [.., B, T, G], or [.., B, T, H] of the candidate.
    """

    encoder: Recurrent
    cell: Cell
    x: Sequences
    rows: Tensor
    V: Tensor  # [G, E]
    inputs: Inputs

    def words(self, size: int | None = None) -> Tensor:
        """Return V e_t of every word, [B, T, G]; its last ``size`` numbers."""
        place, rows = self.inputs.place, self.rows if size is None else self.rows[..., -size:]
        return rows if place is None else rows.index_select(0, place.view(-1)).view(*place.shape, -1)

    def open(self, scales: Tensor, rules: Rules) -> Opened:
        """Pass forward at alpha_m X."""
        if type(rules) is Plain:
            return self.cell.open(self.rows, scales, self.inputs)
        if type(rules) is Relevance and kernels.usable(self.rows):  # these very rules: a subclass may change any
            return RelevancePasses.of(self.cell, self.words(), self.inputs, scales, rules)
        return self.open_plainly(scales, rules)

    def open_plainly(self, scales: Tensor, rules: Rules) -> WalkedPasses:
        """Do what `open` does by the encoder's own steps."""
        return WalkedPasses.of(self.walked, self.words(), scales, rules)

    def walked(self, rules: Rules, z: Tensor) -> Tensor:
        """Compute h [M * B, H] by the steps over z [M, B, T, G], without bias."""
        rows = Sequences(z.flatten(0, 1) + self.inputs.bias, self.inputs.ends.repeat(len(z)))
        return self.encoder.last(rows, self.encoder.walk(rules, rows.data))

    def lift(self, pulled: Tensor) -> Tensor:
        """Compute V^T d, [.., B, T, E]."""
        rows = pulled.reshape(-1, pulled.shape[-1])  # one product, not one for each document
        return (rows @ self.V[-pulled.shape[-1] :]).view(*pulled.shape[:-1], -1)  # the candidate is last

    def dot(self, pulled: Tensor) -> Tensor:
        """Compute e_t . V^T d_t = (V e_t) . d_t, [.., B, T]."""
        return (self.words(pulled.shape[-1]) * pulled).sum(-1)


# ---------------------------------------------------------------------------------------------------------------------
# Edited copies


@dataclass(frozen=True)
class Runs:
    """How the kernels read copies: run r its row from ``begin``, zeros before ``dark``, from the state after ``init``.

    [R] each, the longest first. Its copies are offset[r]..offset[r+1]-1: where they stop, in rising order, and which
    edit each of them is, [n].
    """

    row: Tensor
    begin: Tensor
    dark: Tensor
    init: Tensor
    offset: Tensor
    stop: Tensor
    slot: Tensor

    @staticmethod
    def per_copy(row: Tensor, begin: Tensor, dark: Tensor, init: Tensor, stop: Tensor) -> Runs:
        """Make one run per copy."""
        order = (stop - begin).argsort(descending=True, stable=True)
        row, begin, dark, init, stop = (array[order] for array in (row, begin, dark, init, stop))
        return Runs(row, begin, dark, init, torch.arange(len(order) + 1), stop, order)

    @staticmethod
    def nested(edits: Edits, x: Sequences) -> Runs:
        """Put crops with one row and start in one run."""
        n = len(edits)
        number, row, begin, offset, stop, slot = (
            torch.empty(size, dtype=torch.long) for size in (1, n, n, n + 1, n, n)
        )
        places = (array.contiguous() for array in (edits.rows, edits.start, edits.stop))
        arrays = (*places, number, row, begin, offset, stop, slot)
        kernels.call("nested", torch.empty(0, dtype=torch.float64), n, len(x), x.width, *arrays)
        R = int(number)
        nothing = torch.zeros(R, dtype=torch.long)
        return Runs(row[:R], begin[:R], nothing, nothing, offset[: R + 1], stop, slot)


def read_edits(words: RecurrentWords, w: Tensor, edits: Sequence[Edits]) -> Tensor:
    """Compute w h of every copy, [n, K], by the kernels; the documents themselves are run once."""
    copies = _Copies(words, w)
    unedited = cache(copies.unedited)  # crops do not need them
    scores = [copies.crops(edit) if edit.kind == "crop" else copies.changed(edit, *unedited()) for edit in edits]
    return torch.cat(scores) if len(scores) > 1 else scores[0]


@dataclass(frozen=True)
class _Copies:
    words: RecurrentWords
    w: Tensor

    def unedited(self) -> tuple[Tensor, States]:
        """Return the documents' last states [1, B, H], and those before every word."""
        words = self.words
        return words.cell.forward(words.rows, words.rows.new_ones(1), words.inputs, (BEFORE, MEMORY))

    def changed(self, edits: Edits, last: Tensor, states: States) -> Tensor:
        """Run what follows a cut or a blank, from the document's own state at its start."""
        ends = self.words.x.lengths[edits.rows]
        begin, dark = {"cut": (edits.stop, torch.zeros_like(ends)), "blank": (edits.start, edits.stop)}[edits.kind]
        untouched = edits.start == ends  # nothing follows, and there is no state before a word to begin with
        runs = Runs.per_copy(edits.rows, begin, dark, torch.where(untouched, 0, edits.start), ends)
        unedited = read_out(last[0], self.w)
        return torch.where(untouched[:, None], unedited[edits.rows], self._run(runs, states))

    def crops(self, edits: Edits) -> Tensor:
        """Run crops: each begins with the zero state, so there are no states to give."""
        runs = Runs.nested(edits, self.words.x)
        return self._run(runs, [None for name in self.words.cell.arrays if name in (BEFORE, MEMORY)])

    def _run(self, runs: Runs, states: Sequence[Tensor | None]) -> Tensor:
        cell, inputs = self.words.cell, self.words.inputs
        assert inputs.U is not None
        H = inputs.U.shape[1]
        z = cell.words(self.words.rows, inputs)
        scores = self.w.new_empty(len(runs.slot), len(self.w))
        places = (runs.row, runs.begin, runs.dark, runs.init, runs.offset, runs.stop, runs.slot)
        arrays = (*z, inputs.bias, inputs.U, *(place.long() for place in places))  # int64 in C
        sizes = (len(runs.row), self.words.x.width, H, len(self.w))
        kernels.call(f"{cell.name}_runs", z[0], *sizes, *arrays, *states, self.w, scores)
        return scores
