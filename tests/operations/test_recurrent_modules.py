"""nn.LSTM, nn.GRU, nn.RNN and their cells, convolutions and torch's own transformer, as people write them."""

import numpy as np
import pytest
import torch
from foreign_modules import (
    CLASSES,
    READ_OUTS,
    TEXTS,
    Cells,
    Convolutions,
    Encoder,
    Packed,
    Recurrent,
    check_rules,
    shaken,
    wrapped,
)
from torch import Tensor, nn

import whichword


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("read_out", READ_OUTS)
def test_recurrent_stacks(kind: str, layers: int, both: bool, read_out: str) -> None:
    check_rules(wrapped(shaken(Recurrent(kind, layers, both, read_out))))


@pytest.mark.parametrize(
    "module",
    [
        pytest.param(Recurrent("LSTM", 2, True, "mean", proj_size=3), id="projections"),
        pytest.param(Recurrent("LSTM", 1, False, "h_n", proj_size=3), id="one projection"),
        pytest.param(Recurrent("RNN", 1, True, "max", nonlinearity="relu"), id="relu"),
        pytest.param(Recurrent("GRU", 2, True, "h_n", bias=False), id="no biases"),
        pytest.param(Recurrent("LSTM", 1, False, "h_n", bias=False), id="no biases, LSTM"),
        *(pytest.param(Cells(kind), id=kind) for kind in ("LSTMCell", "GRUCell", "RNNCell")),
    ],
)
def test_variants(module: nn.Module) -> None:
    check_rules(wrapped(shaken(module)))


def packed(module: Packed, ids: Tensor, lengths: Tensor) -> Tensor:
    return module(ids, lengths)


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
@pytest.mark.parametrize(("layers", "both"), [(1, False), (2, True)])
@pytest.mark.parametrize("read_out", ["h_n", "mean", "max"])
def test_packed_sequences(kind: str, layers: int, both: bool, read_out: str) -> None:
    model = wrapped(shaken(Packed(kind, layers, both, read_out)), packed)
    check_rules(model)
    plain = wrapped(shaken(Recurrent(kind, layers, both, read_out)))
    pairs = zip(*(whichword.explain(m, TEXTS, ["lrp", "deeplift"]) for m in (model, plain)), strict=True)
    for ours, theirs in pairs:
        for method in ("lrp", "deeplift"):
            np.testing.assert_allclose(ours.relevance[method], theirs.relevance[method], rtol=0, atol=1e-9)


class TwoLengths(nn.Module):
    """Texts of two lengths in one packed call: the ids twice, the second time without their last word."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.words, self.out = nn.Embedding(20, 6), nn.Linear(10, 3)
        self.rnn = getattr(nn, kind)(6, 5, batch_first=True)

    def forward(self, ids: Tensor) -> Tensor:
        e = self.words(ids)
        lengths = torch.tensor([ids.shape[1], max(1, ids.shape[1] - 2)]).repeat_interleave(len(ids))
        packed = nn.utils.rnn.pack_padded_sequence(torch.cat([e, e]), lengths, batch_first=True)
        last = self.rnn(packed)[1]
        h = (last[0] if isinstance(last, tuple) else last)[0]
        return self.out(torch.cat(h.chunk(2), -1))


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_every_row_has_its_own_length(kind: str) -> None:
    check_rules(wrapped(shaken(TwoLengths(kind))))


class WordsFirst(nn.Module):
    """A module that takes the words first, and the texts as its second dimension."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.rnn, self.out = nn.Embedding(20, 6), nn.GRU(6, 5), nn.Linear(5, 3)

    def forward(self, ids: Tensor) -> Tensor:
        return self.out(self.rnn(self.words(ids.T))[1][0])


def test_words_first() -> None:
    check_rules(wrapped(shaken(WordsFirst())))


def test_texts_that_are_each_others_mirror_keep_their_words_apart() -> None:
    """[[a, b], [b, a]]: the ids of texts first and words first are the same."""
    check_rules(wrapped(shaken(WordsFirst())), [["w1", "w2"], ["w2", "w1"]])
    check_rules(wrapped(shaken(Recurrent("GRU"))), [["w1", "w2"], ["w2", "w1"]])


