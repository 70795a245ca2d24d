"""What holds for every method on every network."""

import copy
import dataclasses

import numpy as np
import pytest
import torch
from contract_networks import WORDS, make_network

import whichword
from whichword.methods import Questions, plan
from whichword.networks import Network
from whichword.sequences import Sequences

LOOSER = {"lrp", "deeplift"}  # they divide by sums that may be near zero, and so amplify rounding
# lengths 0, 1, 2, 5, shorter and longer than every window, words that repeat, words that nobody knows
TEXTS = [
    [],
    ["w3"],
    ["w4", "w9"],
    ["w1", "w8", "w2", "w5", "w7"],
    ["never", "seen", "before"],
    [WORDS[(7 * i + 3) % 40] for i in range(23)],
    [WORDS[(11 * i + 5) % 40] for i in range(38)],
]


def tolerance(name: str) -> float:
    return 1e-4 if name in LOOSER else 1e-5


def close(name: str, found: np.ndarray, expected: np.ndarray) -> bool:
    largest = max(np.abs(expected).max(initial=0.0), 1e-30)
    return bool(np.abs(found - expected).max(initial=0.0) <= tolerance(name) * largest)


def test_shape_and_finite(network: Network) -> None:
    for text, explanation in zip(TEXTS, whichword.explain(network, TEXTS), strict=True):
        assert set(explanation.relevance) >= set(whichword.METHODS) - {"decomp"}
        for name, values in explanation.relevance.items():
            assert values.shape == (len(text),), name
            assert values.dtype == np.float32
            assert np.isfinite(values).all(), (name, text)


def test_a_document_alone_and_in_any_batch(network: Network) -> None:
    together = whichword.explain(network, TEXTS)
    for order in (TEXTS[::-1], TEXTS[3:] + TEXTS[:3]):
        again = {tuple(e.words): e for e in whichword.explain(network, order, budget=40)}
        for explanation in together:
            alone = whichword.explain(network, [list(explanation.words)])[0]
            for name, values in explanation.relevance.items():
                assert close(name, alone.relevance[name], values), name
                assert close(name, again[explanation.words].relevance[name], values), name


def test_padding_never_matters(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = Sequences.of([network.vocabulary.ids(text) for text in TEXTS])
    questions = Questions(ids, torch.arange(len(TEXTS)) % 3, tuple(map(str, range(len(TEXTS)))))
    chosen = plan(None, network)
    before = chosen.answer(network, questions)
    embed = network.embed

    def spoiled(given: Sequences) -> Sequences:
        return embed(given).filled(float("nan"))

    monkeypatch.setattr(network, "embed", spoiled)
    wider = Sequences(torch.cat([ids.data, torch.full((len(TEXTS), 9), 7)], 1), ids.lengths)
    after = chosen.answer(network, dataclasses.replace(questions, ids=wider))
    for name in chosen.labels:
        for row, length in enumerate(ids.lengths.tolist()):
            expected, found = before[name].values[row, :length], after[name].values[row, :length]
            assert close(name, found.numpy(), expected.numpy()), name


def test_the_model_is_left_as_it_was(network: Network) -> None:
    network.requires_grad_(True).train()
    state = copy.deepcopy(network.state_dict())
    random_state, numpy_state = torch.get_rng_state(), np.random.get_state()[1].copy()  # type: ignore[index]
    whichword.explain(network, TEXTS)
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


def test_a_model_that_may_learn_gives_the_same_as_one_that_may_not(network: Network) -> None:
    frozen = whichword.explain(network, TEXTS)
    learning = whichword.explain(network.requires_grad_(True), TEXTS)
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


def test_target_class_and_prediction(network: Network) -> None:
    predicted = whichword.explain(network, TEXTS, ["lrp"])
    for text, explanation in zip(TEXTS, predicted, strict=True):
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
