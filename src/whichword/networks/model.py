"""What an explainer may ask of a model."""

from typing import Protocol, runtime_checkable

from torch import Tensor

from whichword.rules import PLAIN, Rules
from whichword.sequences import Sequences


@runtime_checkable
class Model(Protocol):
    """s(k, X) from embedded words. Everything else is a capability, asked for with `supports`.

    - ``trace(x)``: memory, carry and read-out of a gated network (cell decomposition).
    - ``score_edits(x, *edits)``: s of edited copies of documents, one kind of edits after the other, [n, K].
    - ``integrate(x, k, steps, wanted)``: gradients at many points, reduced to one number a word.
    - ``relevance(x, k, rules)``: LRP or DeepLIFT, [B, T].
    - ``local``: true if ``score_edits`` costs no more than the words around an edit.
    - ``steady``: true if its differences are exact where an edit changes little.
    - ``in_double()``: the same model in double precision.

    All but the first are faster exact ways; without them the explainers go through `score`.
    """

    @property
    def classes(self) -> tuple[str, ...]: ...

    def embed(self, ids: Sequences) -> Sequences: ...

    def score(self, x: Sequences, rules: Rules = PLAIN) -> Tensor: ...


def supports(model: Model, capability: str | None) -> bool:
    """Whether the model has this optional capability (None: nothing is needed)."""
    return capability is None or getattr(model, capability, None) is not None
