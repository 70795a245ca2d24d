"""What methods are called: a title, a line in plain words and a formula for every spelling, and names of other tools.

It is a table of words, apart from the methods themselves: help texts and reports need the words and must load neither
numpy nor a method. Where a method is not in it (a plug-in), its class may say ``title``, ``line`` and ``formula``.

What the contestants are called: methods of other libraries, and of ours beside them (family "contestants").

A row apart from `method_names`, which has the words of "all" and looks here for the others.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

SWITCHED = "Words are switched off and on in copies of the text; "

# name -> title, line, formula
CONTESTANTS: Mapping[str, tuple[str, str, str]] = {
    "captum:IntegratedGradients": (
        "integrated gradients of Captum",
        "As grad_int_s_dot, with Captum's own points on the way from zero vectors to the text.",
        "e_t · Σ_m w_m ∂s_k(X·x_m)/∂e_t, x_m: Gauss-Legendre",
    ),
    "captum:DeepLift": (
        "DeepLift of Captum",
        "Captum's rules for activations that are modules; whatever is none takes its ordinary gradient.",
        "Σ_d R(e_t,d), by Captum's DeepLift rules",
    ),
    "captum:LRP": (
        "LRP of Captum",
        "Captum's rules for linear layers and activations; a layer without a rule is an error.",
        "Σ_d R(e_t,d), by Captum's LRP rules",
    ),
    "captum:FeatureAblation": (
        "feature ablation of Captum",
        f"{SWITCHED}a word is worth what the score loses without it.",
        "s_k(X) − s_k(X, t off)",
    ),
    "captum:ShapleyValueSampling": (
        "Shapley value sampling of Captum",
        f"{SWITCHED}a word is worth what it adds to the words before it, over random orders.",
        "mean over orders of s_k(before ∪ t) − s_k(before)",
    ),
    "captum:KernelShap": (
        "Kernel SHAP of Captum",
        f"{SWITCHED}Shapley values are the weights of a linear model fitted to them.",
        "v_t of argmin_v Σ_n π(z_n) (z_n·v − s_k(z_n))², π: Shapley kernel",
    ),
    "captum:Lime": (
        "LIME of Captum",
        f"{SWITCHED}a sparse linear model is fitted to them, the nearer copies weighing more.",
        "v_t of argmin_v Σ_n π(z_n) (z_n·v − s_k(z_n))² + α Σ|v_t|",
    ),
    "shap:partition": (
        "Partition explainer of shap",
        f"{SWITCHED}a word is worth what it adds within larger and larger groups of neighbours.",
        "Owen value of t on shap's tree of the words",
    ),
    "shap:permutation": (
        "Permutation explainer of shap",
        f"{SWITCHED}Shapley values by random orders of the words, forth and back.",
        "mean over orders, forth and back, of s_k(before ∪ t) − s_k(before)",
    ),
    "lime": (
        "LIME, the library",
        f"{SWITCHED}lime fits a ridge regression to them, the nearer copies weighing more.",
        "v_t of argmin_v Σ_n π(z_n) (z_n·v − p_k(z_n))² + Σ v_t²",
    ),
    "attention_last": (
        "attention of the last layer",
        "How much the piece that the classifier reads attends to the word in the last layer, mean over heads.",
        "Σ_(pieces of t) A_L[read, piece]",
    ),
    "attention_rollout": (
        "attention rollout",
        "Attention followed from layer to layer, half of each layer's weight staying where it is.",
        "Σ_(pieces of t) Π_l ½(A_l + 1) [read, piece]",
    ),
    "smoothgrad": (
        "SmoothGrad × input",
        "Gradient × input, the gradient averaged over copies of the word vectors with noise.",
        "e_t · mean_n ∂s_k(X + noise_n)/∂e_t",
    ),
    "gradient_shap": (
        "expected gradients (Gradient SHAP)",
        "Gradient × input, the gradient averaged over random points between zero vectors and the noisy text.",
        "e_t · mean_n ∂s_k(a_n (X + noise_n))/∂e_t, a_n in 0..1",
    ),
    "sentence_omit": (
        "omission of words and sentences",
        "Half of what the score loses without the word, half of its share in what is lost without its sentence.",
        "½ (D(S)/|S| + D(t)), D: what s_k loses without it",
    ),
}


BASELINES = ("random", "last")  # they explain nothing: what a method has to beat

_SPELLING = re.compile(r"(?P<name>[^\[\]]+)(\[(?P<settings>[^\[\]]*)\])?")


@dataclass(frozen=True)
class MethodWords:
    """``title``: what people call it; ``line``: what it does, in plain words; ``formula``: phi(t) in text."""

    title: str
    line: str = ""
    formula: str = ""

    @property
    def tooltip(self) -> str:
        """All of it, a line each."""
        return "\n".join(filter(None, (self.title, self.line, self.formula)))


_OUTPUTS = {"s": ("score", "s_k"), "p": ("probability", "p_k")}
_POINTS = {
    "1": ("gradient", "at the text as it is", "∂{o}/∂e_t"),
    "int": ("integrated gradient", "averaged on the way from zero vectors to the text", "1/M Σ_m ∂{o}(X·m/M)/∂e_t"),
}
_REDUCTIONS = {
    "l2": ("length of the {}", "How strongly the {o} reacts to the word's vector, in any direction, {at}.", "‖{}‖₂"),
    "dot": ("{} × input", "How much of the {o} the word's vector brings along, sign and all, {at}.", "e_t · {}"),
}
_EDITS = {
    "omit": ("omission", "is deleted, so that the text closes up", "X without {}"),
    "occ": ("occlusion", "is blanked by zero vectors, so that every other word keeps its place", "X, {} = 0"),
}


def _gradient(reduction: str, points: str, output: str) -> MethodWords:
    (what, symbol), (name, place, gradient) = _OUTPUTS[output], _POINTS[points]
    title, line, formula = _REDUCTIONS[reduction]
    named = "integrated gradients" if (reduction, points) == ("dot", "int") else title.format(name)
    return MethodWords(f"{named}, {what}", line.format(o=what, at=place), formula.format(gradient.format(o=symbol)))


def _perturbation(edit: str, n: int) -> MethodWords:
    title, done, copy = _EDITS[edit]
    if n == 1:
        line = f"How far the score falls when the word {done}."
        return MethodWords(f"{title} of one word", line, f"s_k(X) − s_k({copy.format('t')})")
    line = f"How far the score falls when a window of {n} words {done}: the mean over the {n} windows with the word."
    return MethodWords(f"{title} of {n} words", line, f"1/{n} Σ_(W∋t) [s_k(X) − s_k({copy.format('W')})]")


def _limsse(target: str, line: str, loss: str) -> MethodWords:
    start = "Short substrings of the text are scored; a linear model with a weight per word is fitted to"
    return MethodWords(f"LIMSSE, {target}", f"{start} {line}.", f"v_t of argmin_v {loss}")


METHOD_WORDS: Mapping[str, MethodWords] = {
    **{f"grad_{at}_{of}_{by}": _gradient(by, at, of) for by, at, of in product(_REDUCTIONS, _POINTS, _OUTPUTS)},
    **{f"{edit}_{n}": _perturbation(edit, n) for edit in _EDITS for n in (1, 3, 7)},
    "decomp": MethodWords(
        "cell decomposition",
        "What the word adds to the memory of a gated network, as far as later gates let it survive to the end.",
        "nl(t) − nl(t−1); nl: the score of the memory at t that survives",
    ),
    "lrp": MethodWords(
        "layer-wise relevance propagation (LRP)",
        "The score is handed back layer by layer, to each neuron in proportion to what it contributed.",
        "Σ_d R(e_t,d); R(i) = Σ_j R(j) a_i w_ij / (a_j + ε sign a_j)",
    ),
    "deeplift": MethodWords(
        "DeepLIFT",
        "As LRP, but what is handed back is the difference to a text of zero vectors.",
        "Σ_d R(e_t,d), from R = s_k(X) − s_k(0)",
    ),
    "limsse_bb": _limsse(
        "black box", "whether the class wins, by logistic loss: it needs labels alone", "Σ_n log-loss"
    ),
    "limsse_ms_s": _limsse("score", "the class's score, by least squares", "Σ_n (z_n·v − s_k(Z_n))²"),
    "limsse_ms_p": _limsse("probability", "the class's probability, by least squares", "Σ_n (z_n·v − p_k(Z_n))²"),
    "random": MethodWords("a random word", "A baseline: every word is as likely as any other.", "uniform on 0..1"),
    "last": MethodWords("the last word", "A baseline: always the last word of the text.", "1 if t = T, else 0"),
}

CONTESTANT_WORDS: Mapping[str, MethodWords] = {name: MethodWords(*words) for name, words in CONTESTANTS.items()}

_SETTINGS = {
    "steps": "{} steps",
    "samples": "{} samples",
    "eps": "ε = {}",
    "edges": "edges: {}",
    "attention": "attention: {}",
    "readout": "readout: {}",
}

# as other tools and papers call them, in any case, with anything or nothing between the words
FAMILIAR = {
    "grad_1_s_l2": ("saliency", "gradient", "vanilla gradient", "gradient norm"),
    "grad_1_s_dot": ("input x gradient", "gradient x input", "grad x input", "grad input"),
    "grad_int_s_dot": ("integrated gradients", "integrated gradient", "ig"),
    "omit_1": ("leave one out", "loo", "omission", "omit", "erasure"),
    "occ_1": ("occlusion", "occ", "feature ablation", "masking"),
    "decomp": ("decomposition", "cell decomposition"),
    "lrp": ("epsilon lrp", "lrp epsilon", "layerwise relevance propagation"),
    "deeplift": ("deep lift",),
    "limsse_ms_p": ("limsse",),
}
ALIASES: Mapping[str, str] = {"".join(alias.split()): name for name, aliases in FAMILIAR.items() for alias in aliases}


def alias_of(name: str) -> str | None:
    """The method that other tools call ``name`` (IntegratedGradients, integrated-gradients); None: no such alias."""
    return ALIASES.get(re.sub(r"[-_ ]", "", name).lower())


def alias_note(spelling: str, label: str) -> str:
    """``integrated_gradients is grad_int_s_dot here: integrated gradients, score``."""
    return f"{spelling} is {label} here: {words_of(label).title}"


def words_of(label: str, method: object = None) -> MethodWords:
    """Title, line and formula of a spelling; a ``method`` that is not of the table speaks for itself."""
    match = _SPELLING.fullmatch(label)
    name, settings = (match["name"], match["settings"]) if match else (label, None)
    words = METHOD_WORDS.get(name) or CONTESTANT_WORDS.get(name) or _of_any_size(name) or _by_itself(name, method)
    remarks = ", ".join(_settings(settings or ""))
    return replace(words, title=f"{words.title} ({remarks})") if remarks else words


def _of_any_size(name: str) -> MethodWords | None:
    edit, _, n = name.partition("_")
    return _perturbation(edit, int(n)) if edit in _EDITS and n.isascii() and n.isdigit() else None


def _by_itself(name: str, method: object) -> MethodWords:
    first_line = "" if method is None else (type(method).__doc__ or "").strip().partition("\n")[0]
    say = {part: getattr(method, part, "") for part in ("title", "line", "formula")}
    return MethodWords(say["title"] or name, say["line"] or first_line, say["formula"])


def _settings(settings: str) -> Iterator[str]:
    for part in filter(None, settings.split(",")):
        name, _, value = part.partition("=")
        yield _SETTINGS.get(name, f"{name} = {{}}").format(value)
