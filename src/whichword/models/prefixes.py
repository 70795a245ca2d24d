"""Edited copies of a causal model's documents: what stands before an edit has the document's own keys and values.

A piece of a causal model sees those before it and no other. So a document is run once, its keys and values are kept,
and of an edited copy only what follows the first change is run: half of the pieces, and less behind a long prompt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from whichword.errors import InputError
from whichword.model import Batch
from whichword.models.pretrained import PretrainedModule
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
    """Of n edited copies: the document, the pieces of the copy, and how many of them stand before any change, [n]."""

    rows: Tensor
    lengths: Tensor
    before: Tensor

    @staticmethod
    def of(batch: Batch, edits: AnyEdits, passed_over: int | None) -> CopyPlan:
        """At least the last piece has to be run, and the last one that the read-out does not skip."""
        touched, own = edits.touched(batch.word_of), batch.ids.mask[edits.rows]
        stays = own & ~touched.cut
        unchanged = ~(touched.cut | touched.blank).to(torch.uint8).cummax(1).values.bool() & own
        heard = stays if passed_over is None else stays & (batch.ids.data != passed_over)[edits.rows]
        last = (stays.to(torch.int32).cumsum(1) * heard).amax(1) - 1
        return CopyPlan(edits.rows, stays.sum(1), torch.minimum(unchanged.sum(1), last.clamp(min=0)))

    def groups(self, index: Tensor, most: int) -> Iterator[Together]:
        """Copies of one length that begin to differ at about the same place; of ``most`` pieces, or one copy."""
        places = list(zip(self.lengths[index].tolist(), self.before[index].tolist(), index.tolist(), strict=True))
        group: list[int] = []
        length = start = vain = 0
        for pieces, before, copy in sorted(places):
            full = (len(group) + 1) * (pieces - start) > most
            if group and (pieces != length or full or vain + before - start > CALL):
                yield Together(group, start, length)
                group = []
            if not group:
                length, start, vain = pieces, before, 0
            group.append(copy)
            vain += before - start
        if group:
            yield Together(group, start, length)

    def cost(self, one_by_one: bool) -> int:
        """Of running the copies whole, those of one length together; in pieces."""
        calls = len(self.lengths) if one_by_one else len(torch.unique(self.lengths))
        return int(self.lengths.sum()) + CALL * calls


@dataclass(frozen=True)
class Together:
    """Copies that are run in one call, from piece ``start`` on; ``length`` is that of the whole copies."""

    copies: list[int]
    start: int
    length: int

    @property
    def cost(self) -> int:
        return len(self.copies) * (self.length - self.start) + CALL


@dataclass(frozen=True)
class DocumentWork:
    """Some documents, and for each kind of edits the copies of them that go together."""

    documents: list[int]
    groups: list[list[Together]]

    def cost(self, lengths: Tensor) -> int:
        """In pieces: the documents' own and those behind the edits."""
        sizes = lengths[self.documents]
        return (
            int(sizes.sum())
            + CALL * len(torch.unique(sizes))
            + sum(group.cost for kind in self.groups for group in kind)
        )


