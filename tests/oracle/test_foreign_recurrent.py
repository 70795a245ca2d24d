"""torch's own LSTM, GRU and RNN, as modules: every method agrees with the slow transcription."""

import numpy as np
import pytest
from foreign_cases import CLASSES, TEXTS, WORDS, Recurrent, array, shaken
from oracle_foreign import METHODS, ForeignText
from oracle_recurrent import READ_OUTS, RecurrentOracle, decomp, relevance

import whichword

RELEVANCE = {
    "lrp": lambda oracle, E, k: relevance(oracle, E, k),
    "deeplift": lambda oracle, E, k: relevance(oracle, E, k, deeplift=True),
    "deeplift[readout=rescale]": lambda oracle, E, k: relevance(oracle, E, k, deeplift=True, rescale=True),
}


def agree(module: Recurrent, methods: dict, texts: list[list[str]] = TEXTS) -> None:
    """On every text, for the predicted class and for another one."""
    model = whichword.wrap(module, vocabulary=WORDS, classes=CLASSES)
    oracle, table = module.oracle(), array(module.words.weight)
    for target in (None, "y"):
        for text, answer in zip(texts, whichword.explain(model, texts, list(methods), target=target), strict=True):
            E, k = table[[WORDS.index(word) for word in text]], CLASSES.index(answer.target)
            assert k == int(np.argmax(oracle.scores(E))) or target is not None
            for method, slow in methods.items():
                truth = slow(oracle, E, k)
                atol = 1e-9 * max(1.0, np.abs(truth).max())
                np.testing.assert_allclose(answer.relevance[method], truth, rtol=0, atol=atol, err_msg=method)


@pytest.mark.parametrize("kind", ["lstm", "gru", "rnn"])
@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("read_out", READ_OUTS)
def test_relevance(kind: str, layers: int, both: bool, read_out: str) -> None:
    agree(shaken(Recurrent(kind, layers, both, read_out), seed=layers), RELEVANCE)


@pytest.mark.parametrize("both", [False, True])
def test_projections(both: bool) -> None:
    agree(shaken(Recurrent("lstm", 2, both, "last", projection=2), seed=3), RELEVANCE)


@pytest.mark.parametrize("kind", ["lstm", "gru"])
@pytest.mark.parametrize(("both", "read_out"), [(False, "last"), (False, "h_n"), (True, "h_n")])
def test_cell_decomposition(kind: str, both: bool, read_out: str) -> None:
    module = shaken(Recurrent(kind, 1, both, read_out), seed=4)
    agree(module, {"decomp": decomp})
    model = whichword.wrap(module, vocabulary=WORDS, classes=CLASSES)
    for answer in whichword.explain(model, TEXTS, "decomp"):
        bias = array(module.out.bias)[CLASSES.index(answer.target)]
        assert answer.relevance["decomp"].sum() == pytest.approx(answer.scores[answer.target] - bias, abs=1e-9)


UNDEFINED = [("lstm", 2, False, "h_n"), ("gru", 1, True, "last"), ("lstm", 1, False, "mean"), ("gru", 1, False, "max")]


@pytest.mark.parametrize(("kind", "layers", "both", "read_out"), [*UNDEFINED, ("rnn", 1, False, "h_n")])
def test_no_decomposition_elsewhere(kind: str, layers: int, both: bool, read_out: str) -> None:
    """Stacks, other read-outs, the backward direction's first step, networks without gates."""
    model = whichword.wrap(shaken(Recurrent(kind, layers, both, read_out), 4), vocabulary=WORDS, classes=CLASSES)
    with pytest.raises(whichword.InputError, match="not defined for Recurrent: no gated memory is read out linearly"):
        whichword.explain(model, TEXTS, "decomp")


def by_scores(name: str) -> object:
    def slow(oracle: RecurrentOracle, E: np.ndarray, k: int) -> np.ndarray:
        return METHODS[name](ForeignText(oracle.scores, E, list(range(len(E))), k))

    return slow


@pytest.mark.parametrize(
    ("kind", "layers", "both", "read_out"),
    [
        ("lstm", 1, False, "last"),
        ("lstm", 2, True, "attention"),
        ("gru", 1, True, "h_n"),
        ("gru", 2, False, "max"),
        ("rnn", 2, True, "mean"),
    ],
)
def test_gradients_omission_occlusion_and_limsse(kind: str, layers: int, both: bool, read_out: str) -> None:
    """Texts of more words than a window has: torch's networks cannot read an empty text."""
    long = [text for text in TEXTS if len(text) > 3]
    agree(shaken(Recurrent(kind, layers, both, read_out), seed=6), {name: by_scores(name) for name in METHODS}, long)
