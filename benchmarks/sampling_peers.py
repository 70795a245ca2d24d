"""Sampling peers: LIMSSE as one would write it with scikit-learn; and lime and shap, which compute something else."""

import warnings
from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.linear_model import LinearRegression, LogisticRegression
from torch import Tensor
from torch.nn import functional

from benchmarks.inner import FOLDED
from benchmarks.modules import module
from benchmarks.timing import Run
from benchmarks.workloads import Workload
from whichword.methods import Questions
from whichword.methods.limsse import substrings
from whichword.model import Batch
from whichword.sequences import Sequences
from whichword.types import Text

DRAWS = 3000
Weights = dict[str, NDArray[np.float64]]  # fit -> v, [T]


class SklearnLIMSSE:
    """3,000 forward passes of the torch module, in batches of equal length, and three fits of scikit-learn.

    Before them a forward pass of the document, which tells the class. The draws are ours, so that the fits can be
    compared.
    """

    def __init__(self, workload: Workload) -> None:
        self.network = workload.network
        self.readings = [self.network.read(Text(text, " ".join(text))) for text in workload.texts]
        lengths = {1, 2, 3, 4, 5, 6} | set(map(len, workload.texts))
        self.modules = {length: module(self.network, length) for length in lengths}

    def __call__(self) -> list[Weights]:
        return [self._explain(row) for row in range(len(self.readings))]

    def _explain(self, row: int) -> Weights:
        x = functional.embedding(torch.tensor(self.readings[row].ids), self.network.embedding)
        start, stop = self._draw(row)
        with torch.no_grad():
            k = int(self.modules[len(x)](x[None]).argmax())
            s = self._scores(x, start, stop)
        t = np.arange(len(x))
        z = ((t >= start[:, None]) & (t < stop[:, None])).astype(np.float64)
        return _fits(z, s[:, k], s.softmax(1)[:, k], s.argmax(1) == k)

    def _draw(self, row: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where the substrings start and stop, [3000] each."""
        questions = Questions(Batch.of([self.readings[row]]), torch.zeros(1, dtype=torch.long))
        design = substrings(questions, [0], DRAWS).alone(0)
        repeats = design.weight.astype(int)
        return np.repeat(design.start, repeats), np.repeat(design.stop, repeats)

    def _scores(self, x: Tensor, start: NDArray[np.int64], stop: NDArray[np.int64]) -> Tensor:
        s = torch.empty(len(start), len(self.network.classes), dtype=torch.float64)
        for size in range(1, 7):
            chosen = torch.from_numpy(np.flatnonzero(stop - start == size))
            if len(chosen):
                places = torch.from_numpy(start)[chosen, None] + torch.arange(size)
                s[chosen] = self.modules[size](x[places]).double()
        return s


def _fits(z: NDArray[np.float64], s: Tensor, p: Tensor, won: Tensor) -> Weights:
    squares = {name: LinearRegression(fit_intercept=False).fit(z, y.numpy()).coef_ for name, y in (("s", s), ("p", p))}
    if bool(won.all()) or not bool(won.any()):
        return squares  # scikit-learn refuses a single class: the peer is spared this fit
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it may stop at max_iter before it has converged
        fitted = LogisticRegression(C=1.0, fit_intercept=False).fit(z, won.numpy())
    return squares | {"bb": fitted.coef_[0]}


def _probabilities(workload: Workload) -> Callable[[list[str]], NDArray[np.float64]]:
    """Texts of our words -> p, as lime and shap ask for it; our own network runs them, folded, all in one batch."""
    network = workload.network.prepared(FOLDED)

    def probabilities(texts: list[str]) -> NDArray[np.float64]:
        ids = Sequences.of([network.vocabulary.ids(str(text).split()) for text in texts])
        return network.score(Batch(ids, ids.lengths)).double().softmax(1).numpy()

    return probabilities


def lime_peer(workload: Workload) -> Run:
    """lime's text explainer with as many samples: words deleted at random, one ridge regression."""
    from lime.lime_text import LimeTextExplainer

    explainer = LimeTextExplainer(split_expression=r"\s+", bow=False, mask_string="")
    probabilities = _probabilities(workload)

    def explain() -> object:
        return [
            explainer.explain_instance(
                " ".join(text), probabilities, top_labels=1, num_features=len(text), num_samples=DRAWS
            )
            for text in workload.texts
        ]

    return explain


def shap_peer(workload: Workload) -> Run:
    """shap's partition explainer with its default of 500 evaluations: Owen values over groups of words."""
    import shap

    masker = shap.maskers.Text(r"\s+", mask_token="unknown", collapse_mask_token=False)
    explainer = shap.Explainer(_probabilities(workload), masker)
    texts = [" ".join(text) for text in workload.texts]
    explainer(texts[:1], silent=True)  # compiles some of its own code on the first call
    return lambda: explainer(texts, silent=True)
