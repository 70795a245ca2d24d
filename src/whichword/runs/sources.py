"""Hash the package's own sources, by what they make."""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from whichword.runs.sealed import canonical

PACKAGE = Path(__file__).parents[1]
SOURCE = "source of "  # in an identity: what items were made from; another source may make the same items
LIBRARIES = {".so", ".pyd"}  # compiled kernels: their sums may differ in the last bit
ITEMS = ("planning/items.py", "runs/items.py", "runs/sealed.py", "runs/shards.py", "types.py")


def games_code() -> str:
    """Hash the sources of the games, for runs whose shards hold what a game measured."""
    return sources_hash((PACKAGE / "games").glob("*.py"))


def items_code() -> str:
    """Hash the sources that make items and their files."""
    folders = [file for name in ("corpora", "games", "text") for file in (PACKAGE / name).glob("*.py")]
    return sources_hash([*folders, *(PACKAGE / name for name in ITEMS)])


def sources_hash(files: Iterable[Path]) -> str:
    """Hash what the files define, whatever the files are called and wherever they lie.

    So a definition that moves to another file makes no run another run.
    """
    return _hashed(tuple(sorted(files)))


@cache  # what this process has loaded does not change when a file does
def _hashed(files: tuple[Path, ...]) -> str:
    parts = [part for file in files for part in _parts(file)]
    return hashlib.sha256(canonical(sorted(hashlib.sha256(part).hexdigest() for part in parts))).hexdigest()[:16]


def _parts(file: Path) -> Iterator[bytes]:
    """Yield a library's bytes; of a source its top-level statements but imports and docstring, as they are written."""
    if file.suffix in LIBRARIES:
        yield file.read_bytes()
        return
    text = file.read_bytes()
    lines = text.split(b"\n")
    for statement in ast.parse(text).body:
        if not _says_nothing(statement):
            yield b"\n".join(lines[_first(statement) - 1 : statement.end_lineno])


def _says_nothing(node: ast.stmt) -> bool:
    """Tell whether a statement is an import, a docstring, or for type checkers alone."""
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" and not node.orelse
    return isinstance(node, ast.Import | ast.ImportFrom) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )


def _first(node: ast.stmt) -> int:
    """Return the number of a statement's first line, a definition's decorators among them."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])
