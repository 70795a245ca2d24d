"""``whichword serve``: the web app, on this machine alone."""

from typing import Annotated

import typer

from whichword.cli.app import app
from whichword.errors import InputError

NEEDED = ("starlette", "uvicorn", "anyio", "h11")


@app.command()
def serve(
    spellings: Annotated[list[str] | None, typer.Argument(help="Models and folders of runs, in any order.")] = None,
    host: Annotated[str, typer.Option(help="127.0.0.1 or ::1.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="0: any that is free.")] = 8000,
    words: Annotated[int, typer.Option(help="Words that a text may have.")] = 2000,
    threads: Annotated[
        int | None, typer.Option(help="Threads that torch computes with. [default: torch's own]")
    ] = None,
    browse: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Explain typed texts in a browser, change words and watch the scores, browse runs and their reports.

    Example: whichword serve demo/models/docstrings-cnn demo/run
    """
    try:
        from whichword.web.limits import Limits
        from whichword.web.serving import Place, serve
        from whichword.web.shelf import open_shelf
    except ModuleNotFoundError as missing:
        package = (missing.name or "").split(".")[0]
        if package not in NEEDED:
            raise
        raise InputError(f"serve needs {package}: pip install 'whichword[web]'") from None
    if threads is not None and threads < 1:
        raise InputError(f"threads must be at least 1, not {threads}")
    place, limits = Place(host, port), Limits.of_words(words)
    try:
        serve(open_shelf(spellings or []), place, limits, threads, _open if browse else _say)
    except KeyboardInterrupt:
        print("stopped")


def _say(address: str) -> None:
    print(f"whichword is at {address} (Ctrl-C ends it)", flush=True)


def _open(address: str) -> None:
    import webbrowser

    _say(address)
    webbrowser.open(address)
