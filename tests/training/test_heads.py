"""One sigmoid for two classes: opposite relevances, the same losses, and what a softmax learns besides (nothing)."""

import dataclasses
import itertools
from pathlib import Path

import pytest
import torch
from torch.nn import functional

import whichword
from whichword.errors import InputError
from whichword.networks import NETWORKS, Network
from whichword.text import content_key
from whichword.training import Training, loop, train
from whichword.training.loop import opposite
from whichword.types import Corpus, Document

LINEAR = ("grad_1_s_dot", "grad_int_s_dot", "omit_1", "omit_3", "occ_1", "lrp", "deeplift", "limsse_ms_s")
SETTINGS = Training(
    network="gru", embedding=6, hidden=5, batch=8, epochs=2, learning_rate=0.01, dtype="float64", head="sigmoid"
)


def corpus(classes: tuple[str, ...] = ("no", "yes")) -> Corpus:
    labels = itertools.cycle(classes)
    texts = [(f"w{i % 7}", f"w{i % 5}", label, f"w{i % 3}", "end") for i, label in zip(range(60), labels, strict=False)]
    documents = [Document(content_key(str(i), *words), words, words[2]) for i, words in enumerate(texts)]
    return Corpus("made", classes, *(tuple(documents[i::3]) for i in range(3)))


def trained(folder: Path, **changes: object) -> Network:
    return train(corpus(), dataclasses.replace(SETTINGS, **changes), folder).network


@pytest.mark.parametrize("kind", ["gru", "qgru", "lstm", "qlstm", "cnn", "linear"])
def test_relevances_for_one_class_are_the_opposite_of_the_others(tmp_path: Path, kind: str) -> None:
    network = trained(tmp_path / kind, network=kind, bidirectional=NETWORKS[kind].directional)
    texts = [document.words for document in corpus().test[:6]]
    first, second = (whichword.explain(network, texts, LINEAR, target=name) for name in ("no", "yes"))
    for left, right in zip(first, second, strict=True):
        for method in LINEAR:
            phi = torch.tensor(left.relevance[method])
            torch.testing.assert_close(-phi, torch.tensor(right.relevance[method]), rtol=1e-9, atol=1e-12, msg=method)
            assert phi.abs().max() > 0


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rows_are_opposite_to_the_last_bit_and_so_they_are_on_disk(tmp_path: Path, dtype: str) -> None:
    trained(tmp_path / "net", dtype=dtype)
    network = whichword.load(tmp_path / "net")
    assert torch.equal(network.w[0], -network.w[1])
    assert torch.equal(network.readout_b[0], -network.readout_b[1])
    assert network.w.abs().max() > 0


def test_the_gradient_of_p_points_where_that_of_s_does(tmp_path: Path) -> None:
    """p = sigmoid(2 s), so grad p = 2 p (1 - p) grad s: what 2018 saw between the two on reviews cannot occur."""
    network = trained(tmp_path / "net")
    for explanation in whichword.explain(
        network, [document.words for document in corpus().test], ["grad_1_s_dot", "grad_1_p_dot"]
    ):
        p = torch.sigmoid(torch.tensor(2 * explanation.scores[explanation.target], dtype=torch.float64))
        s_dot, p_dot = (torch.tensor(explanation.relevance[name]) for name in ("grad_1_s_dot", "grad_1_p_dot"))
        torch.testing.assert_close(p_dot, 2 * p * (1 - p) * s_dot, rtol=1e-7, atol=1e-12)


def test_the_loss_is_that_of_a_sigmoid(tmp_path: Path) -> None:
    network = loop.initial(corpus(), SETTINGS)
    h = torch.randn(4, network.w.shape[1], dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    classes = torch.tensor([0, 1, 1, 0])
    z = h @ (2 * network.w[1]) + 2 * network.readout_b[1]
    expected = functional.binary_cross_entropy_with_logits(z, classes.double())
    loss = functional.cross_entropy(functional.linear(h, network.w, network.readout_b), classes)
    torch.testing.assert_close(loss, expected)


def test_a_softmax_of_two_classes_learns_the_difference_alone(tmp_path: Path) -> None:
    """Same seed, same differences: what the softmax has besides is the half sum that was drawn."""
    drawn = loop.initial(corpus(), dataclasses.replace(SETTINGS, head="softmax"))
    softmax, sigmoid = (trained(tmp_path / head, head=head) for head in ("softmax", "sigmoid"))
    torch.testing.assert_close(softmax.w.sum(0), drawn.w.sum(0), rtol=0, atol=1e-9)
    torch.testing.assert_close(softmax.w[1] - softmax.w[0], sigmoid.w[1] - sigmoid.w[0], rtol=0, atol=1e-9)
    torch.testing.assert_close(softmax.embedding, sigmoid.embedding, rtol=0, atol=1e-9)
    assert (drawn.w.sum(0)).abs().max() > 0.1
    opposite(softmax)
    torch.testing.assert_close(softmax.w, sigmoid.w, rtol=0, atol=1e-9)


def test_what_it_cannot_be_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="head must be softmax or sigmoid, not 'tanh'"):
        Training(head="tanh")
    with pytest.raises(InputError, match="head sigmoid needs two classes, not 3"):
        train(corpus(("a", "b", "c")), SETTINGS, tmp_path / "net")


def test_trainings_of_before_stay_what_they_are() -> None:
    softmax, sigmoid = (
        loop.identity(corpus(), dataclasses.replace(SETTINGS, head=head)) for head in ("softmax", "sigmoid")
    )
    assert "head" not in softmax
    assert sigmoid == softmax | {"head": "sigmoid"}
