"""Single precision gives what double precision gives, also where all changes of the score are tiny."""

import numpy as np
import torch
from contract_networks import TEXTS, WORDS, close, kinds, make_network

import whichword

EQUAL = [["never", "seen", "before"], ["w3"] * 4, [WORDS[0], *["w7"] * 9]]


def test_single_and_double_precision_agree() -> None:
    for kind, both in kinds():
        single, double = make_network(kind, both), make_network(kind, both).double()
        texts = TEXTS if kind == "cnn" else [*TEXTS, *EQUAL]  # equal windows tie in the CNN
        expected = whichword.explain(double, texts)
        for rounded, exact in zip(whichword.explain(single, texts), expected, strict=True):
            for name in set(rounded.relevance) - {"random", "limsse_bb"}:  # bb jumps where two classes nearly tie
                # squares below 1e-38 are zero in single precision, so a norm below 1e-19 is too
                if np.abs(exact.relevance[name]).max(initial=0.0) > 1e-18:
                    assert close(name, rounded.relevance[name], exact.relevance[name]), (
                        kind,
                        both,
                        name,
                        rounded.words,
                    )


def test_a_change_far_below_the_score_keeps_its_digits() -> None:
    """s = 1000 + a little: in single precision alone, s - s' would keep three digits."""
    network = make_network("lstm", False)
    network.readout_b.fill_(1000.0)
    double = make_network("lstm", False).double()
    double.readout_b.fill_(1000.0)
    names = ["omit_1", "occ_1", "omit_3", "occ_7"]
    for rounded, exact in zip(
        whichword.explain(network, TEXTS[1:], names), whichword.explain(double, TEXTS[1:], names), strict=True
    ):
        for name in names:
            assert close(name, rounded.relevance[name], exact.relevance[name]), name


def test_the_double_network_is_a_copy() -> None:
    network = make_network("gru", True)
    twin = network.fast.in_double()
    assert network.w.dtype == torch.float32
    assert twin.w.dtype == torch.float64
    assert twin.about.dtype == "float64"
    assert twin.embedding is network.embedding
    np.testing.assert_allclose(twin.w.numpy(), network.w.numpy())
