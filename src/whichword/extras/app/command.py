"""``whichword serve``: the web app, on this machine alone."""

from typing import Annotated

from whichword.base.runtime import install_command
from whichword.cli.app import SESSION, listed
from whichword.cli.options import argument, at_least_one, option
from whichword.errors import InputError

NEEDED = ("starlette", "uvicorn", "anyio", "h11")


@listed(80, SESSION)
def serve(
    spellings: Annotated[list[str] | None, argument("Models and folders of runs, in any order.")] = None,
    host: Annotated[str, option("--host", help="127.0.0.1 or ::1.")] = "127.0.0.1",
    port: Annotated[int, option("--port", help="0: any that is free.")] = 8000,
    words: Annotated[int, option("--words", help="Words that a text may have.")] = 2000,
    threads: Annotated[
        int | None,
        option("--threads", help="Threads that torch computes with. [default: torch's own]", callback=at_least_one),
    ] = None,
    browse: Annotated[bool, option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Explain texts in a browser, on this machine alone.

    Type a text, change words and watch the scores; browse runs and their reports. It needs the extra web:
    pip install 'whichword[web]' (in a checkout: make install-web).

    Example:
      whichword serve demo/models/docstrings-cnn demo/run --open
    """
    try:
        from whichword.extras.app.jobs import open_shelf
        from whichword.extras.app.requests import Limits
        from whichword.extras.app.serving import Place, serve
    except ModuleNotFoundError as missing:
        package = (missing.name or "").split(".")[0]
        if package not in NEEDED:  # a broken installation, not one without the extra
            raise
        raise InputError(f"serve needs {package}: {install_command('web')}") from None
    place, limits = Place(host, port), Limits.of_words(words)
    try:
        serve(open_shelf(spellings or []), place, limits, threads, _open if browse else _announce)
    except KeyboardInterrupt:  # uvicorn has shut down, and raises it again
        print("stopped")


def _announce(address: str) -> None:
    print(f"whichword is at {address} (Ctrl-C ends it)", flush=True)


def _open(address: str) -> None:
    import webbrowser

    _announce(address)
    webbrowser.open(address)
