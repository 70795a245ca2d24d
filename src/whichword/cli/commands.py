"""Enter every command, in the order of a first session, with its help: ours, and those of entry points."""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import typer
from rich.markup import escape

from whichword.cli.app import COMMANDS, SESSION, TOOLS, Command, Listing, app, listed, listing_of
from whichword.cli.data import data, methods
from whichword.cli.demo import demo
from whichword.cli.evaluate import evaluate, merge
from whichword.cli.explain import explain
from whichword.cli.runs import agree, digest, figure, report, table, verify
from whichword.cli.train import train
from whichword.cli.trust import trust

# numbers with room between them: those of the extras stand there
CORE: Mapping[str, Mapping[int, Callable[..., None]]] = {
    SESSION: {10: demo, 20: train, 30: trust, 40: explain, 50: evaluate, 60: table, 70: report},
    TOOLS: {10: agree, 70: verify, 80: digest, 90: merge, 100: figure, 110: data, 120: methods},
}


def help_text(command: Callable[..., Any]) -> str:
    """Reflow a docstring for terminals of any width: paragraphs in one line, indented lines and brackets unchanged."""
    text = inspect.cleandoc(command.__doc__ or "")
    return escape(re.sub(r"(?<!\n)\n(?![\n ])", " ", text))


def _enter_core() -> None:
    for panel, commands in CORE.items():
        for order, command in commands.items():
            # before entry points are loaded: what comes later cannot take our names
            COMMANDS.register(command.__name__, listed(order, panel)(command))


def _add_all() -> tuple[dict[str, list[Callable[..., Any]]], dict[str, Sequence[Callable[..., Any]]]]:
    """Give all commands to typer; return those of each panel, and of each group."""
    panels: dict[str, list[Callable[..., Any]]] = {SESSION: [], TOOLS: []}
    groups: dict[str, Sequence[Callable[..., Any]]] = {}
    for name in sorted(COMMANDS, key=lambda name: listing_of(COMMANDS[name]).order):
        command = COMMANDS[name]
        if isinstance(command, typer.Typer):
            groups[name] = _add_group(name, command, listing_of(command))
        else:
            panel = listing_of(command).panel
            app.command(name, cls=Command, help=help_text(command), rich_help_panel=panel)(command)
            panels.setdefault(panel, []).append(command)
    return panels, groups


def _add_group(name: str, group: typer.Typer, listing: Listing) -> list[Callable[..., Any]]:
    """Add commands of two words: ``whichword league run``."""
    commands = [info.callback for info in group.registered_commands if info.callback]
    for info, command in zip(group.registered_commands, commands, strict=True):
        info.cls, info.help = Command, help_text(command)
    app.add_typer(group, name=name, rich_help_panel=listing.panel)
    return commands


_enter_core()
PANELS, GROUPS = _add_all()
