"""How commands print: nothing that a name or a path holds is obeyed by the terminal or taken for markup."""

import os
import shlex
from typing import TYPE_CHECKING

from whichword.render import escape

if TYPE_CHECKING:
    from rich.console import Console

SIZES = {"COLUMNS": (20, 1000), "LINES": (5, 1000)}  # beyond, a terminal does not say its size


def say(text: str = "") -> None:
    """Lines on standard output, with escape codes and half characters spelled out."""
    print(escape.terminal_lines(text))


def command(*words: object) -> str:
    """A command to copy into a shell, its paths quoted where they need it."""
    return shlex.join(["whichword", *map(str, words)])


def share(value: float | None) -> str:
    """A share of documents; none where there was none to count."""
    return "none (no documents)" if value is None else f"{value:.3f}"


def console(stderr: bool = False) -> "Console":
    """A console that prints texts as they are: no markup, no emoji codes, no colours for numbers."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def settle_size() -> None:
    """Take sizes that no terminal has out of the environment: rich would compute with them."""
    for name, (least, most) in SIZES.items():
        size = os.environ.get(name, "")
        if size and not (size.isascii() and size.isdigit() and least <= int(size[:9]) <= most):
            del os.environ[name]
