"""Words are taken out of the text that a black box reads, and out of the pieces that a differentiable model reads."""

import numpy as np
import pytest
import torch
from foreign_models import CLASSES, CLOSE, OPEN, Bag, Letters, Recurring, of_pieces, pieces
from torch import Tensor

import whichword
from whichword.model import Batch
from whichword.reading import PLACEHOLDER, Edits
from whichword.text.places import spans
from whichword.types import Text

TEXT = "\tIt  wasn't\n\nextraordinarily terrible\r\n "
WORDS = ("It", "was", "n't", "extraordinarily", "terrible")
# word t and the gap before it are gone; the first word that stays has what stood before the first of all
WITHOUT = [
    "\twasn't\n\nextraordinarily terrible\r\n ",
    "\tItn't\n\nextraordinarily terrible\r\n ",
    "\tIt  was\n\nextraordinarily terrible\r\n ",
    "\tIt  wasn't terrible\r\n ",
    "\tIt  wasn't\n\nextraordinarily\r\n ",
]
BLANKED = [
    "\t_  wasn't\n\nextraordinarily terrible\r\n ",
    "\tIt  _n't\n\nextraordinarily terrible\r\n ",
    "\tIt  was_\n\nextraordinarily terrible\r\n ",
    "\tIt  wasn't\n\n_ terrible\r\n ",
    "\tIt  wasn't\n\nextraordinarily _\r\n ",
]
CROPPED = {
    (0, 1): "\tIt\r\n ",
    (1, 3): "\twasn't\r\n ",
    (2, 5): "\tn't\n\nextraordinarily terrible\r\n ",
    (3, 4): "\textraordinarily\r\n ",
    (0, 5): TEXT,
    (2, 2): "\r\n ",
}
K = 1
pieced = pytest.mark.parametrize("kind", [Recurring, Bag])
Pieced = Recurring | Bag


def relevance(model: Letters | Pieced, method: str) -> np.ndarray:
    (explanation,) = whichword.explain(model, [TEXT], method, target=CLASSES[K])
    assert explanation.words == WORDS
    return explanation.relevance[method]


def batch_of(model: Letters | Pieced, text: str = TEXT) -> Batch:
    return Batch.of([model.read(Text(WORDS, text))])


def windows(kind: str, *places: tuple[int, int]) -> Edits:
    start, stop = torch.tensor(places).unbind(1)
    return Edits(kind, torch.zeros_like(start), start, stop)


def test_words_keep_their_places_in_the_text() -> None:
    (reading,) = batch_of(Letters()).readings
    assert reading.text == TEXT
    assert [TEXT[start:stop] for start, stop in spans(reading)] == list(WORDS)


def test_a_black_box_reads_the_text_without_the_word() -> None:
    model = Letters()
    s = model.score_text(TEXT)[K]
    expected = [(s - model.score_text(text)[K]).item() for text in WITHOUT]
    np.testing.assert_allclose(relevance(model, "omit_1"), expected, rtol=1e-12)


def test_a_black_box_reads_a_placeholder_for_the_word() -> None:
    model = Letters()
    assert PLACEHOLDER == "_"
    s = model.score_text(TEXT)[K]
    expected = [(s - model.score_text(text)[K]).item() for text in BLANKED]
    np.testing.assert_allclose(relevance(model, "occ_1"), expected, rtol=1e-12)


def test_windows_of_words_leave_the_text_of_a_black_box() -> None:
    model = Letters()
    texts = {
        (0, 2): "\tn't\n\nextraordinarily terrible\r\n ",
        (2, 4): "\tIt  was terrible\r\n ",
        (0, 5): "\r\n ",
        (1, 1): TEXT,
    }
    scores = model.score_edits(batch_of(model), windows("cut", *texts))
    torch.testing.assert_close(scores, torch.stack([model.score_text(text) for text in texts.values()]).detach())


def test_a_black_box_reads_what_a_substring_has_of_the_text() -> None:
    model = Letters()
    scores = model.score_edits(batch_of(model), windows("crop", *CROPPED))
    torch.testing.assert_close(scores, torch.stack([model.score_text(text) for text in CROPPED.values()]).detach())


def remaining(places: list[int]) -> list[int]:
    """The pieces of a copy that has these words alone, the special ones among them."""
    return [OPEN, *(piece for t in places for piece in pieces(WORDS[t])), CLOSE]