class SharedPrefixes:
    """Scores of edited copies of a causal model, exactly as if every copy were run whole."""

    def __init__(self, model: PretrainedModule) -> None:
        self.model = model
        try:
            from whichword.models import past
        except (ImportError, AttributeError) as error:
            raise NotSharedError("this version of transformers keeps keys and values in another way") from error
        self._past = past
        if any(word in str(rope_settings(model.module.config)) for word in STRETCHED):
            raise NotSharedError("its rotary angles depend on the length of the text")

    @staticmethod
    def of(model: PretrainedModule) -> SharedPrefixes:
        """Tried on a probe; `NotSharedError` says why they cannot be shared."""
        shared = SharedPrefixes(model)
        shared.check(model.varied_probe())
        return shared

    def plan(self, batch: Batch, edits: Sequence[AnyEdits]) -> list[DocumentWork] | None:
        """What has to be run; None where to run the copies whole costs less, as for a short text alone."""
        if not batch.ids.width:
            return None
        plans = [CopyPlan.of(batch, edit, self.model.passed_over) for edit in edits]
        work = [self._work(batch, documents, plans) for documents in batches(batch.ids.lengths.tolist(), KEPT)]
        whole = sum(plan.cost(self.model.one_by_one) for plan in plans)
        return work if sum(part.cost(batch.ids.lengths) for part in work) < whole else None

    def _work(self, batch: Batch, documents: list[int], plans: Sequence[CopyPlan]) -> DocumentWork:
        chosen = batch.words.new_tensor(documents)
        belonging = [torch.isin(plan.rows, chosen).nonzero()[:, 0] for plan in plans]
        most = 0 if self.model.one_by_one else self.model.copy_pieces
        pairs = zip(plans, belonging, strict=True)
        return DocumentWork(documents, [list(plan.groups(index, most)) for plan, index in pairs])

    def score_edits(self, batch: Batch, edits: Sequence[AnyEdits], work: Sequence[DocumentWork]) -> Tensor:
        """s [n, K], one kind of edits after the other."""
        scores = [torch.zeros(len(edit), len(self.model.about.classes), device=batch.words.device) for edit in edits]
        for part in work:
            states = self._read(batch, batch.words.new_tensor(part.documents))
            for number, (edit, groups) in enumerate(zip(edits, part.groups, strict=True)):
                for group in groups:
                    index = batch.words.new_tensor(group.copies)
                    s = self._scored(states, batch, edit.pick(index), group.start)
                    scores[number] = scores[number].to(s.dtype).index_copy(0, index, s)
        return torch.cat(scores)

    def _read(self, batch: Batch, documents: Tensor) -> Any:
        """Keys and values of some documents."""
        states, chosen = self._past.KeysAndValues(documents, batch.ids.lengths[documents]), batch.pick(documents)
        e = self.model.embed(chosen)
        for rows, ids in self.model.groups(chosen):
            past = self._past.CACHES.DynamicCache()
            self.model.forward_after(past, e[rows, : ids.shape[1]], ids, chosen, rows)
            if past.get_seq_length() != ids.shape[1]:
                raise NotSharedError("it keeps no keys and values")
            states.put(rows, past)
        return states

    def _scored(self, states: Any, batch: Batch, edits: AnyEdits, start: int) -> Tensor:
        """Copies of one length that are their documents up to piece ``start``."""
        copies, blank = edited_pieces(batch, edits)
        e = torch.where(blank[..., None], 0.0, self.model.embed(copies))
        rows = torch.arange(len(edits), device=batch.words.device)
        past = states.beginnings(edits.rows, start)
        return self.model.forward_after(past, e[:, start:], copies.ids.data[:, start:], copies, rows)

    def check(self, batch: Batch) -> None:
        """The same scores as by whole copies, on a probe; a model that is not causal has others."""
        places = [batch.words.new_tensor(places) for places in ([0, 0, 0], [0, 1, 3], [0, 2, 5])]
        edits = [Edits(kind, *places) for kind in ("cut", "blank")]
        plans = [CopyPlan.of(batch, edit, self.model.passed_over) for edit in edits]
        with torch.no_grad():
            shared = self.score_edits(batch, edits, [self._work(batch, [0], plans)])
            whole = self.model.score_whole_copies(batch, *edits)
        if not torch.allclose(shared, whole, rtol=0, atol=CLOSE.get(whole.dtype, 2e-2) * float(whole.abs().max())):
            raise NotSharedError("its pieces see those that follow")


def rope_settings(config: Any) -> list[Any]:
    """What a configuration says of rotary angles, under its old and its new name."""
    return [getattr(config, name, None) for name in ("rope_parameters", "rope_scaling")]
