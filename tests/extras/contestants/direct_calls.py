"""Direct calls of other libraries, as their users write them: nothing of whichword is in them."""

from collections.abc import Callable
from typing import Any

import captum.attr
import numpy as np
import shap
import torch
from lime.lime_text import LimeTextExplainer
from torch import Tensor, nn

Forward = Callable[[Tensor], Tensor]  # vectors [n, P, E] -> s [n, K]


class Behind(nn.Module):
    """What stands behind the word table of a module, with the module's own layers."""

    def __init__(self, module: nn.Module, rest: Callable[[nn.Module, Tensor], Tensor]) -> None:
        super().__init__()
        self.parts = nn.ModuleList(part for part in module.children() if not isinstance(part, nn.Embedding))
        self._module, self._rest = (module,), rest

    def forward(self, e: Tensor) -> Tensor:
        return self._rest(self._module[0], e)


def integrated_gradients(forward: nn.Module, e: Tensor, baseline: Tensor, k: int, seed: int) -> Tensor:
    return captum.attr.IntegratedGradients(forward).attribute(e, baselines=baseline, target=k)


def deep_lift(forward: nn.Module, e: Tensor, baseline: Tensor, k: int, seed: int) -> Tensor:
    return captum.attr.DeepLift(forward).attribute(e, baselines=baseline, target=k)


def lrp(forward: nn.Module, e: Tensor, baseline: Tensor, k: int, seed: int) -> Tensor:
    return captum.attr.LRP(forward).attribute(e, target=k)


BY_VECTORS: dict[str, Any] = {
    "captum:IntegratedGradients": integrated_gradients,
    "captum:DeepLift": deep_lift,
    "captum:LRP": lrp,
}


def switched(forward: Forward, e: Tensor, baseline: Tensor, word: Tensor, k: int) -> Callable[[Tensor], Tensor]:
    """s_k as a function of switches z [n, T]; ``word`` [P]: the word of each piece, -1 outside the text."""

    def score(z: Tensor) -> Tensor:
        on = torch.cat([z, torch.ones(len(z), 1, dtype=z.dtype)], 1)[:, word] > 0.5
        with torch.no_grad():
            return forward(torch.where(on[..., None], e, baseline))[:, k]

    return score


def by_captum(name: str) -> Callable[[Callable[[Tensor], Tensor], int, int], Tensor]:
    def call(score: Callable[[Tensor], Tensor], words: int, seed: int) -> Tensor:
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            return getattr(captum.attr, name)(score).attribute(torch.ones(1, words, dtype=torch.float64))

    return call


def numbers(score: Callable[[Tensor], Tensor]) -> Callable[[Any], Any]:
    return lambda z: score(torch.as_tensor(np.asarray(z), dtype=torch.float64)).numpy()


def by_permutation(score: Callable[[Tensor], Tensor], words: int, seed: int) -> Any:
    masker = shap.maskers.Independent(np.zeros((1, words)))
    explainer = shap.explainers.Permutation(numbers(score), masker, seed=seed)
    return explainer(np.ones((1, words)), max_evals=max(500, 2 * words + 1), silent=True).values


def by_partition(score: Callable[[Tensor], Tensor], text: list[str]) -> Any:
    """With the tree that shap's own text masker makes of the words."""
    tree = shap.maskers.Text(r"\s+").clustering(" ".join(text))
    masker = shap.maskers.Partition(np.zeros((1, len(text))), clustering=tree)
    explainer = shap.explainers.Partition(numbers(score), masker)
    return explainer(np.ones((1, len(text))), max_evals=500, silent=True).values[0]


def by_lime(score: Callable[[Tensor], Tensor], words: int, seed: int) -> Any:
    """On texts: a word that is off is another word."""

    def classify(texts: list[str]) -> Any:
        z = torch.tensor([[float(part != "off") for part in text.split()] for text in texts], dtype=torch.float64)
        s = score(z)[:, None].numpy()
        return np.concatenate([s, -s], 1)

    explainer = LimeTextExplainer(bow=False, mask_string="off", split_expression=r"\s+", random_state=seed)
    text = " ".join(f"w{t}" for t in range(words))
    weights = dict(explainer.explain_instance(text, classify, (0,), num_features=words, num_samples=300).as_map()[0])
    return np.array([weights[t] for t in range(words)])


BY_SWITCHES: dict[str, Any] = {
    "captum:FeatureAblation": by_captum("FeatureAblation"),
    "captum:ShapleyValueSampling": by_captum("ShapleyValueSampling"),
    "captum:KernelShap": by_captum("KernelShap"),
    "captum:Lime": by_captum("Lime"),
    "shap:permutation": by_permutation,
    "lime[output=s,samples=300]": by_lime,
}
