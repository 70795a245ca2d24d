"""The architecture page: its picture is today's, its files are there, and examples import only what is stable."""

import ast
import re
from pathlib import Path

import pytest
from experiments.pages.architecture import PICTURE, ROOT, layers, picture

PAGE = (ROOT / "docs" / "architecture.md").read_text("utf8")
STABLE = set(re.findall(r"`(whichword(?:\.\w+)*)`", PAGE.partition("## What is stable")[2]))


def test_the_picture_is_drawn_from_the_contracts() -> None:
    assert PICTURE.read_text("utf8") == picture()  # python -m experiments.pages.architecture


def test_every_room_is_a_row() -> None:
    package = ROOT / "src" / "whichword"
    rooms = {path.name for path in package.iterdir() if (path / "__init__.py").exists()}
    assert rooms <= {name for row in layers() for name in row}


def test_files_that_the_page_names_are_there() -> None:
    for name in re.findall(r"`([\w/]+\.py)`", PAGE):
        places = [ROOT / name, ROOT / "src" / "whichword" / name]
        places += (ROOT / "src" / "whichword").rglob(name)
        assert any(place.exists() for place in places), name


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_examples_import_only_what_is_stable(example: Path) -> None:
    tree = ast.parse(example.read_text("utf8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    modules |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    ours = {module for module in modules if module.split(".")[0] == "whichword"}
    assert ours <= STABLE


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.stem)
def test_paths_that_pages_name_are_there(page: Path) -> None:
    """A file that moved leaves its old name behind in prose, where no import fails."""
    named = set(re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.py)`", page.read_text("utf8")))
    places = (ROOT, ROOT / "src", ROOT / "src" / "whichword")
    assert not {name for name in named if not any((place / name).exists() for place in places)}