def without(start: int, stop: int) -> list[int]:
    return remaining([t for t in range(len(WORDS)) if not start <= t < stop])


def window_means(n: int, change: list[list[float]]) -> list[float]:
    """phi(t) = mean over the n windows that hold word t, clipped at the edges; change[start][stop]."""
    T = len(WORDS)
    means = []
    for t in range(T):
        places = [(max(0, first), min(T, first + n)) for first in range(t - n + 1, t + 1)]
        means.append(sum(change[start][stop] for start, stop in places) / n)
    return means


@pieced
@pytest.mark.parametrize("n", [1, 3])
def test_omission_takes_out_all_pieces_of_a_word_and_no_special_one(kind: type[Pieced], n: int) -> None:
    model = kind()
    s = of_pieces(remaining([0, 1, 2, 3, 4]), model)[K]
    change = [[(s - of_pieces(without(i, j), model)[K]).item() for j in range(6)] for i in range(6)]
    np.testing.assert_allclose(relevance(model, f"omit_{n}"), window_means(n, change), rtol=1e-9, atol=1e-12)


@pieced
@pytest.mark.parametrize("n", [1, 3])
def test_occlusion_zeroes_the_vectors_of_all_pieces_of_a_word(kind: type[Pieced], n: int) -> None:
    model = kind()
    ids, word = remaining([0, 1, 2, 3, 4]), batch_of(model).word[0].tolist()
    s = of_pieces(ids, model)[K]
    blanks = [[[p for p, t in enumerate(word) if i <= t < j] for j in range(6)] for i in range(6)]
    change = [[(s - of_pieces(ids, model, blank)[K]).item() for blank in row] for row in blanks]
    np.testing.assert_allclose(relevance(model, f"occ_{n}"), window_means(n, change), rtol=1e-9, atol=1e-12)


@pieced
def test_substrings_stand_between_the_special_pieces(kind: type[Pieced]) -> None:
    model = kind()
    places = list(CROPPED)
    scores = model.score_edits(batch_of(model), windows("crop", *places))
    expected = [of_pieces(remaining(list(range(start, stop))), model) for start, stop in places]
    torch.testing.assert_close(scores, torch.stack(expected), rtol=1e-10, atol=1e-12)


def substring_scores(model: Letters | Pieced, places: list[tuple[int, int]]) -> Tensor:
    """s of every substring, by hand."""
    if isinstance(model, Letters):
        starts, stops = zip(*spans(Text(WORDS, TEXT)), strict=True)
        texts = ["\t" + TEXT[starts[a] : stops[b - 1]] + "\r\n " for a, b in places]
        return torch.stack([model.score_text(text) for text in texts]).detach()
    return torch.stack([of_pieces(remaining(list(range(a, b))), model) for a, b in places])


@pytest.mark.parametrize("kind", [Letters, Recurring, Bag])
@pytest.mark.parametrize(("loss", "output"), [("ms_s", lambda s: s), ("ms_p", lambda s: s.softmax(1))])
def test_limsse_fits_the_scores_of_substrings(kind: type[Letters | Pieced], loss: str, output) -> None:  # type: ignore[no-untyped-def]
    """All substrings of one to five words, each length as likely as any other."""
    model, T = kind(), len(WORDS)
    places = [(start, start + size) for size in range(1, T + 1) for start in range(T - size + 1)]
    root = np.array([1.0 / (T - (stop - start) + 1) for start, stop in places]) ** 0.5
    Z = np.array([[start <= t < stop for t in range(T)] for start, stop in places], dtype=float)
    y = output(substring_scores(model, places))[:, K].numpy()
    expected = np.linalg.lstsq(root[:, None] * Z, root * y, rcond=None)[0]
    np.testing.assert_allclose(relevance(model, f"limsse_{loss}"), expected, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("kind", [Letters, Recurring, Bag])
def test_no_edit_is_no_change(kind: type[Letters | Pieced]) -> None:
    model = kind()
    for edit in ("cut", "blank"):
        scores = model.score_edits(batch_of(model), windows(edit, (0, 0), (3, 3)))
        torch.testing.assert_close(scores, model.score(batch_of(model)).expand(2, -1).detach())
    assert model.score_edits(batch_of(model), windows("cut", (0, 1)).pick(torch.arange(0))).shape == (0, 3)
