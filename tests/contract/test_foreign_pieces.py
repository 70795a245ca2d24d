"""From pieces to words: what is relevant is neither lost nor made up, and special pieces keep their own share."""

import numpy as np
import pytest
import torch
from foreign_models import CLASSES, TEXTS, Bag, Letters, Recurring
from torch import Tensor

import whichword
from whichword.model import Batch, by_word
from whichword.sequences import Sequences
from whichword.text import tokenize
from whichword.types import Text

TEXT = TEXTS[3]
K = 2
STEPS = 7
both_models = pytest.mark.parametrize("kind", [Recurring, Bag])
Pieced = Recurring | Bag


def explained(model: Pieced, *methods: str) -> whichword.Explanation:
    (explanation,) = whichword.explain(model, [TEXT], list(methods), target=CLASSES[K])
    return explanation


def batch_of(model: Pieced) -> Batch:
    return Batch.of([model.read(Text(tokenize(TEXT)[0], TEXT))])


def slope(model: Pieced, batch: Batch, e: Tensor, output: str) -> Tensor:
    """d o_k / d e of every piece, [P, E]."""
    leaf = e.detach().clone().requires_grad_()
    s = model.forward(leaf, batch)[0]
    (gradient,) = torch.autograd.grad((s if output == "s" else s.softmax(0))[K], leaf)
    return gradient[0]


def summed(values: Tensor, batch: Batch) -> tuple[np.ndarray, float]:
    """Piece by piece to the piece's word, and the special ones apart."""
    words, outside = np.zeros(batch.width), 0.0
    for value, word in zip(values.tolist(), batch.word[0].tolist(), strict=True):
        if word < 0:
            outside += value
        else:
            words[word] += value
    return words, outside


def test_words_have_several_pieces_and_some_pieces_no_word() -> None:
    word = batch_of(Bag()).word[0].tolist()
    assert [word[0], word[-1]] == [-1, -1]
    assert max(map(word.count, word)) > 1


@both_models
@pytest.mark.parametrize("output", ["s", "p"])
def test_gradient_times_input_is_summed_and_nothing_is_lost(kind: type[Pieced], output: str) -> None:
    model = kind()
    batch = batch_of(model)
    e = model.embed(batch)
    name = f"grad_1_{output}_dot"
    explanation = explained(model, name)
    products = (slope(model, batch, e, output) * e[0]).sum(-1).detach()
    words, outside = summed(products, batch)
    np.testing.assert_allclose(explanation.relevance[name], words, rtol=1e-10, atol=1e-12)
    assert explanation.rest[name] == pytest.approx(outside, rel=1e-10)
    assert abs(outside) > 1e-3 * np.abs(words).max()
    assert explanation.relevance[name].sum() + explanation.rest[name] == pytest.approx(products.sum().item(), rel=1e-10)


@both_models
@pytest.mark.parametrize("output", ["s", "p"])
def test_a_norm_is_the_root_of_the_summed_squares(kind: type[Pieced], output: str) -> None:
    model = kind()
    batch = batch_of(model)
    name = f"grad_1_{output}_l2"
    explanation = explained(model, name)
    words, outside = summed(slope(model, batch, model.embed(batch), output).square().sum(-1), batch)
    np.testing.assert_allclose(explanation.relevance[name], np.sqrt(words), rtol=1e-10)
    assert explanation.rest[name] == pytest.approx(outside**0.5, rel=1e-10)


@both_models
@pytest.mark.parametrize("output", ["s", "p"])
def test_special_pieces_stay_at_full_value_on_the_whole_path(kind: type[Pieced], output: str) -> None:
    model = kind()
    batch = batch_of(model)
    e = model.embed(batch).detach()
    special = batch.word[0] < 0
    points = [e * (m / STEPS) for m in range(1, STEPS + 1)]
    for point in points:
        point[0, special] = e[0, special]
    mean = torch.stack([slope(model, batch, point, output) for point in points]).mean(0)
    names = [f"grad_int_{output}_{reduction}[steps={STEPS}]" for reduction in ("dot", "l2")]
    explanation = explained(model, *names)
    for name, values in zip(names, ((mean * e[0]).sum(-1), mean.square().sum(-1)), strict=True):
        words, outside = summed(values, batch)
        root = np.sqrt if "l2" in name else np.asarray
        np.testing.assert_allclose(explanation.relevance[name], root(words), rtol=1e-10, atol=1e-12)
        if "l2" in name:
            assert explanation.rest[name] == pytest.approx(outside**0.5, rel=1e-10)


