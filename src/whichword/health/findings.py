"""What an examination found out about one method, and what of it is a complaint.

Not everything that is equal is broken: some methods have to be the same.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from whichword.health.shifts import NO_SHIFT, Shift
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
    are one; not where our own rules come to the same. Where that cannot be told, our own methods are not blamed.
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


EXCESS = 0.5  # share of |phi| on the edges beyond what an even spread, or the other methods, have there
OUTSIDE = 0.5  # share of |phi| on pieces outside the text
GAP = 0.25  # of the sum of |phi|: what a method that shares a difference out may miss of it
OVERLAP = 0.5  # of the most relevant words: what two seeds have in common
ENOUGH = 3  # documents before position alone can be what a method goes by
TWIN_WORDS = "the same heat maps as"


@dataclass(frozen=True)
class Health:
    """Counts are documents; shares are means over documents, None where there is none.

    ``edges`` is the share of |phi| on the first and the last word, ``if_even`` the mean of 2/T, ``if_usual`` the median
    of the other methods' edges. ``shift`` and ``fits``, correlations a word to the left, in place and a word to the
    right, are told by the other methods' heat maps. ``linear``: the gradient is the same everywhere, so that methods
    are one. ``same_as`` are methods with the same heat maps, up to a factor, for every document; ``blamed_for``
    those of them that are no theorem. ``gap``, ``outside``, ``overlap`` are known only where a model was asked.
    """

    method: str
    documents: int
    nonfinite: int = 0  # some relevance is not finite
    constant: int = 0  # two words or more, all with the same relevance
    crashed: int = 0
    crash: str = ""  # the first one
    undefined: int = 0  # the method said that it has no relevances here: no fault
    why_undefined: str = ""  # the first reason
    edges: float | None = None
    if_even: float | None = None
    if_usual: float | None = None
    same_as: tuple[str, ...] = ()
    blamed_for: tuple[str, ...] = ()
    by_position: int = 0  # pairs of documents, all of which have the same relevances word by word
    shift: Shift = NO_SHIFT
    fits: tuple[float, ...] = ()
    linear: bool = False
    unread: int = 0  # relevance on words that the model never read
    gap: float | None = None  # |what the words miss of the difference that they share| / sum |phi|
    outside: float | None = None  # share of |phi| on special pieces
    overlap: float | None = None  # of the most relevant words by two seeds

    @property
    def complaints(self) -> tuple[str, ...]:
        """What is wrong, in words; empty for a healthy method."""
        return tuple(line for check in CHECKS.values() for line in check(self))

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is no fault, and to be known: that the method says why it has nothing to say."""
        documents = f"{self.undefined} of {self.documents} documents"
        return (f"no relevances for {documents}: {self.why_undefined}",) if self.undefined else ()

    def to_dict(self) -> dict[str, Any]:
        """Return all of it in JSON's own types."""
        return asdict(self) | {
            name: list(getattr(self, name)) for name in ("same_as", "blamed_for", "fits", "complaints")
        }


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _finite(health: Health) -> Iterator[str]:
    if health.crashed:
        yield f"crashed on {health.crashed} of {health.documents} documents: {health.crash}"
    unexplained = health.nonfinite - health.crashed - health.undefined
    if unexplained > 0:
        yield f"not finite in {unexplained} of {health.documents} documents"


def _constant(health: Health) -> Iterator[str]:
    one_gradient = health.linear and is_ours(health.method)  # norms of one gradient are one number
    if health.constant and not one_gradient and health.method.partition("[")[0] != BY_CLASS:
        yield f"every word the same in {health.constant} of {health.documents} documents"


def _position(health: Health) -> Iterator[str]:
    if health.by_position >= ENOUGH - 1 and health.constant < health.documents:
        yield "the same relevances whatever the words are: it ignores its input"


def _same(health: Health) -> Iterator[str]:
    if health.blamed_for:
        rule = "; its rules are dead: it equals input x gradient" if "grad_1_s_dot" in health.blamed_for else ""
        yield f"{TWIN_WORDS} {', '.join(health.blamed_for)}{rule}"


def _edges(health: Health) -> Iterator[str]:
    if health.edges is None or health.if_even is None:
        return
    usual = health.if_even if health.if_usual is None else max(health.if_even, health.if_usual)
    if health.edges > usual + EXCESS:
        share = f"{percent(health.edges)} of the relevance on the first and last word"
        compared = "" if health.if_usual is None else f", other methods: {percent(health.if_usual)}"
        yield f"{share} (evenly spread: {percent(health.if_even)}{compared})"


def _shifted(health: Health) -> Iterator[str]:
    shift = health.shift
    if shift.by:
        side = "right" if shift.by > 0 else "left"
        fits = f"correlation {shift.fit:.2f} there, {shift.in_place:.2f} in place, {shift.documents} documents"
        yield f"shifted one word to the {side} of where the other methods point ({fits})"


def _unread(health: Health) -> Iterator[str]:
    if health.unread:
        yield f"relevance on words that the model never read in {health.unread} of {health.documents} documents"


def _gap(health: Health) -> Iterator[str]:
    if health.gap is not None and health.gap > GAP:
        yield f"does not add up: {percent(health.gap)} of the relevance is missing or too much"


def _outside(health: Health) -> Iterator[str]:
    if health.outside is not None and health.outside > OUTSIDE:
        yield f"{percent(health.outside)} of the relevance on special pieces, which are no words"


def _overlap(health: Health) -> Iterator[str]:
    if health.overlap is not None and health.overlap < OVERLAP:
        yield f"another seed, other words: only {percent(health.overlap)} of the most relevant ones are the same"


CHECKS: Mapping[str, Callable[[Health], Iterator[str]]] = {
    "finite": _finite,
    "constant": _constant,
    "position": _position,
    "same": _same,
    "edges": _edges,
    "shifted": _shifted,
    "unread": _unread,
    "gap": _gap,
    "outside": _outside,
    "overlap": _overlap,
}
