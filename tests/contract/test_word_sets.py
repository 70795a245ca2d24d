"""Any set of words taken out or blanked in one copy: as one edit after the other, on our networks and on others."""

import pytest
import torch
from contract_networks import make_network
from foreign_models import CLOSE, OPEN, Bag, Letters, Recurring, of_pieces, pieces
from torch import Tensor

from whichword.model import Batch, Model
from whichword.networks import Network
from whichword.reading import Edits, WordSets
from whichword.sequences import Sequences
from whichword.types import Text

DOCUMENTS = [
    Text(("w1", "w2", "w3", "w4", "w5", "w6"), "w1  w2,w3\nw4 w5;w6"),
    Text((), " "),
    Text(("extraordinary", "w8"), "<extraordinary>\tw8 "),
]
# document, words to cut, words to blank
CHANGES: list[tuple[int, list[int], list[int]]] = [
    (0, [], []),
    (0, [1, 3], []),
    (0, [], [0, 2, 5]),
    (0, [0, 4], [1, 5]),
    (0, [0, 1, 2, 3, 4, 5], []),
    (0, [5], [0, 1, 2, 3, 4]),
    (1, [], []),
    (2, [1], [0]),
    (2, [0], []),
]


def word_sets(width: int) -> WordSets:
    cut, blank = torch.zeros(2, len(CHANGES), width, dtype=torch.bool)
    for number, (_, cuts, blanks) in enumerate(CHANGES):
        cut[number, cuts] = True
        blank[number, blanks] = True
    return WordSets(torch.tensor([row for row, _, _ in CHANGES]), cut, blank)


def batch_of(model: Model) -> Batch:
    return Batch.of([model.read(document) for document in DOCUMENTS])


def text_after(document: Text, cuts: list[int], blanks: list[int]) -> str:
    """One word after the other replaced by a placeholder or, from the last to the first, taken out with its gap."""
    text, words = document.text, list(document.words)
    for t in blanks:
        start = text.index(words[t])
        text = f"{text[:start]}_{text[start + len(words[t]) :]}"
        words[t] = "_"
    for t in sorted(cuts, reverse=True):
        text = _taken_out(text, words, t)
        del words[t]
    return text


def _taken_out(text: str, words: list[str], t: int) -> str:
    ends = [0]
    for word in words:
        ends.append(text.index(word, ends[-1]) + len(word))
    if t:
        return text[: ends[t]] + text[ends[t + 1] :]
    following = text.index(words[1], ends[1]) if len(words) > 1 else ends[1]
    return text[: ends[1] - len(words[0])] + text[following:]


def test_texts_are_edited_in_one_copy() -> None:
    model = Letters()
    expected = [model.score_text(text_after(DOCUMENTS[row], cuts, blanks)) for row, cuts, blanks in CHANGES]
    scores = model.score_edits(batch_of(model), word_sets(6))
    torch.testing.assert_close(scores, torch.stack(expected).detach(), rtol=1e-12, atol=1e-12)


def test_what_is_left_of_a_text() -> None:
    """Two of the copies in full, so that the twin itself is seen to be right."""
    assert text_after(DOCUMENTS[0], [0, 4], [1, 5]) == "_,w3\nw4;_"
    assert text_after(DOCUMENTS[2], [0], []) == "<w8 "


def pieces_after(document: Text, cuts: list[int], blanks: list[int]) -> tuple[list[int], list[int]]:
    """The pieces that stay, and the places of the blanked ones among them."""
    stays = [(piece, t in blanks) for t, w in enumerate(document.words) if t not in cuts for piece in pieces(w)]
    flagged = [(OPEN, False), *stays, (CLOSE, False)]
    return [piece for piece, _ in flagged], [place for place, (_, blank) in enumerate(flagged) if blank]


@pytest.mark.parametrize("kind", [Recurring, Bag])
def test_pieces_are_edited_in_one_copy(kind: type[Recurring | Bag]) -> None:
    model = kind()
    edited = [pieces_after(DOCUMENTS[row], cuts, blanks) for row, cuts, blanks in CHANGES]
    expected = torch.stack([of_pieces(ids, model, blank) for ids, blank in edited])
    torch.testing.assert_close(model.score_edits(batch_of(model), word_sets(6)), expected, rtol=1e-10, atol=1e-12)


def vectors_after(network: Network, document: Text, cuts: list[int], blanks: list[int]) -> Tensor:
    """s of the document's vectors after one edit after the other, [K]."""
    e = network.embedding[network.vocabulary.ids(document.words)]
    vectors = Sequences(e[None], torch.tensor([len(e)]))
    for t in blanks:
        vectors = Edits("blank", *torch.tensor([[0], [t], [t + 1]])).apply(vectors)
    for t in sorted(cuts, reverse=True):
        vectors = Edits("cut", *torch.tensor([[0], [t], [t + 1]])).apply(vectors)
    return network.forward(vectors.data, Batch(vectors, vectors.lengths))[0]


def test_word_vectors_are_edited_in_one_copy(network: Network) -> None:
    network = network.double()
    expected = torch.stack([vectors_after(network, DOCUMENTS[row], cuts, blanks) for row, cuts, blanks in CHANGES])
    scores = network.score_edits(batch_of(network), word_sets(6))
    torch.testing.assert_close(scores.double(), expected, rtol=1e-10, atol=1e-12)


def test_sets_that_are_windows_are_windows(network: Network) -> None:
    network = network.double()
    batch = batch_of(network)
    rows, start, stop = torch.tensor([[0, 1, 4], [0, 0, 6], [2, 0, 1], [1, 0, 0], [0, 2, 2]]).unbind(1)
    inside = (torch.arange(6) >= start[:, None]) & (torch.arange(6) < stop[:, None])
    nothing = torch.zeros_like(inside)
    sets = {"cut": WordSets(rows, inside, nothing), "blank": WordSets(rows, nothing, inside)}
    for kind, edits in sets.items():
        expected = network.score_edits(batch, Edits(kind, rows, start, stop))
        torch.testing.assert_close(network.score_edits(batch, edits), expected, rtol=1e-10, atol=1e-12)
    both = network.score_edits(batch, *sets.values(), Edits("crop", rows, start, stop))
    assert both.shape == (15, 3)
    torch.testing.assert_close(both[10:], network.score_edits(batch, Edits("crop", rows, start, stop)))


def test_a_word_that_is_cut_and_blanked_is_cut() -> None:
    network = make_network("lstm", True).double()
    flags = torch.tensor([[False, True, False, False, False, False]])
    for model in (network, Recurring(), Letters()):
        batch, rows = batch_of(model), torch.tensor([0])
        cut = model.score_edits(batch, WordSets(rows, flags, torch.zeros_like(flags)))
        assert torch.equal(model.score_edits(batch, WordSets(rows, flags, flags)), cut)
