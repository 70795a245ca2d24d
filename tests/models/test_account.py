"""The account: words, specials, constants, epsilon and softmax add up to the score, on request."""

import pickle

import numpy as np
import pytest
import torch
from foreign_modules import CLASSES, TEXTS, Convolutions, Encoder, Recurrent, shaken, wrapped
from torch import nn

import whichword
from whichword.explanation import Account
from whichword.networks.network import Config, Network
from whichword.text import Vocabulary

MODULES = {
    "lstm": lambda: Recurrent("LSTM", 2, True, "attention"),
    "convolutions": lambda: Convolutions(nn.GELU()),
    "encoder": lambda: Encoder(activation="relu"),
}


def closes(account: Account) -> bool:
    return abs(account.gap) <= 1e-9 * max(map(abs, [account.score, *account.shares.values()]))


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("method", ["lrp", "lrp[eps=0.1]", "lrp[attention=attnlrp]"])
@pytest.mark.parametrize("target", [None, *CLASSES])
def test_it_adds_up(name: str, method: str, target: str | None) -> None:
    model = wrapped(shaken(MODULES[name]()))
    if "attnlrp" in method and not model.has_attention:
        with pytest.raises(whichword.InputError, match=r"is not defined for Convolutions: it has no attention"):
            whichword.account(model, TEXTS[0], method, target)
        return
    (answer,) = whichword.explain(model, [TEXTS[0]], method, target)
    account = answer.account(method)
    assert account == whichword.account(model, TEXTS[0], method, target)
    assert closes(account)
    assert account.score == pytest.approx(answer.scores[answer.target], abs=1e-12)
    assert account.words == pytest.approx(float(answer.relevance[method].sum()), abs=1e-12)
    assert account.specials == 0.0
    assert account.epsilon != 0.0
    assert (account.softmax != 0.0) == ("attnlrp" in method)


def test_a_larger_epsilon_keeps_more() -> None:
    model = wrapped(shaken(MODULES["encoder"]()))
    shares = [abs(whichword.account(model, TEXTS[0], f"lrp[eps={eps}]").epsilon) for eps in (1e-6, 1e-3, 1e-1)]
    assert shares == sorted(shares)


@pytest.mark.parametrize("kind", ["gru", "lstm", "qgru", "qlstm", "cnn", "linear"])
def test_the_papers_networks_have_one_too(kind: str) -> None:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        network = Network.of(Config(kind, ("a", "b"), 5, 4), Vocabulary(tuple("tuvwxyz"))).double()
        for value in network.parameters():
            value.data.normal_(0.0, 0.6)
    network.requires_grad_(False)
    (answer,) = whichword.explain(network, [list("txwzzy")], "lrp")
    account = answer.account()
    assert closes(account)
    assert account.words == pytest.approx(float(answer.relevance["lrp"].sum()), abs=1e-9)
    assert not any(value.requires_grad for value in network.parameters())


@pytest.mark.parametrize("method", ["deeplift", "grad_1_s_dot", "omit_1"])
def test_other_methods_keep_none(method: str) -> None:
    model = wrapped(shaken(MODULES["lstm"]()))
    with pytest.raises(whichword.InputError, match=f"{method} keeps no account: only lrp shares the whole score out"):
        whichword.account(model, TEXTS[0], method)


def test_a_black_box_has_none() -> None:
    model = whichword.wrap(lambda texts: [[0.4, 0.6] for _ in texts], classes=["a", "b"])
    with pytest.raises(whichword.InputError, match="its operations have no relevance rules"):
        whichword.account(model, "some text")


def test_an_explanation_that_has_gone_to_another_place_has_no_model() -> None:
    (answer,) = whichword.explain(wrapped(shaken(MODULES["lstm"]())), [TEXTS[0]], "lrp")
    copy = pickle.loads(pickle.dumps(answer))
    np.testing.assert_array_equal(copy.relevance["lrp"], answer.relevance["lrp"])
    with pytest.raises(whichword.InputError, match=r"the model is not at hand any more: ask whichword\.account"):
        copy.account()


def test_it_can_be_read() -> None:
    account = Account(2.0, 1.25, 0.25, 0.375, 0.125)
    assert account.gap == 0.0
    assert str(account).splitlines()[:2] == ["score     +2.0000", "words     +1.2500"]


def test_decisions_are_told_with_their_places() -> None:
    """Which factor of a product of two was the weight: tanh(h) is no factor here, softmax is."""
    account = whichword.account(wrapped(shaken(MODULES["lstm"]())), TEXTS[0])
    (place,) = account.decisions
    assert place.startswith("mul at helpers/foreign_modules.py:")
    assert account.decisions[place] == "factor 1 is the weight (weight)"
