"""Write docs/architecture.svg from the import contracts: python -m experiments.pages.architecture

A row stands on the rows below it: a module imports only from there, which `make check` verifies.
"""

import ast
import tomllib
from html import escape
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "architecture.svg"
WIDTH, HEIGHT, GAP = 760, 40, 4
PEOPLE, RUNS, MATHS = "#eef3dd", "#dde9f7", "#f3f3f3"
COLOURS = {
    **dict.fromkeys(("extras", "cli", "api"), PEOPLE),  # what people touch
    **dict.fromkeys(("reporting", "rounds", "playing", "scoring", "planning", "workers", "runs"), RUNS),
}


def layers() -> list[list[str]]:
    """Read the rows of the first contract, the top one first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))
    rows = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    return [[name.strip("() ") for name in row.split("|")] for row in rows]


def purpose(name: str) -> str:
    """Return the first sentence that a room or module says of itself."""
    package = ROOT / "src" / "whichword" / name / "__init__.py"
    file = package if package.exists() else ROOT / "src" / "whichword" / f"{name}.py"
    text = ast.get_docstring(ast.parse(file.read_text("utf8"))) or ""
    return text.partition("\n")[0].split(". ")[0].rstrip(".")


def picture() -> str:
    """Draw the rows, each room with its name and what it says of itself."""
    rows = layers()
    height = len(rows) * (HEIGHT + GAP) + GAP
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif">'
    title = "<title>The rooms: each row imports only from the rows below it</title>"
    body = [line for number, row in enumerate(rows) for line in _row(row, GAP + number * (HEIGHT + GAP))]
    drawn = "\n".join([head, title, *body, "</svg>"]) + "\n"
    ElementTree.fromstring(drawn)
    return drawn


def _row(names: list[str], y: int) -> list[str]:
    width = (WIDTH - GAP * (len(names) + 1)) / len(names)
    return [line for place, name in enumerate(names) for line in _box(name, GAP + place * (width + GAP), y, width)]


def _box(name: str, x: float, y: int, width: float) -> list[str]:
    colour = COLOURS.get(name, MATHS)
    told = _cut(purpose(name).replace("`", ""), int(width / 5.6))
    return [
        f'<rect x="{x:g}" y="{y}" width="{width:g}" height="{HEIGHT}" rx="4" fill="{colour}" stroke="#777"/>',
        f'<text x="{x + 8:g}" y="{y + 16}" font-size="13" font-weight="bold" fill="#111">{escape(name)}</text>',
        f'<text x="{x + 8:g}" y="{y + 31}" font-size="11" fill="#333">{escape(told)}</text>',
    ]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rsplit(" ", 1)[0] + " …"


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf8")
    print(PICTURE)