@both_models
@pytest.mark.parametrize("output", ["s", "p"])
def test_words_share_the_difference_of_an_integral_and_special_pieces_have_none_of_it(
    kind: type[Pieced], output: str
) -> None:
    """sum phi -> o(X) - o(X_0), where the words of X_0 are zero vectors: the error is of the order 1/M."""
    model = kind()
    batch = batch_of(model)
    e = model.embed(batch).detach()
    without = torch.where((batch.word[0] < 0)[:, None], e, 0.0)
    scores = [model.forward(vectors, batch)[0].detach() for vectors in (e, without)]
    difference = np.subtract(*(float((s.softmax(-1) if output == "p" else s)[K]) for s in scores))
    names = [f"grad_int_{output}_dot[steps={steps}]" for steps in (200, 400)]
    explanation = explained(model, *names)
    coarse, fine = (explanation.relevance[name].sum() - difference for name in names)
    assert fine == pytest.approx(coarse / 2, rel=0.05)
    assert abs(fine) < 0.01 * np.abs(explanation.relevance[names[1]]).sum()
    assert [explanation.rest[name] for name in names] == [0.0, 0.0]


def test_it_would_matter_if_special_pieces_were_scaled_too() -> None:
    model = Recurring()
    batch = batch_of(model)
    e = model.embed(batch).detach()
    scaled = torch.stack([slope(model, batch, e * (m / STEPS), "s") for m in range(1, STEPS + 1)]).mean(0)
    words, _ = summed((scaled * e[0]).sum(-1), batch)
    name = f"grad_int_s_dot[steps={STEPS}]"
    assert np.abs(words - explained(model, name).relevance[name]).max() > 1e-2


def test_lrp_shares_all_of_the_score_out() -> None:
    """Without biases and with next to no epsilon, words and special pieces have s between them."""
    model, name = Bag(), "lrp[eps=1e-13]"
    explanation = explained(model, name, "grad_1_s_dot")
    s = explanation.scores[CLASSES[K]]
    assert explanation.relevance[name].sum() + explanation.rest[name] == pytest.approx(s, rel=1e-9)
    assert abs(explanation.rest[name]) > 1e-2 * abs(s)
    np.testing.assert_allclose(explanation.relevance[name], explanation.relevance["grad_1_s_dot"], rtol=1e-8)
    assert explanation.rest[name] == pytest.approx(explanation.rest["grad_1_s_dot"], rel=1e-8)


def test_epsilon_takes_its_share() -> None:
    explanation = explained(Bag(), "lrp[eps=0.5]")
    total = explanation.relevance["lrp[eps=0.5]"].sum() + explanation.rest["lrp[eps=0.5]"]
    assert abs(total - explanation.scores[CLASSES[K]]) > 1e-2


def test_deeplift_shares_out_the_difference_to_special_pieces_alone() -> None:
    """The reference has the special pieces as they are, so they differ by nothing and get nothing."""
    model, name = Bag(bias=True), "deeplift[eps=1e-13]"
    explanation = explained(model, name)
    batch = batch_of(model)
    empty = torch.where((batch.word >= 0)[..., None], 0.0, model.embed(batch)).detach()
    difference = explanation.scores[CLASSES[K]] - model.forward(empty, batch)[0, K].item()
    assert abs(difference) > 1e-2
    assert explanation.relevance[name].sum() == pytest.approx(difference, rel=1e-9)
    assert explanation.rest[name] == 0.0


def test_only_models_with_special_pieces_have_a_rest() -> None:
    assert explained(Bag(), "omit_1", "limsse_bb", "last").rest == {}
    assert set(explained(Bag(), "omit_1", "lrp").rest) == {"lrp"}


def test_sums_over_pieces_in_any_order_and_without_padding() -> None:
    """Words whose pieces do not stand together, a word without a piece, a document without a word."""
    ids = Sequences(torch.zeros(3, 5, dtype=torch.long), torch.tensor([5, 3, 1]))
    word = torch.tensor([[1, -1, 0, 1, 3], [0, -1, 0, 9, 9], [-1, 0, 0, 0, 0]])
    batch = Batch(ids, torch.tensor([4, 1, 0]), word.where(ids.mask, -1))
    values = torch.tensor([[1.0, 2, 4, 8, 16], [32, 64, 128, torch.nan, torch.inf], [256, torch.nan, 1, 1, 1]])
    words, outside = by_word(values, batch)
    assert words.tolist() == [[4.0, 9.0, 0.0, 16.0], [160.0, 0.0, 0.0, 0.0], [0.0] * 4]
    assert outside.tolist() == [2.0, 64.0, 256.0]


def test_the_word_of_each_piece() -> None:
    """-1 for special pieces and padding, whether a word is one piece or several."""
    several = Batch.of([Bag().read(Text(words, " ".join(words))) for words in (("wonderful",), ("a", "film"), ())])
    assert several.word_of.tolist() == [[-1, 0, 0, 0, -1], [-1, 0, 1, 1, -1], [-1, -1, -1, -1, -1]]
    single = Batch.of([Letters().read(Text(words, " ".join(words))) for words in (("a",), ("a", "film"), ())])
    assert single.word_of.tolist() == [[0, -1], [0, 1], [-1, -1]]
    assert single.mask.tolist() == [[True, False], [True, True], [False, False]]


def test_a_piece_per_word_is_left_as_it_is() -> None:
    values, ids = torch.rand(2, 3), Sequences(torch.zeros(2, 3, dtype=torch.long), torch.tensor([3, 1]))
    words, outside = by_word(values, Batch(ids, ids.lengths))
    assert words is values
    assert outside is None
