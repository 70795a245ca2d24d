"""Read scripts, styles and templates of the report and of the app, as they lie in the package."""

from collections.abc import Sequence
from importlib import resources

STYLES = ("verdict.css", "style.css")  # the second has what narrow and wide pages change


def asset(name: str, package: str = "reporting.page") -> str:
    """Read one of a package's files."""
    return resources.files(f"whichword.{package}").joinpath("assets", name).read_text("utf8")


def program(scripts: Sequence[str]) -> str:
    """Put scripts one after the other, in a scope of their own."""
    joined = "\n".join(scripts)
    return f'(() => {{\n"use strict";\n{joined}\n}})();\n'
