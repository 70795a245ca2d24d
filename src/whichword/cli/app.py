"""The command line: one typer application, and the one place where errors become a line and an exit code."""

import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, TextIO, TypeVar

import typer
from typer.core import TyperCommand

from whichword.base.runtime import keep_memory
from whichword.cli.options import current_spelling, in_bounds, option, refuse_deleted_folder, settle_size
from whichword.errors import one_line, shortened
from whichword.registry import Registry
from whichword.render import escape

INTERRUPTED = 130  # exit code, as a shell reports a program that Ctrl-C ended: 128 + SIGINT
OUTPUT = frozenset({errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EBADF, errno.EDQUOT})  # what printing can meet
PIPE_CLOSED = 141  # and one whose reader went away (`whichword table RUN | head -1`): 128 + SIGPIPE

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


SESSION, TOOLS = "A first session", "Runs, corpora, methods"
LAST = 1000  # the order of a command that names none

# functions, or typer groups of them; those of extras and of other packages come by entry points
COMMANDS: Registry[Any] = Registry("command", "whichword.commands")


@dataclass(frozen=True)
class Listing:
    """The place of a command in ``whichword --help``: its panel, and lower orders first."""

    panel: str = TOOLS
    order: int = LAST


_LISTINGS: dict[int, Listing] = {}  # by id: a command is a plain function, which tests and notebooks call as one
C = TypeVar("C")


def listed(order: int, panel: str = TOOLS) -> Callable[[C], C]:
    """Mark where a command is listed; one that is not marked stands last."""

    def mark(command: C) -> C:
        _LISTINGS[id(command)] = Listing(panel, order)
        return command

    return mark


def listing_of(command: object) -> Listing:
    """Look up where a command is listed."""
    return _LISTINGS.get(id(command), Listing())


def _print_version(requested: bool) -> None:
    if requested:
        from whichword import __version__

        print(f"whichword {__version__}")
        raise typer.Exit


class Command(TyperCommand):
    """A command whose numbers and working folder are checked before it runs."""

    def invoke(self, context: Any) -> Any:
        refuse_deleted_folder()
        in_bounds(context.params)
        return super().invoke(context)


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


def main(application: typer.Typer | None = None) -> None:
    """Run the command; bad input is one line and code 2, an interruption one line and code 130."""
    keep_memory()
    settle_size()
    try:
        code = _ours() if application is None else application(standalone_mode=False)
        _flush()
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        _silence(sys.stdout)
        code = PIPE_CLOSED
    except Exception as problem:
        message = _message(problem)
        if message is None or "--debug" in sys.argv[1:]:  # of argv: the error may come before options are parsed
            raise
        code = _complain(message, 2)  # the code that typer gives to bad usage
    if code == INTERRUPTED:
        _complain("interrupted; run the same command again to resume", code)
    sys.exit(code or 0)


def _ours() -> Any:
    """Run the ``whichword`` command, whose parts are loaded here because one from elsewhere may be what fails."""
    from whichword.cli import commands

    assert commands.PANELS  # importing it has given typer every command
    return app(standalone_mode=False, prog_name="whichword")


def _message(problem: Exception) -> str | None:
    """Say what went wrong in one line; None: a fault of the program."""
    if isinstance(problem, UsageError):
        return _usage(problem)
    if isinstance(problem, OSError) and problem.filename is None and problem.errno in OUTPUT:
        _silence(sys.stdout)
        return f"standard output: {one_line(problem)}"  # errors of files name their file
    return one_line(problem)


def _usage(problem: Exception) -> str:
    """Rephrase typer's "Missing argument 'runs'." like our other errors, with where to look."""
    message, context = problem.format_message().rstrip("."), problem.ctx  # type: ignore[attr-defined]
    message = message.replace("Value error, ", "")  # what typer's own validator puts before ours
    where = f"; see {context.command_path} --help" if context and not message.endswith("?") else ""
    return f"{message[:1].lower()}{shortened(message[1:])}{where}"


def _complain(message: str, code: int) -> int:
    """Print one line on standard error, whatever the message holds, if there is a standard error."""
    if sys.stderr is not None:
        try:
            print(escape.terminal("whichword: " + " ".join(message.split("\n"))), file=sys.stderr, flush=True)
        except OSError:
            _silence(sys.stderr)
    return code


def _flush() -> None:
    """Flush now, while an error can still be reported: at the end of the program Python would only print a warning."""
    if sys.stdout is not None:  # None without a console, as under pythonw or a closed descriptor
        sys.stdout.flush()


def _silence(stream: TextIO | None) -> None:
    """Discard what Python still holds for a stream that has no reader any more."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # type: ignore[union-attr]
