"""Heat-map rows like the paper's figures, from any run: LaTeX, SVG, PNG."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from whichword.base.runtime import install_command
from whichword.errors import InputError
from whichword.explanation import first_maximum
from whichword.games import recalled
from whichword.registry import Registry
from whichword.render import escape, latex
from whichword.render.heatmap import PAPER, Palette, WordCell, heatmap
from whichword.reporting.figures_svg import stacked as stacked_svg
from whichword.runs.plan import Pairing
from whichword.runs.run import Run, StoredRelevance
from whichword.types import Item


@dataclass(frozen=True)
class Figure:
    """One document under one model: a heat map per method, and what the figure is of."""

    document: str
    model: str
    predicted: str
    part: str
    rows: Mapping[str, Sequence[WordCell]]

    @property
    def title(self) -> str:
        return f"document {self.document}, {self.model} predicts {self.predicted}"


Drawing = Callable[[Figure, Palette], str | bytes]
DRAWINGS: Registry[Drawing] = Registry("figure format", "whichword.figures")


def figure(
    run: Run, document: str, methods: Sequence[str] = (), model: str | None = None, part: str | None = None
) -> Figure:
    """The figure of a document, by its key or the beginning of it; no method named: all. ``part`` is underlined."""
    pairing, item = _find(run, document, model)
    prediction, played = run.predictions(pairing.id).get(item.key), run.plan.set(pairing.set)
    if prediction is None:
        raise InputError(f"document {item.key} failed: {pairing.model} gave no answer")
    counted = part or played.parts[0]
    if counted not in played.parts:
        raise InputError(f"the game has no part {counted!r}; it has: {', '.join(played.parts)}")
    marks = recalled(played.game).rewarded(item, prediction.predicted).get(counted) or frozenset()
    vectors = {name: row.values for name, row in _relevances(run, pairing, item, methods).items()}
    rows = {
        name: heatmap(
            item.words,
            phi,
            marks & frozenset(range(len(item.words))[: prediction.seen]),
            first_maximum(phi[: prediction.seen]),
            prediction.unknown,
            item.text,
        )
        for name, phi in vectors.items()
    }
    return Figure(item.key, pairing.model, prediction.predicted, counted, rows)


def _find(run: Run, document: str, model: str | None) -> tuple[Pairing, Item]:
    """The first pairing that has the document, among those of the model if one is named."""
    labels = [subject.label for subject in run.plan.models]
    if model is not None and model not in labels:
        raise InputError(f"the run has no model {model!r}; it has: {', '.join(labels)}")
    pairings = [pairing for pairing in reversed(run.plan.pairings) if model in (None, pairing.model)]
    pairs = ((pairing, item) for pairing in pairings for item in run.items(pairing.set))
    near = {item.key: (pairing, item) for pairing, item in pairs if _is(item, document)}
    exact = near.get(document)
    if exact is None and len(near) != 1:
        problem = f"{len(near)} documents have keys that begin with" if near else "no document has the key"
        raise InputError(f"{run.folder}: {problem} {document!r}; the report shows every document's key")
    return exact or next(iter(near.values()))


def _is(item: Item, document: str) -> bool:
    return bool(document) and item.key.startswith(document)


def _relevances(run: Run, pairing: Pairing, item: Item, methods: Sequence[str]) -> dict[str, StoredRelevance]:
    names = list(methods) or list(pairing.labels)
    if unknown := [name for name in names if name not in pairing.labels]:
        raise InputError(f"{unknown[0]!r} is no method of this model's run; it has: {', '.join(pairing.labels)}")
    by_method = {row.method: row for row in run.relevances(pairing.id) if row.key == item.key}
    return {name: by_method[name] for name in names}


# ---------------------------------------------------------------------------------------------------------------------


@DRAWINGS.register("latex")
def to_latex(figure: Figure, palette: Palette = PAPER) -> str:
    """A tabular, and as comments what it is of and what its preamble needs."""
    needs = "".join(f"% needs {line}\n" for line in latex.PREAMBLE.splitlines())
    about = escape.terminal(figure.title).replace("\n", " ")
    return f"% {about}\n{needs}{latex.stacked(figure.rows, palette)}"


@DRAWINGS.register("svg")
def to_svg(figure: Figure, palette: Palette = PAPER) -> str:
    return stacked_svg(figure.rows, figure.title, palette)


@DRAWINGS.register("png")
def to_png(figure: Figure, palette: Palette = PAPER) -> bytes:
    """The SVG, drawn at twice its size."""
    try:
        import resvg_py
    except ImportError:
        raise InputError(f"PNG needs a renderer: {install_command('figures')}, or take --format svg") from None
    drawn: bytes = bytes(resvg_py.svg_to_bytes(svg_string=to_svg(figure, palette), zoom=2, background="#ffffff"))
    return drawn
