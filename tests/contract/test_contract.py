"""What holds for every method on every network."""

import copy

import numpy as np
import pytest
import torch
from contract_networks import TEXTS, close, make_network
from torch import Tensor

import whichword
from whichword.methods import Questions, plan
from whichword.model import Batch
from whichword.networks import Network
from whichword.sequences import Sequences

Texts = list[list[str]]


def test_shape_and_finite(network: Network, texts: Texts) -> None:
    for text, explanation in zip(texts, whichword.explain(network, texts), strict=True):
        assert set(explanation.relevance) >= set(whichword.METHODS) - {"decomp"}
        assert ("decomp" in explanation.relevance) == (network.config.kind not in ("cnn", "linear"))
        for name, values in explanation.relevance.items():
            assert values.shape == (len(text),), name
            assert values.dtype == network.about.dtype
            assert np.isfinite(values).all(), (name, text)


def test_a_document_alone_and_in_any_batch(network: Network, texts: Texts) -> None:
    together = whichword.explain(network, texts)
    turned = whichword.explain(network, texts[::-1], batch_words=40)[::-1]
    shifted = whichword.explain(network, texts[3:] + texts[:3], batch_words=40)
    for row, (text, explanation) in enumerate(zip(texts, together, strict=True)):
        (alone,) = whichword.explain(network, [text])
        for name, values in explanation.relevance.items():
            for again in (alone, turned[row], shifted[row - 3]):
                assert again.words == tuple(text)
                assert close(name, again.relevance[name], values), (name, text)


PADDING = 39  # a word that no row has: its vector is not a number, and must not matter


def test_padding_never_matters(network: Network, texts: Texts, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [[row % PADDING for row in network.vocabulary.ids(text)] for text in texts]
    ids, targets = Sequences.of(rows), torch.arange(len(texts)) % 3
    chosen = plan(None, network)
    keys = tuple(map(str, targets))
    before = chosen.answer(network, Questions(Batch(ids, ids.lengths), targets, keys))
    spoil(network, monkeypatch)
    for model in (network, network.prepared(10**9)):
        after = chosen.answer(model, Questions(wider(ids), targets, keys))
        for name in chosen.labels:
            for row, length in enumerate(ids.lengths.tolist()):
                expected, values = before[name].values[row, :length], after[name].values[row, :length]
                assert close(name, values.numpy(), expected.numpy()), name


def spoil(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the padding's own vector nor what `embed` leaves in its place is a number."""
    embed = Network.embed
    network.embedding[PADDING] = torch.nan

    def spoiled(self: Network, batch: Batch) -> Tensor:
        return batch.ids.with_data(embed(self, batch)).filled(torch.nan).data

    monkeypatch.setattr(Network, "embed", spoiled)


def wider(ids: Sequences) -> Batch:
    """The same rows and nine columns more, the padding filled with a word of its own."""
    data = torch.cat([ids.filled(PADDING).data, torch.full((len(ids), 9), PADDING)], 1)
    return Batch(Sequences(data, ids.lengths), ids.lengths)


def test_the_model_is_left_as_it_was(network: Network, texts: Texts) -> None:
    network.requires_grad_(True).train()
    state = copy.deepcopy(network.state_dict())
    random_state, numpy_state = torch.get_rng_state(), np.random.get_state()[1].copy()  # type: ignore[index]
    whichword.explain(network, texts)
    assert network.training
    assert all(torch.equal(value, state[name]) for name, value in network.state_dict().items())
    for parameter in network.parameters():
        assert parameter.requires_grad
        assert parameter.grad is None
    for module in network.modules():
        assert not module._forward_hooks
        assert not module._backward_hooks
        assert not module._forward_pre_hooks
    assert torch.equal(torch.get_rng_state(), random_state)
    assert (np.random.get_state()[1] == numpy_state).all()  # type: ignore[index]
    assert torch.is_grad_enabled()


def test_a_model_that_may_learn_gives_the_same_as_one_that_may_not(network: Network, texts: Texts) -> None:
    frozen = whichword.explain(network, texts)
    learning = whichword.explain(network.requires_grad_(True), texts)
    for a, b in zip(frozen, learning, strict=True):
        for name in a.relevance:
            assert close(name, b.relevance[name], a.relevance[name]), name


def test_random_numbers_belong_to_the_document_and_the_seed() -> None:
    network = make_network("cnn", False)
    drawn = ["random", "limsse_ms_s[samples=50]"]
    first = whichword.explain(network, TEXTS, drawn, seed=1)
    turned = whichword.explain(network, TEXTS[::-1], drawn, seed=1)[::-1]
    other = whichword.explain(network, TEXTS, drawn, seed=2)
    for a, b, c in zip(first[5:], turned[5:], other[5:], strict=True):
        for name in drawn:
            np.testing.assert_allclose(a.relevance[name], b.relevance[name], rtol=1e-5, atol=1e-6)
            assert np.abs(a.relevance[name] - c.relevance[name]).max() > 1e-3


def test_target_class_and_prediction(network: Network, texts: Texts) -> None:
    predicted = whichword.explain(network, texts, ["lrp"])
    for text, explanation in zip(texts, predicted, strict=True):
        scores = explanation.scores
        assert explanation.predicted == explanation.target == max(scores, key=scores.__getitem__)
        assert sum(explanation.probabilities.values()) == pytest.approx(1.0)
        same = whichword.explain(network, [text], ["lrp"], target=explanation.predicted)[0]
        assert close("lrp", same.relevance["lrp"], explanation.relevance["lrp"])
        other = next(name for name in network.classes if name != explanation.predicted)
        if text:
            against = whichword.explain(network, [text], ["lrp"], target=other)[0]
            assert against.target == other
            assert not np.array_equal(against.relevance["lrp"], explanation.relevance["lrp"])


def test_an_iterator_out_when_asked() -> None:
    network = make_network("linear", False)
    endless = (["w1", f"w{i % 40}"] for i in range(10**9))
    stream = whichword.explain(network, endless, ["occ_1"], stream=True)
    assert [next(stream).words[1] for _ in range(3)] == ["w0", "w1", "w2"]
