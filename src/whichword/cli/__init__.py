"""The whichword command. Importing it loads neither torch nor numpy: commands import what computes when they run."""

from typing import Any


def main(application: Any = None) -> None:
    """Run the command line, or another typer application by its manners."""
    from whichword.cli import app  # here, since commands from elsewhere import parts of this package

    app.main(application)
