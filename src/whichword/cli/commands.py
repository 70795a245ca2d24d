"""Every command, in the order of a first session, with its help."""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import typer
from rich.markup import escape

from whichword.cli.app import Command, app
from whichword.cli.data import data, methods
from whichword.cli.demo import demo
from whichword.cli.evaluate import estimate, evaluate, merge
from whichword.cli.explain import explain
from whichword.cli.runs import agree, digest, figure, report, table, verify
from whichword.cli.train import train
from whichword.cli.trust import trust
from whichword.extras.app.command import serve
from whichword.extras.audit.commands import card, gate
from whichword.extras.league import command as league
from whichword.extras.outside.command import judge
from whichword.extras.shortcuts.command import shortcut

PANELS: Mapping[str, Sequence[Callable[..., Any]]] = {
    "A first session": (demo, train, trust, explain, evaluate, table, report, serve),
    "Runs, corpora, methods": (
        agree,
        shortcut,
        estimate,
        judge,
        gate,
        card,
        verify,
        digest,
        merge,
        figure,
        data,
        methods,
    ),
}

# commands of two words: `whichword league run`
GROUPS: Mapping[str, tuple[typer.Typer, Sequence[Callable[..., Any]]]] = {
    "league": (league.league, (league.run, league.verify, league.table)),
}


def help_text(command: Callable[..., Any]) -> str:
    """The docstring for terminals of any width: paragraphs in one line, indented lines and brackets as they stand."""
    text = inspect.cleandoc(command.__doc__ or "")
    return escape(re.sub(r"(?<!\n)\n(?![\n ])", " ", text))


for _panel, _commands in PANELS.items():
    for _command in _commands:
        app.command(cls=Command, help=help_text(_command), rich_help_panel=_panel)(_command)
for _name, (_group, _commands) in GROUPS.items():
    for _command in _commands:
        _group.command(cls=Command, help=help_text(_command))(_command)
    app.add_typer(_group, name=_name, rich_help_panel="Runs, corpora, methods")
