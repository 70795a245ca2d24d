"""The page, its program and its stylesheet: the report's, and what the app adds."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from whichword.method_names import words_of
from whichword.methods import METHODS, plan
from whichword.model import Model
from whichword.render import escape
from whichword.render.palette import PALETTES
from whichword.reporting.explorer_shades import FULL
from whichword.reporting.page import STYLES
from whichword.web.jobs import CHOSEN
from whichword.web.limits import Limits
from whichword.web.runs import summary
from whichword.web.shelf import Shelf

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
        index=_asset("web", "index.html").replace("{{ data }}", data),
        script=_program(
            [_asset("reporting", f"{name}.js") for name in SHARED] + [_asset("web", f"{name}.js") for name in OWN]
        ),
        style="".join(_asset("reporting", name) for name in STYLES) + _asset("web", "app.css"),
        icon=_asset("web", "icon.svg"),
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
        "runs": [summary(label, run) for label, run in shelf.runs.items()],
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


def _asset(package: str, name: str) -> str:
    return resources.files(f"whichword.{package}").joinpath("assets", name).read_text("utf8")


def _program(parts: Sequence[str]) -> str:
    """Scripts one after the other, in a scope of their own."""
    joined = "\n".join(parts)
    return f'(() => {{\n"use strict";\n{joined}\n}})();\n'
