"""Edited copies of a causal model's documents: what stands before an edit has the document's own keys and values.

A piece of a causal model sees those before it and no other. So a document is run once, its keys and values are kept,
and of an edited copy only what follows the first change is run: half of the pieces, and less behind a long prompt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from whichword.errors import InputError
from whichword.model import Batch
from whichword.models.module import PretrainedModule
from whichword.reading import AnyEdits, Edits, edited_pieces
from whichword.sequences import batches

KEPT = 2048  # pieces of documents whose keys and values are kept at once
CALL = 32  # pieces cost about as much as one more call: what may be run in vain so that copies go together
CLOSE = {torch.float64: 1e-6, torch.float32: 1e-4}  # of the largest score: a probe for structure, not for rounding
STRETCHED = ("dynamic", "longrope")  # rotary angles that depend on the length of the whole text


class NotSharedError(InputError):
    """Edited copies have to be run whole."""


@dataclass(frozen=True)
class CopyPlan:
    """Of n edited copies: the document, the pieces of the copy, and how many of them stand before any change, [n].

    Copies are counted through all kinds of edits, one kind after the other.
    """

    rows: Tensor
    lengths: Tensor
    before: Tensor

    @staticmethod
    def of(batch: Batch, edits: Sequence[AnyEdits], passed_over: int | None) -> CopyPlan:
        columns = zip(*(_planned(batch, kind, passed_over) for kind in edits), strict=True)
        return CopyPlan(*map(torch.cat, columns))

    def groups(self, index: Tensor, most: int, aligned: bool) -> Iterator[Together]:
        """Group copies with about as many pieces behind what they share; of ``most`` pieces, or one copy.

        ``aligned``: beginnings of different lengths may stand side by side, each ending where the pieces that are run
        begin. Else copies of one length go together.
        """
        lengths, rests = self.lengths[index].tolist(), (self.lengths - self.before)[index].tolist()
        places = zip([-rest for rest in rests], lengths, index.tolist(), strict=True)  # the longest rests first
        group: list[int] = []
        pieces = length = vain = 0  # vain: pieces that are run for the sake of others
        for behind, size, copy in sorted(places, key=lambda place: (0 if aligned else place[1], place)):
            fits = size >= pieces if aligned else size == length  # of no copy is more run than it has
            full = (len(group) + 1) * pieces > most
            if group and (full or not fits or vain + pieces + behind > CALL):
                yield Together(sorted(group), pieces)
                group = []
            if not group:
                pieces, length, vain = -behind, size, 0
            group.append(copy)
            vain += pieces + behind
        if group:
            yield Together(sorted(group), pieces)

    def cost(self, one_by_one: bool) -> int:
        """Estimate, in pieces, running the copies whole, those of one length together."""
        calls = len(self.lengths) if one_by_one else len(torch.unique(self.lengths))
        return int(self.lengths.sum()) + CALL * calls


def _planned(batch: Batch, edits: AnyEdits, passed_over: int | None) -> tuple[Tensor, Tensor, Tensor]:
    """Plan to run at least the last piece, and the last one that the read-out does not skip."""
    touched, own = edits.touched(batch.word_of), batch.ids.mask[edits.rows]
    stays = own & ~touched.cut
    unchanged = ~(touched.cut | touched.blank).to(torch.uint8).cummax(1).values.bool() & own  # up to a change
    heard = stays if passed_over is None else stays & (batch.ids.data != passed_over)[edits.rows]
    last = (stays.to(torch.int32).cumsum(1) * heard).amax(1) - 1  # counted in the copy
    return edits.rows, stays.sum(1), torch.minimum(unchanged.sum(1), last.clamp(min=0))


@dataclass(frozen=True)
class Together:
    """Copies of which the last ``pieces`` are run in one call; in the order of their kinds."""

    copies: list[int]
    pieces: int

    @property
    def cost(self) -> int:
        return len(self.copies) * self.pieces + CALL


@dataclass(frozen=True)
class DocumentWork:
    """Some documents, and the copies of them that go together."""

    documents: list[int]
    groups: list[Together]

    def cost(self, lengths: Tensor) -> int:
        """Estimate in pieces: the documents' own and those behind the edits."""
        sizes = lengths[self.documents]
        return int(sizes.sum()) + CALL * len(torch.unique(sizes)) + sum(group.cost for group in self.groups)


@dataclass(frozen=True)
class Endings:
    """The last q pieces of copies: ids [n, q], vectors [n, q, E], the documents and the lengths of the copies, [n]."""

    ids: Tensor
    e: Tensor
    rows: Tensor
    lengths: Tensor

    @staticmethod
    def of(table: Tensor, batch: Batch, edits: AnyEdits, pieces: int) -> Endings:
        copies, blank = edited_pieces(batch, edits)
        lengths = copies.ids.lengths
        places = lengths[:, None] - pieces + torch.arange(pieces, device=lengths.device)
        ids = copies.ids.data.gather(1, places)
        e = torch.where(blank.gather(1, places)[..., None], 0.0, functional.embedding(ids, table.detach()))
        return Endings(ids, e, edits.rows, lengths)

    @staticmethod
    def joined(parts: Sequence[Endings]) -> Endings:
        columns = zip(*((part.ids, part.e, part.rows, part.lengths) for part in parts), strict=True)
        return Endings(*map(torch.cat, columns))


