"""An explanation for somewhere else: the same renderer as everywhere."""

from collections.abc import Callable, Mapping

from whichword.explanation import Explanation
from whichword.render import escape, html, latex
from whichword.render.palette import PALETTES


def _html(explanation: Explanation, palette: str) -> str:
    rows = {name: explanation.cells(name) for name in explanation.relevance}
    claim = f"<p>{_claim(explanation, escape.html, '<b>', '</b>')}</p>"
    return claim + html.stacked(rows, PALETTES[palette], explanation.notes)


def _json(explanation: Explanation, palette: str) -> str:
    return explanation.to_json()


def _latex(explanation: Explanation, palette: str) -> str:
    rows = {name: explanation.cells(name) for name in explanation.relevance}
    needs = "".join(f"% {line}\n" for line in latex.PREAMBLE.splitlines())
    claim = _claim(explanation, escape.latex, r"\textbf{", "}")
    return f"{needs}{claim}\n\n{latex.stacked(rows, PALETTES[palette])}"


def _claim(explanation: Explanation, quoted: Callable[[str], str], begin: str, end: str) -> str:
    predicted, target = (f"{begin}{quoted(name)}{end}" for name in (explanation.predicted, explanation.target))
    return f"predicted {predicted} ({explanation.probabilities[explanation.predicted]:.2f}), explained {target}"


FORMS: Mapping[str, Callable[[Explanation, str], str]] = {"html": _html, "json": _json, "latex": _latex}
