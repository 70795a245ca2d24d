"""What Captum, lime and shap are asked to do on a transformer; each in the batch size that suits it best.

As ours they begin with texts: read, predicted, explained. Captum's module is a copy whose padding row is zero, so that
its baseline by ids is ours, and whose parameters are frozen, which saves it an eighth.
"""

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from captum.attr import FeatureAblation, LayerIntegratedGradients
from numpy.typing import NDArray
from torch import Tensor

from benchmarks.pretrained import PretrainedWorkload
from benchmarks.timing import Run, seconds
from whichword.model import Batch, by_word

LIME_SAMPLES, SHAP_EVALUATIONS = 500, 500


class CaptumPeer:
    """One attribution over a workload, text by text; ``batches``: rows per pass, of which the fastest is taken."""

    def __init__(self, workload: PretrainedWorkload, batches: Sequence[int]) -> None:
        self.workload = workload
        self.module: Any = copy.deepcopy(workload.model.module).requires_grad_(False)
        self.table = self.module.get_input_embeddings()
        self.padding = int(self.module.config.pad_token_id or 0)
        self.table.weight.data[self.padding] = 0.0
        self.rows = min(batches, key=self._seconds) if len(batches) > 1 else batches[0]

    def _seconds(self, rows: int) -> float:
        self.rows = rows
        return seconds(lambda: self.explain(self._batches()[0]))

    def _batches(self) -> list[Batch]:
        return [Batch.of([self.workload.model.read(text)]) for text in self.workload.texts]

    def __call__(self) -> list[Tensor]:
        """Relevances per word, [T] each."""
        return [row for batch in self._batches() for row in self.explain(batch)]

    def explain(self, batch: Batch) -> Tensor:
        raise NotImplementedError

    def logits(self, ids: Tensor, mask: Tensor) -> Tensor:
        logits: Tensor = self.module(input_ids=ids, attention_mask=mask).logits
        return logits

    def predicted(self, ids: Tensor, mask: Tensor) -> Tensor:
        with torch.no_grad():
            return self.logits(ids, mask).argmax(1)


class CaptumIntegrated(CaptumPeer):
    """LayerIntegratedGradients at the word table from zero vectors, riemann_right: the paper's sum, of s alone."""

    steps = 50

    def explain(self, batch: Batch) -> Tensor:
        ids, mask = batch.ids.filled(self.padding).data, batch.ids.mask.long()
        baseline = torch.where(batch.word_of >= 0, self.padding, ids)
        attribution = LayerIntegratedGradients(self.logits, self.table).attribute(
            ids,
            baseline,
            target=self.predicted(ids, mask),
            additional_forward_args=(mask,),
            n_steps=self.steps,
            method="riemann_right",
            internal_batch_size=max(self.rows, len(ids)),
        )
        return by_word(attribution.detach().sum(-1), batch)[0]


class CaptumPadded(CaptumIntegrated):
    """All texts side by side, the shorter ones padded; ten steps."""

    steps = 10

    def _batches(self) -> list[Batch]:
        return [self.workload.batch()]


class CaptumAblation(CaptumPeer):
    """FeatureAblation: the vectors of a word's pieces are a feature, and those of the specials another."""

    def explain(self, batch: Batch) -> Tensor:
        ids, mask = batch.ids.data, batch.ids.mask.long()
        e = self.table(ids)
        features = (batch.word_of + 1)[..., None].expand_as(e)
        attribution = FeatureAblation(self._by_vectors).attribute(
            e, target=self.predicted(ids, mask), feature_mask=features, perturbations_per_eval=self.rows
        )
        first = [int((batch.word_of[0] == t).nonzero()[0]) for t in range(batch.width)]
        return attribution[:, first, 0]

    def _by_vectors(self, e: Tensor) -> Tensor:
        logits: Tensor = self.module(inputs_embeds=e, attention_mask=e.new_ones(e.shape[:2])).logits
        return logits


def probabilities(workload: PretrainedWorkload) -> Callable[[Sequence[str]], NDArray[np.float64]]:
    """Texts -> p, padded, 16 at a time, as one writes it for lime and shap."""
    module, tokenizer = workload.model.module, workload.tokenizer

    @torch.no_grad()
    def predict(texts: Sequence[str]) -> NDArray[np.float64]:
        parts = [list(map(str, texts[i : i + 16])) for i in range(0, len(texts), 16)]
        encoded = [tokenizer(part, return_tensors="pt", padding=True, truncation=True) for part in parts]
        return torch.cat([module(**inputs).logits.double().softmax(1) for inputs in encoded]).numpy()

    return predict


def lime_peer(workload: PretrainedWorkload) -> Run:
    """lime's text explainer: words deleted at random, one ridge regression."""
    from lime.lime_text import LimeTextExplainer

    explainer, predict = LimeTextExplainer(split_expression=r"\s+", bow=False, mask_string=""), probabilities(workload)
    return lambda: [
        explainer.explain_instance(
            text.text, predict, top_labels=1, num_features=len(text.words), num_samples=LIME_SAMPLES
        )
        for text in workload.texts
    ]


def shap_peer(workload: PretrainedWorkload) -> Run:
    """shap's partition explainer with its default number of evaluations: Owen values over groups of words."""
    import shap

    masker = shap.maskers.Text(r"\s+", mask_token="[MASK]", collapse_mask_token=False)
    explainer, texts = shap.Explainer(probabilities(workload), masker), [text.text for text in workload.texts]
    explainer(["two words"], max_evals=SHAP_EVALUATIONS, silent=True)  # compiles some of its own code first
    return lambda: explainer(texts, max_evals=SHAP_EVALUATIONS, silent=True)
