"""Scores of edited copies without making the copies are those of the copies."""

import pytest
import torch
from fast_cases import MANY, both_precisions, documents, every_network, exact, make, plainly
from torch import Tensor

from whichword.model import Batch
from whichword.networks.fast import network as fast_network
from whichword.reading import Edits

TOLERANCE = {torch.float64: 1e-11, torch.float32: 1e-6}


def every_edit(batch: Batch, kind: str, longest: int) -> Edits:
    """All windows of 0..longest words of all documents, those of no word included."""
    triples = [
        (row, start, start + size)
        for row, length in enumerate(batch.words.tolist())
        for size in range(min(longest, length) + 1)
        for start in range(length - size + 1)
    ]
    return Edits(kind, *torch.tensor(triples).unbind(1))


def largest_difference(scores: Tensor, expected: Tensor) -> float:
    return float((scores.double() - expected.double()).abs().max() / expected.abs().max())


@every_network
@both_precisions
@pytest.mark.parametrize(("edit", "longest"), [("cut", 9), ("blank", 9), ("crop", 8)])
def test_scores_of_copies(kind: str, both: bool, dtype: torch.dtype, edit: str, longest: int) -> None:
    network, batch = make(kind, both, dtype), documents()
    edits = every_edit(batch, edit, longest)
    scores = network.score_edits(batch, edits)
    expected = plainly(exact(network)).score_edits(batch, edits)
    assert scores.dtype == torch.float64
    assert largest_difference(scores, expected) <= TOLERANCE[dtype]


@every_network
@pytest.mark.parametrize("edit", ["cut", "blank", "crop"])
def test_any_order_and_any_number(kind: str, both: bool, edit: str) -> None:
    """A few edits of any size, the whole document among them, in an order of their own, and none at all."""
    network, batch = make(kind, both), documents((17, 0, 6))
    rows, start, stop = torch.tensor([[2, 0, 6], [0, 3, 16], [0, 0, 17], [1, 0, 0], [2, 5, 6], [0, 3, 16]]).unbind(1)
    edits = Edits(edit, rows, start, stop)
    expected = plainly(network).score_edits(batch, edits)
    assert largest_difference(network.score_edits(batch, edits), expected) <= 1e-11
    for model in (network, plainly(network)):
        assert model.score_edits(batch, edits.pick(torch.arange(0))).shape == (0, 3)


@every_network
@pytest.mark.parametrize("edit", ["cut", "blank", "crop"])
def test_the_plain_way_scores_the_copies_themselves(kind: str, both: bool, edit: str) -> None:
    """Edited word vectors, made by `Sequences` and scored one by one, against copies of pieces."""
    network, batch = plainly(make(kind, both)), documents((7, 0, 3))
    edits = every_edit(batch, edit, 7)
    vectors = batch.ids.with_data(network.embed(batch))
    copies = [edits.pick(torch.tensor([number])).apply(vectors) for number in range(len(edits))]
    expected = torch.cat([network.forward(copy.data, Batch(copy, copy.lengths)) for copy in copies])
    assert largest_difference(network.score_edits(batch, edits), expected) <= 1e-12


@every_network
@pytest.mark.parametrize("longest", [6, 30])
def test_long_documents_in_pieces(kind: str, both: bool, longest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Crops of documents that are longer than a piece, and of short ones beside them; folded, and not."""
    monkeypatch.setattr(fast_network, "PIECE", 16)
    network, batch = make(kind, both), documents((70, 3, 0, 33))
    edits = every_edit(batch, "crop", longest)
    expected = plainly(network).score_edits(batch, edits)
    for model in (network, network.prepared(MANY)):
        assert largest_difference(model.score_edits(batch, edits), expected) <= 1e-11


@every_network
@pytest.mark.parametrize(("limit", "words"), [("WORDS", 12), ("PIECE", 8), ("WORDS", 10_000)])
def test_several_kinds_of_edits(kind: str, both: bool, limit: str, words: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one call, one kind after the other, whatever the limits: as each for itself; one has no edit at all."""
    monkeypatch.setattr(fast_network, limit, words)
    network, batch = make(kind, both), documents((17, 0, 6, 9))
    nothing = Edits("cut", *torch.zeros(3, 0, dtype=torch.long))
    kinds = [every_edit(batch, "crop", 3), nothing, *(every_edit(batch, edit, 8) for edit in ("blank", "cut"))]
    expected = torch.cat([plainly(network).score_edits(batch, edits) for edits in kinds])
    assert largest_difference(network.score_edits(batch, *kinds), expected) <= 1e-11


def test_equal_edits_are_one() -> None:
    edits = Edits("cut", torch.tensor([1, 0, 1, 1]), torch.tensor([2, 0, 2, 0]), torch.tensor([3, 0, 3, 3]))
    distinct, where = edits.distinct()
    assert torch.stack([distinct.rows, distinct.start, distinct.stop], 1).tolist() == [[0, 0, 0], [1, 0, 3], [1, 2, 3]]
    again = distinct.pick(where)
    assert all(torch.equal(getattr(again, name), getattr(edits, name)) for name in ("rows", "start", "stop"))
    assert len(edits.pick(torch.arange(0)).distinct()[0]) == 0


def test_mirrored_edits_edit_the_same_words() -> None:
    ids = documents((5, 9)).ids
    edits = Edits("blank", torch.tensor([0, 1]), torch.tensor([1, 0]), torch.tensor([3, 2]))
    turned = edits.mirrored(ids).apply(ids.reversed()).reversed()
    assert torch.equal(turned.filled().data, edits.apply(ids).filled().data)
