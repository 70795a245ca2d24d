"""The page, its program and its stylesheet: the report's, and what the app adds."""

from dataclasses import dataclass
from typing import Any

from whichword.extras.app.jobs import CHOSEN, Shelf
from whichword.extras.app.limits import Limits
from whichword.method_names import words_of
from whichword.methods import METHODS, plan
from whichword.model import Model
from whichword.render import escape
from whichword.render.palette import PALETTES
from whichword.reporting.page.explorer_shades import FULL
from whichword.reporting.page.page_assets import STYLES, asset, program
from whichword.runs.run import Run

SHARED = ("base", "heat")  # the report's own scripts: elements, numbers, heat maps
EXAMPLES = ("This is the best film that I have seen in years.", "Compute the eigenvalues of a sparse matrix.")
OWN = ("service", "settings", "scores", "words", "reading", "choices", "copying", "runs", "app")


@dataclass(frozen=True)
class Pages:
    """Everything static, as it is sent."""

    index: str
    script: str
    style: str
    icon: str


def pages(shelf: Shelf, limits: Limits) -> Pages:
    """Read the assets once; what the page shows first is in the page."""
    data = escape.script(_data(shelf, limits))
    return Pages(
        index=asset("index.html", "extras.app").replace("{{ data }}", data),
        script=program([asset(f"{name}.js") for name in SHARED] + [asset(f"{name}.js", "extras.app") for name in OWN]),
        style="".join(asset(name) for name in STYLES) + asset("app.css", "extras.app"),
        icon=asset("icon.svg", "extras.app"),
    )


def _data(shelf: Shelf, limits: Limits) -> dict[str, Any]:
    return {
        "steps": FULL,
        "palettes": {name: [list(palette.positive), list(palette.negative)] for name, palette in PALETTES.items()},
        "words": limits.words,
        "chosen": list(CHOSEN),
        "examples": list(EXAMPLES),
        "methods": METHODS.names(),
        "methodWords": {name: words_of(name, METHODS[name]).tooltip for name in METHODS},
        "models": [_model(label, model) for label, model in shelf.models.items()],
        "runs": [_run(label, run) for label, run in shelf.runs.items()],
    }


def _model(label: str, model: Model) -> dict[str, Any]:
    about = model.about
    return {
        "label": label,
        "network": about.name,
        "facts": dict(about.facts),
        "classes": list(about.classes),
        "undefined": dict(plan(None, model).undefined),
    }


def _run(label: str, run: Run) -> dict[str, Any]:
    """What the plan says; nothing is computed for it."""
    plan = run.plan
    titles = [
        {
            "model": pairing.model,
            "corpus": plan.corpus_name(plan.set(pairing.set)),
            "game": plan.set(pairing.set).game,
            "documents": plan.set(pairing.set).items,
            "methods": len(pairing.methods),
        }
        for pairing in plan.pairings
    ]
    return {"label": label, "pairings": titles}
