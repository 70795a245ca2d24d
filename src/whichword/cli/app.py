"""The command line: one typer application, and the one place where errors become a line and an exit code."""

import sys
from typing import Annotated

import typer
from rich.console import Console

from whichword.allocation import keep_memory
from whichword.errors import InputError

app = typer.Typer(
    name="whichword",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    help="Which word made the classifier say that, and which explanation method can be trusted to tell?",
    epilog="Begin with [bold]whichword demo[/bold]: small networks, all games, tables and a recommendation in minutes.",
)


def _version(wanted: bool) -> None:
    if wanted:
        from whichword import __version__

        print(f"whichword {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and end.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False,
) -> None:
    pass


def main(application: typer.Typer = app) -> None:
    """Run the command; bad input is one line and code 2, an interruption one line and code 130."""
    debug = "--debug" in sys.argv[1:]
    keep_memory()
    error = Console(stderr=True, highlight=False, soft_wrap=True)
    try:
        application(standalone_mode=True)
    except InputError as problem:
        if debug:
            raise
        error.print(f"whichword: {_one_line(str(problem))}", markup=False)
        sys.exit(2)
    except KeyboardInterrupt:
        if debug:
            raise
        error.print("whichword: interrupted; the same command goes on from here", markup=False)
        sys.exit(130)


def _one_line(text: str) -> str:
    from whichword.render import escape

    return escape.terminal(" ".join(text.split("\n")))
