"""A model, texts for it, and the own methods that it is examined with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from whichword.model import Model
from whichword.types import Document, Text

ASKED, STORED, FEW = 24, 96, 16  # texts
OURS = ("all", "smoothgrad", "gradient_shap", "sentence_omit")
WITH_ATTENTION = (*OURS, "lrp[attention=attnlrp]", "attention_last", "attention_rollout")
GRADIENTS = ("grad_1_s_dot", "grad_1_s_l2", "grad_1_p_dot", "grad_int_s_dot")
QUICK = (
    *GRADIENTS,
    "omit_1",
    "occ_1",
    "lrp",
    "lrp[attention=attnlrp]",
    "deeplift",
    "omit_3",
    "limsse_ms_s",
    "attention_last",
    "attention_rollout",
)


@dataclass(frozen=True)
class Subject:
    """``methods`` are all that are examined; to be moved as well, a transformer has a few that stand for them."""

    model: Callable[[], Model]
    texts: Callable[[int], Sequence[Text | Document]]  # so many at most
    methods: tuple[str, ...]

    @property
    def moved(self) -> tuple[str, ...]:
        return QUICK if self.methods == WITH_ATTENTION else self.methods
