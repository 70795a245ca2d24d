"""The command line: one typer application, and the one place where errors become a line and an exit code."""

import sys
from typing import Annotated

import typer

from whichword.allocation import keep_memory
from whichword.cli.options import current_spelling, option
from whichword.errors import InputError

INTERRUPTED = 130  # what a shell reports of a program that Ctrl-C ended

# typer brings a click of its own, or takes the installed one, and names neither: this is its UsageError
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    name="whichword",
    add_completion=False,
    rich_markup_mode="rich",
    context_settings={"token_normalize_func": current_spelling},
    help="Which word made the classifier say that, and which explanation method can be trusted to tell?",
    epilog="Begin with [bold]whichword demo[/bold]; [bold]whichword COMMAND --help[/bold] has examples.",
)


def _print_version(requested: bool) -> None:
    if requested:
        from whichword import __version__

        print(f"whichword {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    version: Annotated[
        bool, option("--version", help="Print the version and end.", callback=_print_version, is_eager=True)
    ] = False,
    debug: Annotated[bool, option("--debug", help="Show tracebacks.")] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


def main(application: typer.Typer = app) -> None:
    """Run the command; bad input is one line and code 2, an interruption one line and code 130."""
    keep_memory()
    try:
        code = application(standalone_mode=False, **({"prog_name": "whichword"} if application is app else {}))
    except (InputError, UsageError, OSError) as problem:
        message = _message(problem)
        if message is None or "--debug" in sys.argv[1:]:
            raise
        code = _complain(message, 2)
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    if code == INTERRUPTED:
        _complain("interrupted; run the same command again to resume", code)
    sys.exit(code or 0)


def _message(problem: Exception) -> str | None:
    """What a person reads; None: no fault of hers."""
    if isinstance(problem, UsageError):
        return _usage(problem)
    if isinstance(problem, OSError):
        return f"{problem.filename}: {problem.strerror}" if problem.filename else None
    return str(problem)


def _usage(problem: Exception) -> str:
    """typer's "Missing argument 'runs'.", in one line with the other errors and with where to look."""
    message, context = problem.format_message().rstrip("."), problem.ctx  # type: ignore[attr-defined]
    where = f"; see {context.command_path} --help" if context and not message.endswith("?") else ""
    return f"{message[:1].lower()}{message[1:]}{where}"


def _complain(message: str, code: int) -> int:
    """One line on standard error, whatever the message holds."""
    from whichword.render import escape

    print(escape.terminal("whichword: " + " ".join(message.split("\n"))), file=sys.stderr)
    return code
