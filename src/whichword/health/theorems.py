"""When two methods have to be the same: not everything that is equal is broken."""

import re
from collections.abc import Callable, Collection

from whichword.method_names import BASELINES

GRADIENT, INTEGRAL = "grad_1_s_dot", "grad_int_s_dot"

# what is the same thing under another name
BY_DEFINITION = {
    "captum:FeatureAblation": {"occ_1", "omit_1"},
    "captum:IntegratedGradients": {INTEGRAL},
    "sentence_omit": {"omit_1"},  # texts of one sentence, where the model cannot read an empty text
}
# whose rules a method says to have: where ours have the same effect, it is as it should be
COUNTERPARTS = {"captum:DeepLift": "deeplift", "captum:LRP": "lrp"}
_OURS = re.compile(r"(grad_(1|int)_[sp]_(l2|dot)|(omit|occ)_\d+|decomp|lrp|deeplift|limsse_\w+)(\[.*\])?")

# asks for nothing but the class: where every part of a text has the same, nothing tells its words apart
BY_CLASS = "limsse_bb"
RULES = {"lrp", "deeplift", "decomp"}  # whose rules would be dead if they came to input x gradient

Same = Callable[[str, str], bool]


def is_ours(name: str) -> bool:
    return _OURS.fullmatch(name) is not None


def may_coincide(later: str, earlier: str) -> bool:
    """Whether two methods are ours and may be one on some model: then it is the model that does not tell them apart.

    With two classes of opposite scores the gradient of p_k is 2 p_k (1 - p_k) times that of s_k; without biases zeros
    give zeros, so that DeepLIFT's differences from the reference are LRP's values; where words add up, omission,
    occlusion and LIMSSE are one; settings may make no difference. But rules must do something.
    """
    ours = is_ours(later) and is_ours(earlier)
    return ours and not (later.partition("[")[0] in RULES and earlier.partition("[")[0] == GRADIENT)


def is_blamed(later: str, earlier: str, names: Collection[str], same: Same, nearly: Same) -> bool:
    """Whether ``later`` is to blame for being the same as ``earlier``.

    Not by definition or by a theorem; not on a linear model, where the gradient is the same everywhere and most methods
    are one; not where our own rules come to the same. Where nobody can tell, our own methods are not blamed.
    """
    base = later.partition("[")[0]
    if earlier in BY_DEFINITION.get(base, ()) or base in BASELINES or earlier in BASELINES:
        return False
    if may_coincide(later, earlier):
        return False
    counterpart = COUNTERPARTS.get(base)
    if counterpart in names and nearly(str(counterpart), earlier):
        return False
    if {GRADIENT, INTEGRAL} <= set(names):
        return not same(GRADIENT, INTEGRAL)
    return not is_ours(later)
