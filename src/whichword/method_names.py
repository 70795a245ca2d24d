"""What methods are called: title, a line in plain words, formula and LaTeX for every spelling, and other tools' names.

It stands apart from the methods themselves, because help texts and reports need the words and must load neither
numpy nor a method. What is not ours enters its words here too (entry points ``whichword.words``), so that reports have
them; without that a method's class may say ``title``, ``line`` and ``formula``.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from whichword.registry import Registry

BASELINES = ("random", "last")  # what a method has to beat: they explain nothing

_SPELLING = re.compile(r"(?P<name>[^\[\]]+)(\[(?P<settings>[^\[\]]*)\])?")


@dataclass(frozen=True)
class MethodWords:
    """The words on a method. ``title``: its name; ``line``: what it does, in plain words; ``formula``: phi(t) in text.

    ``latex``: the name as a paper sets it.
    """

    title: str
    line: str = ""
    formula: str = ""
    latex: str = ""

    @property
    def tooltip(self) -> str:
        """Title, line and formula, a line each."""
        return "\n".join(filter(None, (self.title, self.line, self.formula)))


WORDS: Registry[MethodWords] = Registry("method", "whichword.words")

_OUTPUTS = {"s": ("score", "s_k"), "p": ("probability", "p_k")}
_POINTS = {
    "1": ("gradient", "at the text as it is", "∂{o}/∂e_t"),
    "int": ("integrated gradient", "averaged on the way from zero vectors to the text", "1/M Σ_m ∂{o}(X·m/M)/∂e_t"),
}
_REDUCTIONS = {
    "l2": ("length of the {}", "How strongly the {o} reacts to the word's vector, in any direction, {at}.", "‖{}‖₂"),
    "dot": ("{} × input", "How much of the {o} the word's vector brings along, sign and all, {at}.", "e_t · {}"),
}
_SIGNS = {"1": "1", "int": r"\int"}
_EDITS = {
    "omit": ("omission", "is deleted, so that the text closes up", "X without {}"),
    "occ": ("occlusion", "is blanked by zero vectors, so that every other word keeps its place", "X, {} = 0"),
}


def _gradient(reduction: str, points: str, output: str) -> MethodWords:
    (what, symbol), (name, place, gradient) = _OUTPUTS[output], _POINTS[points]
    title, line, formula = _REDUCTIONS[reduction]
    named = "integrated gradients" if (reduction, points) == ("dot", "int") else title.format(name)  # its usual name
    kind = {"l2": "L2", "dot": "dot"}[reduction]
    return MethodWords(
        f"{named}, {what}",
        line.format(o=what, at=place),
        formula.format(gradient.format(o=symbol)),
        rf"$\mathrm{{grad}}^\mathrm{{{kind}}}_{{{_SIGNS[points]} {output}}}$",
    )


def _perturbation(edit: str, n: int) -> MethodWords:
    title, done, copy = _EDITS[edit]
    if n == 1:
        line = f"How far the score falls when the word {done}."
        return MethodWords(f"{title} of one word", line, f"s_k(X) − s_k({copy.format('t')})")
    line = f"How far the score falls when a window of {n} words {done}: the mean over the {n} windows with the word."
    return MethodWords(f"{title} of {n} words", line, f"1/{n} Σ_(W∋t) [s_k(X) − s_k({copy.format('W')})]")


def _limsse(target: str, line: str, loss: str, latex: str) -> MethodWords:
    start = "Short substrings of the text are scored; a linear model with a weight per word is fitted to"
    return MethodWords(
        f"LIMSSE, {target}", f"{start} {line}.", f"v_t of argmin_v {loss}", rf"$\mathrm{{limsse}}^\mathrm{{{latex}$"
    )


def _upright(name: str) -> str:
    return rf"$\mathrm{{{name}}}$"


METHOD_WORDS: Mapping[str, MethodWords] = {
    **{f"grad_{at}_{of}_{by}": _gradient(by, at, of) for by, at, of in product(_REDUCTIONS, _POINTS, _OUTPUTS)},
    **{
        f"{edit}_{n}": replace(_perturbation(edit, n), latex=rf"{_upright(edit)[:-1]}_{n}$")
        for edit in _EDITS
        for n in (1, 3, 7)
    },
    "decomp": MethodWords(
        "cell decomposition",
        "What the word adds to the memory of a gated network, as far as later gates let it survive to the end.",
        "nl(t) − nl(t−1); nl: the score of the memory at t that survives",
        _upright("decomp"),
    ),
    "lrp": MethodWords(
        "layer-wise relevance propagation (LRP)",
        "The score is handed back layer by layer, to each neuron in proportion to what it contributed.",
        "Σ_d R(e_t,d); R(i) = Σ_j R(j) a_i w_ij / (a_j + ε sign a_j)",
        _upright("lrp"),
    ),
    "deeplift": MethodWords(
        "DeepLIFT",
        "As LRP, but what is handed back is the difference to a text of zero vectors.",
        "Σ_d R(e_t,d), from R = s_k(X) − s_k(0)",
        _upright("deeplift"),
    ),
    "limsse_bb": _limsse(
        "black box", "whether the class wins, by logistic loss: it needs labels alone", "Σ_n log-loss", "bb}"
    ),
    "limsse_ms_s": _limsse("score", "the class's score, by least squares", "Σ_n (z_n·v − s_k(Z_n))²", "ms}_s"),
    "limsse_ms_p": _limsse(
        "probability", "the class's probability, by least squares", "Σ_n (z_n·v − p_k(Z_n))²", "ms}_p"
    ),
    "random": MethodWords(
        "a random word", "A baseline: every word is as likely as any other.", "uniform on 0..1", _upright("random")
    ),
    "last": MethodWords(
        "the last word", "A baseline: always the last word of the text.", "1 if t = T, else 0", _upright("last")
    ),
}

for _name, _words in METHOD_WORDS.items():
    WORDS.register(_name, _words)
for _edit in _EDITS:
    WORDS.pattern(f"{_edit}_([0-9]+)", lambda n, edit=_edit: _perturbation(edit, int(n)))  # bound now: _edit goes on

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
    """Find the method that other tools call ``name`` (IntegratedGradients, integrated-gradients); None: no alias."""
    return ALIASES.get(re.sub(r"[-_ ]", "", name).lower())


def alias_note(spelling: str, label: str) -> str:
    """Say ``integrated_gradients is grad_int_s_dot here: integrated gradients, score``."""
    return f"{spelling} is {label} here: {words_of(label).title}"


def words_of(label: str, method: object = None) -> MethodWords:
    """Find the words for a spelling; a ``method`` that is not in the table brings its own."""
    match = _SPELLING.fullmatch(label)
    name, settings = (match["name"], match["settings"]) if match else (label, None)
    words = WORDS[name] if name in WORDS else _by_itself(name, method)
    remarks = ", ".join(_settings(settings or ""))
    return replace(words, title=f"{words.title} ({remarks})") if remarks else words


def latex_of(name: str) -> str:
    """Typeset the name as a paper does; "" for one that no paper has, or with settings."""
    return WORDS[name].latex if "[" not in name and name in WORDS else ""


def _by_itself(name: str, method: object) -> MethodWords:
    first_line = "" if method is None else (type(method).__doc__ or "").strip().partition("\n")[0]
    say = {part: getattr(method, part, "") for part in ("title", "line", "formula")}
    return MethodWords(say["title"] or name, say["line"] or first_line, say["formula"])


def _settings(settings: str) -> Iterator[str]:
    for part in filter(None, settings.split(",")):
        name, _, value = part.partition("=")
        yield _SETTINGS.get(name, f"{name} = {{}}").format(value)
