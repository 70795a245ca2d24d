"""A network with all its shortcuts: what they make of a batch is shared by the prediction and the methods."""

import copy
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import accumulate

import torch
from torch import Tensor, nn
from torch.nn import functional

from whichword.model import BATCH_WORDS, Batch, Differentiable, GradientKind, Integrate
from whichword.networks.encoders import Dropout, Encoder, Memory, Quasi, Recurrent
from whichword.networks.fast.cells import CELLS
from whichword.networks.fast.cnn import PooledWay
from whichword.networks.fast.pullback import Pullback
from whichword.networks.fast.quasi import QuasiWay
from whichword.networks.fast.recurrent import RecurrentWay
from whichword.networks.fast.way import Embedded, Way, WordTable
from whichword.networks.network import GatedNetwork, Network, Shortcuts
from whichword.networks.plain import CNN
from whichword.reading import AnyEdits, Edits
from whichword.rules import Relevance
from whichword.sequences import Sequences, batches

WORDS = 16384  # of originals at a time; the encoders bound the copies
PIECE = 4096  # words: longer documents are cut where only crops of them are asked for


def way_through(encoder: Encoder, table: WordTable | None) -> Way | None:
    """Return the faster way through an encoder, if there is one."""
    if isinstance(encoder, CNN):
        return PooledWay(encoder, table)
    cell = CELLS.get(type(encoder))
    if cell is None:
        return None
    if isinstance(encoder, Recurrent):
        return RecurrentWay(encoder, cell, table)
    return QuasiWay(encoder, cell, table) if isinstance(encoder, Quasi) else None