class SharedPrefixes:
    """Scores of edited copies of a causal model, exactly as if every copy were run whole.

    ``aligned``: beginnings of different lengths go together, the shorter ones behind places that nothing looks at.
    """

    def __init__(self, model: PretrainedModule, aligned: bool) -> None:
        self.model, self.aligned = model, aligned
        try:
            from whichword.models import past  # not in all versions of transformers
        except (ImportError, AttributeError) as error:
            raise NotSharedError("this version of transformers keeps keys and values in another way") from error
        self._past = past
        if any(word in str(rope_settings(model.module.config)) for word in STRETCHED):  # whatever the key
            raise NotSharedError("its rotary angles depend on the length of the text")

    @staticmethod
    def of(model: PretrainedModule) -> SharedPrefixes:
        """Try to share on a probe; `NotSharedError` says why that cannot be."""
        if model.takes_positions:
            with suppress(NotSharedError):
                return SharedPrefixes(model, aligned=True).checked(model.varied_probe())
        return SharedPrefixes(model, aligned=False).checked(model.varied_probe())

    def plan(self, batch: Batch, edits: Sequence[AnyEdits]) -> list[DocumentWork] | None:
        """Say what has to be run; None where to run the copies whole costs less, as for a short text alone."""
        if not batch.ids.width:
            return None
        copies = CopyPlan.of(batch, edits, self.model.passed_over)
        work = [self.work(batch, documents, copies) for documents in batches(batch.ids.lengths.tolist(), KEPT)]
        cost = sum(part.cost(batch.ids.lengths) for part in work)
        return work if cost < copies.cost(self.model.one_by_one) else None

    def work(self, batch: Batch, documents: list[int], copies: CopyPlan) -> DocumentWork:
        """Group the copies of some documents."""
        index = torch.isin(copies.rows, batch.words.new_tensor(documents)).nonzero()[:, 0]
        most = 0 if self.model.one_by_one else self.model.copy_pieces
        return DocumentWork(documents, list(copies.groups(index, most, self.aligned)))

    def score_edits(self, batch: Batch, edits: Sequence[AnyEdits], work: Sequence[DocumentWork]) -> Tensor:
        """Score all copies, [n, K], one kind of edits after the other."""
        scores = torch.zeros(sum(map(len, edits)), len(self.model.about.classes), device=batch.words.device)
        for part in work:
            states = self._read(batch, batch.words.new_tensor(part.documents))
            for group in part.groups:
                s = self._scored(states, batch, edits, group)
                scores = scores.to(s.dtype).index_copy(0, batch.words.new_tensor(group.copies), s)
        return scores

    def _read(self, batch: Batch, documents: Tensor) -> Any:
        """Keep keys and values of some documents."""
        states, chosen = self._past.KeysAndValues(documents, batch.ids.lengths[documents]), batch.pick(documents)
        e = self.model.embed(chosen)
        for rows, ids in self.model.groups(chosen):
            past = self._past.CACHES.DynamicCache()
            self.model.forward_after(past, torch.zeros_like(rows), e[rows, : ids.shape[1]], ids, chosen, rows)
            if past.get_seq_length() != ids.shape[1]:
                raise NotSharedError("it keeps no keys and values")
            states.put(rows, past)
        return states

    def _scored(self, states: Any, batch: Batch, edits: Sequence[AnyEdits], group: Together) -> Tensor:
        """Score copies that are their documents up to their last ``group.pieces``."""
        table, first, parts = self.model.table, 0, []
        for kind in edits:
            own = [copy - first for copy in group.copies if first <= copy < first + len(kind)]
            if own:
                parts.append(Endings.of(table, batch, kind.pick(batch.words.new_tensor(own)), group.pieces))
            first += len(kind)
        endings = Endings.joined(parts)
        starts = endings.lengths - group.pieces
        past = states.beginnings(endings.rows, starts)
        return self.model.forward_after(past, starts, endings.e, endings.ids, batch, endings.rows)

    def checked(self, batch: Batch) -> SharedPrefixes:
        """Check on a probe that whole copies score the same; those of a model that is not causal do not."""
        places = [batch.words.new_tensor(places) for places in ([0, 0, 0], [0, 1, 3], [0, 2, 5])]
        edits = [Edits(kind, *places) for kind in ("cut", "blank")]
        copies = CopyPlan.of(batch, edits, self.model.passed_over)
        with torch.no_grad():
            shared = self.score_edits(batch, edits, [self.work(batch, [0], copies)])
            whole = self.model.score_whole_copies(batch, *edits)
        if not torch.allclose(shared, whole, rtol=0, atol=CLOSE.get(whole.dtype, 2e-2) * float(whole.abs().max())):
            raise NotSharedError("its pieces see those that follow")
        return self


def rope_settings(config: Any) -> list[Any]:
    """Return what a configuration says of rotary angles, under its old and its new name."""
    return [getattr(config, name, None) for name in ("rope_parameters", "rope_scaling")]
