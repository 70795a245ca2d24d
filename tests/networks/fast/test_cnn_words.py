"""The CNN's pooling in the closed form: ties, features that are off, and what changes with alpha."""

import pytest
import torch
from fast_cases import batch_of, make, names, plainly, share, shortcuts

from whichword import sequences
from whichword.methods import Questions
from whichword.methods.gradient import integrate
from whichword.methods.propagation import LRP, DeepLIFT
from whichword.model import Batch, GradientKind
from whichword.networks import Network
from whichword.sequences import Sequences

KINDS = [GradientKind(True, "s", "dot"), GradientKind(True, "p", "l2"), GradientKind(False, "s", "dot")]


def assert_agrees(network: Network, batch: Batch, steps: int = 50) -> None:
    k = torch.arange(len(batch)) % 3
    integrals = shortcuts(network).integrate(batch, k, steps, KINDS)
    expected = integrate(plainly(network), batch, k, steps, KINDS)
    for kind in KINDS:
        assert share(integrals[kind], expected[kind], batch.words) <= 1e-10, kind
    questions = Questions(batch, k, names(batch))
    for method in (LRP(), DeepLIFT()):
        plain = method.explain(plainly(network), questions)
        assert share(method.explain(network, questions), plain, batch.words) <= 1e-10, method


@pytest.mark.parametrize("block", [256, 4, 1])
def test_the_first_of_equal_windows_wins(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only small whole numbers are added, so equal windows are equal to the last bit in every order of adding up.

    (At alpha = 1, that is: in between the plain way may take any of them.)
    """
    monkeypatch.setattr(sequences, "BLOCK", block)
    network = make("cnn")
    for parameter in network.parameters():
        parameter.copy_((parameter * 2).round())
    assert_agrees(network, batch_of(Sequences.of([[7] * 12, [3, 4] * 9, [5, 5, 5, 9, 9, 9, 5, 5, 5]])), steps=1)


@pytest.mark.parametrize("block", [256, 4, 1])
def test_the_first_maximum_by_plain_search(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways pool by it, so it is held against a search that reads every number."""
    monkeypatch.setattr(sequences, "BLOCK", block)
    values = torch.randint(0, 3, (6, 13, 5), generator=torch.Generator().manual_seed(1)).float()
    lengths = torch.tensor([13, 1, 0, 9, 4, 8])
    found = Sequences(values, lengths).argmax()
    for row, length in enumerate(lengths.tolist()):
        for column in range(5):
            own = values[row, :length, column].tolist()
            assert found[row, column] == (own.index(max(own)) if own else 0)


@pytest.mark.parametrize("bias", [-20.0, -1.0, 0.0, 1.0, 20.0])
def test_features_that_are_off_somewhere_on_the_way(bias: float) -> None:
    """A positive bias with a window below 0 is on at small alpha only; a negative one at large alpha only."""
    network = make("cnn")
    network.encoders[0].b.fill_(bias)
    assert_agrees(network, batch_of(Sequences.of([[7], [3, 4], list(range(30, 50))])))


def test_features_that_no_window_raises() -> None:
    """All windows are below -bias: DeepLIFT's relevance of the feature goes to the first window."""
    network = make("cnn")
    network.embedding.abs_().add_(0.1)
    network.encoders[0].V.abs_().neg_()
    network.encoders[0].b.fill_(0.3)
    batch = batch_of(Sequences.of([[5, 6, 7, 8, 9, 10, 11, 12]]))
    for model in (network, plainly(network)):
        assert not model.encode(batch.ids.with_data(model.embed(batch))).any()
    assert_agrees(network, batch)
    relevance = DeepLIFT().explain(network, Questions(batch, torch.tensor([1]), ("a",)))[0]
    assert relevance[:3].any()
    assert not relevance[3:].any()