class FastNetwork(Shortcuts):
    """``ways`` is empty where an encoder has none: then only what needs none is faster."""

    def __init__(self, network: Network) -> None:
        self.network = network

    @cached_property
    def ways(self) -> list[Way]:
        tables = self.network.tables or [None] * len(self.network.encoders)
        pairs = zip(self.network.directions, tables, strict=True)
        ways = [way_through(encoder, table) for encoder, table in pairs]
        return [way for way in ways if way is not None] if all(ways) else []

    @property
    def local(self) -> bool:
        return bool(self.ways) and all(way.local for way in self.ways)

    @property
    def steady(self) -> bool:
        return bool(self.ways) and all(way.steady for way in self.ways)

    @property
    def batch_words(self) -> int:
        """The fewest words that one of the ways asks for."""
        return min((way.batch for way in self.ways), default=BATCH_WORDS)

    @property
    def _pullback(self) -> Pullback:
        return Pullback(self.ways, self.network.w, self.network.readout_b)

    @property
    def integrate(self) -> Integrate | None:
        return self._integrate if self.ways else None

    def _integrate(
        self, batch: Batch, k: Tensor, steps: int, kinds: Sequence[GradientKind]
    ) -> dict[GradientKind, Tensor]:
        return self._pullback.integrate(self.words(batch), k, steps, kinds)

    @property
    def relevance(self) -> Callable[[Batch, Tensor, Relevance], Tensor] | None:
        return self._relevance if self.ways else None

    def _relevance(self, batch: Batch, k: Tensor, rules: Relevance) -> Tensor:
        return self._pullback.relevance(self.words(batch), k, rules)

    def words(self, batch: Batch) -> Embedded:
        """Look up the batch's embedded words, once."""
        network = self.network
        return batch.once(network, lambda: Embedded.look_up(batch.ids, network.embedding, network.w.dtype))  # type: ignore[no-any-return]

    @torch.no_grad()
    def score(self, batch: Batch) -> Tensor:
        x, network = self.words(batch), self.network
        if not self.ways:
            return Differentiable.score(network, batch)
        readings = [x, x.reversed()] if len(self.ways) > 1 else [x]
        hidden = [way.hidden(reading, batch.expected) for way, reading in zip(self.ways, readings, strict=True)]
        return functional.linear(torch.cat(hidden, -1), network.w, network.readout_b)

    def encode(self, x: Sequences, dropout: Dropout | None) -> Tensor:
        if not self.ways:
            return self.network.encode_plainly(x, dropout=dropout)
        x = x.filled()
        readings = [x, x.reversed()] if len(self.ways) > 1 else [x]
        return torch.cat([way.encode(reading, dropout) for way, reading in zip(self.ways, readings, strict=True)], -1)

    @torch.no_grad()
    def remember(self, batch: Batch) -> list[Memory]:
        if not self.ways and isinstance(self.network, GatedNetwork):
            return self.network.remember_plainly(batch)
        x = self.words(batch)
        readings = [x, x.reversed()] if len(self.ways) > 1 else [x]
        gated = [way for way in self.ways if isinstance(way, RecurrentWay | QuasiWay)]
        return [way.remember(reading) for way, reading in zip(gated, readings, strict=True)]

    def prepared(self, words: int) -> Network:
        """Return the network with tables of what its encoders make of frequent words.

        A table costs what as many words cost as it has rows. So it is made where more are to be read, and only then:
        the last bits differ, and an answer depends on what was asked, not on what was asked before. It is a snapshot,
        made anew for every call and never found again by a network whose parameters have changed since.
        """
        network = self.network
        embedding, matrices = network.embedding.detach(), [way.word_matrix().detach() for way in self.ways]
        if not matrices or words <= max(WordTable.rows_for(embedding, W) for W in matrices):
            return network
        folded = copy.copy(network)  # the parameters are shared
        folded.tables = tuple(WordTable.of(embedding.to(W.dtype), W) for W in matrices)
        return folded

    def in_double(self) -> Network:
        """Return the same function of embedded words in double precision; the embedding itself is shared as it is."""
        network = self.network
        # deepcopy's memo: the embedding is not copied, the tables are left out
        twin = copy.deepcopy(network, {id(network.embedding): network.embedding, id(network.tables): ()})
        twin.encoders.double()
        twin.w, twin.readout_b = (nn.Parameter(value.double(), False) for value in (network.w, network.readout_b))
        return twin

    # -----------------------------------------------------------------------------------------------------------------
    # Edited copies

    @torch.no_grad()
    def score_edits(self, batch: Batch, *edits: AnyEdits) -> Tensor:
        """Score every copy, one kind of edits after the other, [n, K]; sets of words are copied plainly.

        Read out in double precision: what matters are small differences of s.
        """
        windows = [edit for edit in edits if isinstance(edit, Edits)]
        if not self.ways or len(windows) < len(edits):
            return Differentiable.score_edits(self.network, batch, *edits)
        x = self.words(batch)
        if x.width > PIECE and any(edit.kind == "crop" for edit in windows):
            return torch.cat([self._scored(*_in_pieces(x, edit)) for edit in windows])
        return self._scored(x, *windows)

    def _scored(self, x: Embedded, *edits: Edits) -> Tensor:
        """Score a bounded number of originals at a time."""
        if len(x) * x.width <= WORDS:
            return self._read(x, edits)
        K = len(self.network.readout_b)
        scores = x.data.new_zeros(sum(map(len, edits)), K, dtype=torch.float64)
        for group in batches(x.lengths.tolist(), WORDS):
            rows = torch.as_tensor(group, device=x.data.device)
            place = torch.full_like(x.lengths, -1).index_copy(0, rows, torch.arange(len(rows), device=rows.device))
            chosen = [(place[edit.rows] >= 0).nonzero()[:, 0] for edit in edits]
            picked = [edit.pick(index) for edit, index in zip(edits, chosen, strict=True)]
            moved = [Edits(edit.kind, place[edit.rows], edit.start, edit.stop) for edit in picked]
            begin = accumulate(map(len, edits), initial=0)  # where each kind's scores begin
            where = torch.cat([index + first for index, first in zip(chosen, begin, strict=False)])
            scores[where] = self._read(x.pick(rows), moved)
        return scores

    def _read(self, x: Embedded, edits: Sequence[Edits]) -> Tensor:
        """Compute s [n, K]: the backward direction sees the mirrored edits of the reversed document."""
        w, b = self.network.w.double(), self.network.readout_b.double()
        edits = [edit for edit in edits if len(edit)]  # a way wants at least one copy of a kind
        if not edits:
            return b.new_zeros(0, len(b))
        forward, *backward = zip(self.ways, w.chunk(len(self.ways), 1), strict=True)
        s = forward[0].read_edits(x, forward[1], *edits)
        for way, half in backward:
            s += way.read_edits(x.reversed(), half, *(edit.mirrored(x) for edit in edits))
        return s.add_(b)


def _in_pieces(x: Embedded, edits: Edits) -> tuple[Embedded, Edits]:
    """Turn crops into crops of shorter documents."""
    return edits.in_pieces(x, PIECE) if edits.kind == "crop" and len(edits) else (x, edits)  # type: ignore[return-value]
