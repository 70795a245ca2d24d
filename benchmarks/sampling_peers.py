"""Sampling peers: LIMSSE as one would write it with scikit-learn; and lime and shap, which compute something else."""

import warnings
from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.linear_model import LinearRegression, LogisticRegression
from torch import Tensor, nn

from benchmarks.modules import module
from benchmarks.workloads import Workload
from whichword.methods.limsse import substrings
from whichword.sequences import Sequences

DRAWS = 3000


class SklearnLIMSSE:
    """3,000 forward passes of the torch module, in batches of equal length, and three fits of scikit-learn."""

    def __init__(self, workload: Workload, documents: int) -> None:
        self.workload, self.documents = workload, documents
        self.peer = module(workload.network, 1)

    def __call__(self) -> list[dict[str, NDArray[np.float64]]]:
        return [self._explain(row) for row in range(self.documents)]

    def _explain(self, row: int) -> dict[str, NDArray[np.float64]]:
        questions = self.workload.questions
        x = self.workload.network.embed(questions.ids.pick(torch.tensor([row]))).data[0]
        design = substrings(questions, row, DRAWS)
        repeats = design.weight.astype(int)
        start, stop = np.repeat(design.start, repeats), np.repeat(design.stop, repeats)
        s = self._scores(x, start, stop)
        k, t = int(questions.targets[row]), np.arange(len(x))
        z = ((t >= start[:, None]) & (t < stop[:, None])).astype(np.float64)
        return _fits(z, s[:, k], s.softmax(1)[:, k], s.argmax(1) == k)

    def _scores(self, x: Tensor, start: NDArray[np.int64], stop: NDArray[np.int64]) -> Tensor:
        s = torch.empty(len(start), len(self.workload.network.classes), dtype=torch.float64)
        with torch.no_grad():
            for size in range(1, 7):
                chosen = torch.from_numpy(np.flatnonzero(stop - start == size))
                if len(chosen):
                    places = torch.from_numpy(start)[chosen, None] + torch.arange(size)
                    s[chosen] = self._module(size)(x[places]).double()
        return s

    def _module(self, size: int) -> nn.Module:
        """The CNN's pooling depends on the length."""
        if self.workload.network.config.kind == "cnn":
            return module(self.workload.network, size)
        return self.peer


def _fits(z: NDArray[np.float64], s: Tensor, p: Tensor, won: Tensor) -> dict[str, NDArray[np.float64]]:
    squares = {name: LinearRegression(fit_intercept=False).fit(z, y.numpy()).coef_ for name, y in (("s", s), ("p", p))}
    if bool(won.all()) or not bool(won.any()):
        return squares  # scikit-learn refuses a single class: the peer is spared this fit
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it may stop at max_iter before it has converged
        fitted = LogisticRegression(C=1.0, fit_intercept=False).fit(z, won.numpy())
    return squares | {"bb": fitted.coef_[0]}


def _probabilities(workload: Workload) -> Callable[[list[str]], NDArray[np.float64]]:
    """Texts of our words -> p, as lime and shap ask for it; our own network runs them, all lengths in one batch."""
    network = workload.network

    def probabilities(texts: list[str]) -> NDArray[np.float64]:
        ids = Sequences.of([network.vocabulary.ids(str(text).split()) for text in texts])
        with torch.no_grad():
            return network.score(network.embed(ids)).double().softmax(1).numpy()

    return probabilities


def _text(workload: Workload, row: int) -> str:
    length = int(workload.questions.ids.lengths[row])
    return " ".join(f"w{n}" for n in workload.questions.ids.data[row, :length].tolist())


def lime_peer(workload: Workload, documents: int) -> Callable[[], object]:
    """lime's text explainer with as many samples: words deleted at random, one ridge regression."""
    from lime.lime_text import LimeTextExplainer

    explainer = LimeTextExplainer(split_expression=r"\s+", bow=False, mask_string="")
    ask, targets = _probabilities(workload), workload.questions.targets.tolist()
    texts = [_text(workload, row) for row in range(documents)]

    def explain() -> object:
        return [
            explainer.explain_instance(text, ask, labels=(k,), num_features=len(text.split()), num_samples=DRAWS)
            for text, k in zip(texts, targets, strict=False)
        ]

    return explain


def shap_peer(workload: Workload, documents: int) -> Callable[[], object]:
    """shap's partition explainer with its default of 500 evaluations: Owen values over groups of words."""
    import shap

    masker = shap.maskers.Text(r"\s+", mask_token="unknown", collapse_mask_token=False)
    explainer = shap.Explainer(_probabilities(workload), masker)
    texts = [_text(workload, row) for row in range(documents)]
    explainer(texts[:1], silent=True)  # compiles some of its own code on the first call
    return lambda: explainer(texts, silent=True)
