"""Where Captum computes the same thing, both give the same numbers."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from law_networks import documents, make, pairs_of, words
from torch import Tensor

import whichword
from whichword.model import Batch
from whichword.networks import Network
from whichword.sequences import Sequences

captum = pytest.importorskip("captum.attr")

KINDS = pairs_of()


def scorer(network: Network) -> Callable[[Tensor], Tensor]:
    """s as a function of embeddings without padding, which is all that Captum knows of."""
    return lambda e: network.forward(e, _alike(Sequences(e, torch.full((e.shape[0],), e.shape[1]))))


def _alike(sequences: Sequences) -> Batch:
    return Batch(sequences, sequences.lengths)


def cases(network: Network) -> list[tuple[list[str], Tensor, int]]:
    texts = [text for text in words(network, documents()) if text]
    embedded = [network.embed(_alike(Sequences.of([network.vocabulary.ids(text)]))) for text in texts]
    return [(text, e, scorer(network)(e)[0].argmax().item()) for text, e in zip(texts, embedded, strict=True)]


@pytest.mark.parametrize(("kind", "both"), KINDS)
def test_gradients(kind: str, both: bool) -> None:
    network = make(kind, both)
    saliency = captum.Saliency(scorer(network))
    product = captum.InputXGradient(scorer(network))
    for text, e, k in cases(network):
        relevance = whichword.explain(network, [text], ["grad_1_s_l2", "grad_1_s_dot"])[0].relevance
        leaf = e.clone().requires_grad_(True)
        expected = saliency.attribute(leaf, target=k, abs=False).norm(dim=-1)[0]
        np.testing.assert_allclose(relevance["grad_1_s_l2"], expected.detach().numpy(), atol=1e-6)
        expected = product.attribute(leaf, target=k).sum(-1)[0]
        np.testing.assert_allclose(relevance["grad_1_s_dot"], expected.detach().numpy(), atol=1e-6)


@pytest.mark.parametrize(("kind", "both"), KINDS)
@pytest.mark.parametrize("output", ["s", "p"])
def test_integrated_gradients(kind: str, both: bool, output: str) -> None:
    network = make(kind, both)
    score = scorer(network)
    integrated = captum.IntegratedGradients(score if output == "s" else lambda e: score(e).softmax(-1))
    for text, e, k in cases(network):
        expected = integrated.attribute(e, target=k, n_steps=50, method="riemann_right", internal_batch_size=50)
        name = f"grad_int_{output}_dot"
        relevance = whichword.explain(network, [text], [name])[0].relevance[name]
        np.testing.assert_allclose(relevance, expected.sum(-1)[0].detach().numpy(), atol=1e-6)


@pytest.mark.parametrize(("kind", "both"), KINDS)
@pytest.mark.parametrize("n", [1, 3])
def test_occlusion_inside_the_document(kind: str, both: bool, n: int) -> None:
    network = make(kind, both)
    occlusion = captum.Occlusion(scorer(network))
    for text, e, k in cases(network):
        if len(text) < 2 * n + 1:
            continue
        expected = occlusion.attribute(e, (n, e.shape[2]), strides=(1, e.shape[2]), target=k)[0, :, 0]
        relevance = whichword.explain(network, [text], [f"occ_{n}"])[0].relevance[f"occ_{n}"]
        inside = slice(n - 1, len(text) - n + 1)
        np.testing.assert_allclose(relevance[inside], expected[inside].numpy(), atol=1e-6)