@pytest.mark.parametrize("activation", [nn.ReLU(inplace=True), nn.GELU(), nn.Tanh(), nn.ELU(inplace=True), nn.SiLU()])
def test_convolutions(activation: nn.Module) -> None:
    check_rules(wrapped(shaken(Convolutions(activation))))


@pytest.mark.parametrize("activation", ["relu", "gelu"])
@pytest.mark.parametrize("norm_first", [False, True])
def test_torchs_own_transformer(activation: str, norm_first: bool) -> None:
    model = wrapped(shaken(Encoder(activation=activation, norm_first=norm_first)))
    assert model.has_attention
    check_rules(model)


class ByHand(nn.Module):
    """The LSTM or GRU of `Recurrent`, written with sigmoid, tanh and *; its weights are the module's."""

    def __init__(self, module: Recurrent) -> None:
        super().__init__()
        self.words, self.rnn, self.out = module.words, module.rnn, module.out

    def forward(self, ids: Tensor) -> Tensor:
        W, U, b_ih, b_hh = self.rnn.weight_ih_l0, self.rnn.weight_hh_l0, self.rnn.bias_ih_l0, self.rnn.bias_hh_l0
        e = self.words(ids)
        h = c = torch.zeros(len(ids), 5, dtype=e.dtype)
        for t in range(ids.shape[1]):
            if isinstance(self.rnn, nn.LSTM):
                i, f, g, o = (e[:, t] @ W.T + h @ U.T + b_ih + b_hh).chunk(4, -1)
                c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
                h = torch.sigmoid(o) * torch.tanh(c)
            else:
                x, y = (e[:, t] @ W.T + b_ih).chunk(3, -1), (h @ U.T + b_hh).chunk(3, -1)
                r, z = torch.sigmoid(x[0] + y[0]), torch.sigmoid(x[1] + y[1])
                h = (1 - z) * torch.tanh(x[2] + r * y[2]) + z * h
        return self.out(h)


@pytest.mark.parametrize("kind", ["LSTM", "GRU"])
def test_a_module_and_the_same_by_hand(kind: str) -> None:
    """At epsilon next to 0; r * b_hn of the GRU's first step is a sigmoid times a constant by hand, so b_hn is 0."""
    module = shaken(Recurrent(kind, read_out="h_n"))
    with torch.no_grad():
        module.rnn.bias_hh_l0[10:15] = 0.0
    texts = [text for text in TEXTS if len(text) > 1]
    pairs = zip(
        *(
            whichword.explain(wrapped(m), texts, "lrp[eps=1e-14]", target=CLASSES[0])
            for m in (module, ByHand(module).eval())
        ),
        strict=True,
    )
    for by_module, by_hand in pairs:
        a, b = (answer.relevance["lrp[eps=1e-14]"] for answer in (by_module, by_hand))
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-9 * np.abs(a).max())


class Ledges(nn.Module):
    """Linear, relu and max only."""

    def __init__(self, bias: bool) -> None:
        super().__init__()
        self.words, self.out = nn.Embedding(20, 6), nn.Linear(7, 3, bias=bias)
        self.stack = nn.Sequential(nn.Linear(6, 9, bias=bias), nn.ReLU(), nn.Linear(9, 7, bias=bias), nn.ReLU())

    def forward(self, ids: Tensor) -> Tensor:
        return self.out(self.stack(self.words(ids)).max(1).values)


@pytest.mark.parametrize("bias", [True, False])
def test_without_epsilon_relu_networks_have_input_times_gradient(bias: bool) -> None:
    answers = whichword.explain(wrapped(shaken(Ledges(bias))), TEXTS, ["lrp[eps=1e-16]", "grad_1_s_dot"])
    for answer in answers:
        a, b = answer.relevance["lrp[eps=1e-16]"], answer.relevance["grad_1_s_dot"]
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-10 * max(1.0, np.abs(b).max()))
