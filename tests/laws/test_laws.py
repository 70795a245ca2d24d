"""What must hold whatever the implementation: conservation, equivalences, and equal forward values."""

from dataclasses import dataclass, field

import numpy as np
import pytest
import torch
from law_networks import documents, every, make, words
from torch import Tensor

import whichword
from whichword.methods.propagation import relevance
from whichword.networks import Network
from whichword.rules import Function, Plain, Relevance
from whichword.sequences import Sequences

GATED = ["gru", "qgru", "lstm", "qlstm"]
TARGETS = torch.tensor([0, 1, 2, 0, 1, 2])


class Ordinary(Plain):
    """The plain rules under another name: no faster path may know them, so they show the definition itself."""


@pytest.mark.parametrize(("kind", "both"), every())
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_forward_values_are_identical_under_all_rules(kind: str, both: bool, dtype: torch.dtype) -> None:
    network = make(kind, both).to(dtype)
    x = network.embed(documents())
    doubled = Sequences(torch.cat([x.data, x.data * 0]), x.lengths.repeat(2))
    plain = network.score(doubled, Ordinary())
    for rules in (Relevance(), Relevance(1e-6), Relevance(paired=True), Relevance(paired=True, readout="rescale")):
        assert torch.equal(network.score(doubled, rules), plain)
    # a faster path adds up in another order
    torch.testing.assert_close(network.score(doubled), plain, rtol=0, atol=1e-6 if dtype == torch.float32 else 1e-13)


@dataclass
class Ledger:
    """`Relevance` that writes down what epsilon takes at each sum: R(z) esign(z) / (z + esign(z))."""

    eps: float
    kept: list[float] = field(default_factory=list)

    def gate(self, f: Function, z: Tensor) -> Tensor:
        return Relevance(self.eps).gate(f, z)

    def act(self, f: Function, z: Tensor, *, written_out: bool = False) -> Tensor:
        return Relevance(self.eps).act(f, z, written_out=written_out)

    def node(self, z: Tensor) -> Tensor:
        """The gradient that reaches the sum is G(z), so R(z) = z G(z)."""
        eps = z.new_tensor(self.eps)
        esign = torch.where(z < 0, -eps, eps)
        out, z = Relevance(self.eps).node(z), z.detach()
        out.register_hook(lambda g: self.kept.append((g * z * esign / (z + esign)).sum().item()))
        return out


@pytest.mark.parametrize(("kind", "both"), every())
@pytest.mark.parametrize("eps", [1e-3, 1e-1])
def test_lrp_balance_with_epsilon_share(kind: str, both: bool, eps: float) -> None:
    """Without biases, what the words get and what epsilon takes at every sum adds up to s."""
    network = make(kind, both, bias=False)
    for row, length in enumerate((1, 2, 5, 17)):
        x = network.embed(documents().pick(torch.tensor([row])))
        ledger = Ledger(eps)
        found = relevance(network, x, TARGETS[row : row + 1], ledger)
        epsilon = sum(ledger.kept)
        s = network.score(x)[0, TARGETS[row]].item()
        assert length == x.width
        assert found.sum().item() + epsilon == pytest.approx(s, abs=1e-10)


@pytest.mark.parametrize(("kind", "both"), every())
def test_lrp_balance_with_bias_share(kind: str, both: bool) -> None:
    """With biases, each keeps b G(b): the gradient that reaches it under the rules."""
    network = make(kind, both).requires_grad_(True)
    network.embedding.requires_grad_(False)
    for row in range(4):
        x = network.embed(documents().pick(torch.tensor([row])))
        ledger = Ledger(1e-3)
        leaf = x.data.clone().requires_grad_(True)
        s = network.score(x.with_data(leaf), ledger)[0, TARGETS[row]]
        biases = [v for name, v in network.arrays().items() if name.rpartition(".")[2] in ("b", "readout_b")]
        gradient, *shares = torch.autograd.grad(s, [leaf, *biases])
        bias = sum((value * share).sum().item() for value, share in zip(biases, shares, strict=True))
        epsilon = sum(ledger.kept)
        assert (leaf * gradient).sum().item() + bias + epsilon == pytest.approx(s.item(), abs=1e-10)


@pytest.mark.parametrize(("kind", "both"), every(GATED))
def test_decomposition_sums_to_the_score(kind: str, both: bool) -> None:
    network = make(kind, both)
    for explanation in whichword.explain(network, words(network, documents()), ["decomp"]):
        k = network.classes.index(explanation.target)
        expected = explanation.scores[explanation.target] - network.readout_b[k].item()
        if explanation.words:
            assert explanation.relevance["decomp"].sum() == pytest.approx(expected, abs=1e-10)


def test_lrp_is_gradient_times_input_on_the_bias_free_cnn() -> None:
    network = make("cnn", bias=False)
    for explanation in whichword.explain(network, words(network, documents()), ["lrp[eps=1e-12]", "grad_1_s_dot"]):
        lrp, gradient = explanation.relevance.values()
        np.testing.assert_allclose(lrp, gradient, atol=1e-8)
        assert not explanation.words or np.abs(lrp).max() > 1e-3


def test_seven_methods_agree_on_the_linear_network() -> None:
    network = make("linear", bias=False)
    names = [
        "grad_1_s_dot",
        "grad_int_s_dot",
        "occ_1",
        "omit_1",
        "lrp[eps=1e-12]",
        "deeplift[eps=1e-12]",
        "limsse_ms_s",
    ]
    for explanation in whichword.explain(network, words(network, documents()), names):
        first, *others = (explanation.relevance[name] for name in explanation.relevance)
        for other in others:
            np.testing.assert_allclose(other, first, atol=1e-8)


def test_deeplift_sums_to_the_difference_on_the_cnn() -> None:
    network = make("cnn")
    texts = words(network, documents())
    for text, explanation in zip(texts, whichword.explain(network, texts, ["deeplift[eps=1e-9]"]), strict=True):
        k = network.classes.index(explanation.target)
        if text:
            x = network.embed(documents().pick(torch.tensor([texts.index(text)])))
            reference = network.score(x.with_data(torch.zeros_like(x.data)))[0, k].item()
            total = explanation.relevance["deeplift[eps=1e-9]"].sum()
            assert total == pytest.approx(explanation.scores[explanation.target] - reference, abs=1e-6)


def test_an_empty_document_has_the_biases_as_scores() -> None:
    for kind, both in every():
        network: Network = make(kind, both)
        explanation = whichword.explain(network, [[]])[0]
        assert list(explanation.scores.values()) == network.readout_b.tolist()
        assert all(len(values) == 0 for values in explanation.relevance.values())
        assert explanation.rmax("lrp") is None
