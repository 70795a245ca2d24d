"""What must hold whatever the implementation: conservation, equivalences, and equal forward values."""

import copy
from dataclasses import dataclass, field

import numpy as np
import pytest
import torch
from law_networks import documents, make, pairs_of, words
from torch import Tensor

import whichword
from whichword.methods.propagation import relevance
from whichword.networks import Network
from whichword.rules import Function, Plain, Reference, Relevance

GATED = ["gru", "qgru", "lstm", "qlstm"]
TARGETS = torch.tensor([0, 1, 2, 0, 1, 2])


class Ordinary(Plain):
    """The plain rules under another name: no faster path may know them, so they show the definition itself."""


@pytest.mark.parametrize(("kind", "both"), pairs_of())
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_forward_values_are_identical_under_all_rules(kind: str, both: bool, dtype: torch.dtype) -> None:
    network, batch = make(kind, both).to(dtype), documents()
    e = network.embed(batch)
    notes = Reference()
    assert torch.equal(network.forward(e * 0, batch, notes), network.forward(e * 0, batch, Ordinary()))
    plain = network.forward(e, batch, Ordinary())
    for rules in (Relevance(), Relevance(1e-6)):
        assert torch.equal(network.forward(e, batch, rules), plain)
    for readout in ("literal", "rescale"):
        paired = Relevance(paired=True, readout=readout, reference=copy.deepcopy(notes))
        assert torch.equal(network.forward(e, batch, paired), plain)
        assert not paired.reference.notes  # every note was read
    # a faster path adds up in another order
    close = 1e-6 if dtype == torch.float32 else 1e-13
    torch.testing.assert_close(network.forward(e, batch), plain, rtol=0, atol=close)
    largest = plain.abs().max().clamp(min=1.0).item()  # the prediction has products of its own
    torch.testing.assert_close(network.score(batch), plain, rtol=0, atol=close * largest)


def test_a_reference_pass_through_other_operations_is_refused() -> None:
    """A shape that differs, a note that is missing, an activation in the place of a sum."""
    notes = Reference()
    notes.node(torch.zeros(2, 3))
    for use in (
        lambda rules: rules.node(torch.zeros(2, 4)),
        lambda rules: rules.act(torch.tanh, torch.zeros(2, 3)),
        lambda rules: [rules.node(torch.zeros(2, 3)) for _ in range(2)],
    ):
        with pytest.raises(RuntimeError, match="do not go through the same operations"):
            use(Relevance(paired=True, reference=copy.deepcopy(notes)))


@dataclass
class Ledger:
    """`Relevance` that writes down what epsilon takes at each sum: R(z) esign(z) / (z + esign(z))."""

    eps: float
    taken: list[float] = field(default_factory=list)
    paired: bool = False
    reference: None = None  # as `Relevance` has it without a reference pass

    def gate(self, f: Function, z: Tensor) -> Tensor:
        return Relevance(self.eps).gate(f, z)

    def act(self, f: Function, z: Tensor, *, written_out: bool = False) -> Tensor:
        return Relevance(self.eps).act(f, z, written_out=written_out)

    def node(self, z: Tensor) -> Tensor:
        """The gradient that reaches the sum is G(z), so R(z) = z G(z)."""
        eps = z.new_tensor(self.eps)
        esign = torch.where(z < 0, -eps, eps)
        out, z = Relevance(self.eps).node(z), z.detach()
        out.register_hook(lambda g: self.taken.append((g * z * esign / (z + esign)).sum().item()))
        return out


@pytest.mark.parametrize(("kind", "both"), pairs_of())
@pytest.mark.parametrize("eps", [1e-3, 1e-1])
def test_lrp_balance_with_epsilon_share(kind: str, both: bool, eps: float) -> None:
    """Without biases, what the words get and what epsilon takes at every sum adds up to s."""
    network = make(kind, both, bias=False)
    for row, length in enumerate((1, 2, 5, 17)):
        batch = documents().pick(torch.tensor([row]))
        ledger = Ledger(eps)
        answer = relevance(network, batch, TARGETS[row : row + 1], ledger)
        epsilon = sum(ledger.taken)
        s = network.score(batch)[0, TARGETS[row]].item()
        assert answer.values.shape == (1, length)
        assert answer.values.sum().item() + epsilon == pytest.approx(s, abs=1e-10)


@pytest.mark.parametrize(("kind", "both"), pairs_of())
def test_lrp_balance_with_bias_share(kind: str, both: bool) -> None:
    """With biases, each keeps b G(b): the gradient that reaches it under the rules."""
    network = make(kind, both).requires_grad_(True)
    network.embedding.requires_grad_(False)
    for row in range(4):
        batch = documents().pick(torch.tensor([row]))
        ledger = Ledger(1e-3)
        leaf = network.embed(batch).clone().requires_grad_(True)
        s = network.forward(leaf, batch, ledger)[0, TARGETS[row]]
        biases = [v for name, v in network.arrays().items() if name.rpartition(".")[2] in ("b", "readout_b")]
        gradient, *shares = torch.autograd.grad(s, [leaf, *biases])
        bias = sum((value * share).sum().item() for value, share in zip(biases, shares, strict=True))
        epsilon = sum(ledger.taken)
        assert (leaf * gradient).sum().item() + bias + epsilon == pytest.approx(s.item(), abs=1e-10)


@pytest.mark.parametrize(("kind", "both"), pairs_of(GATED))
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
        first, *following = (explanation.relevance[name] for name in explanation.relevance)
        for relevance_of_method in following:
            np.testing.assert_allclose(relevance_of_method, first, atol=1e-8)


def test_deeplift_sums_to_the_difference_on_the_cnn() -> None:
    network = make("cnn")
    texts = words(network, documents())
    for text, explanation in zip(texts, whichword.explain(network, texts, ["deeplift[eps=1e-9]"]), strict=True):
        k = network.classes.index(explanation.target)
        if text:
            batch = documents().pick(torch.tensor([texts.index(text)]))
            reference = network.forward(torch.zeros_like(network.embed(batch)), batch)[0, k].item()
            total = explanation.relevance["deeplift[eps=1e-9]"].sum()
            assert total == pytest.approx(explanation.scores[explanation.target] - reference, abs=1e-6)


def test_an_empty_document_has_the_biases_as_scores() -> None:
    for kind, both in pairs_of():
        network: Network = make(kind, both)
        explanation = whichword.explain(network, [[]])[0]
        assert list(explanation.scores.values()) == network.readout_b.tolist()
        assert all(len(values) == 0 for values in explanation.relevance.values())
        assert explanation.rmax("lrp") is None
