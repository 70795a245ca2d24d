"""``whichword report`` and ``figure``: a run to look at."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from whichword.cli.app import app
from whichword.errors import InputError
from whichword.experiment.reading import open_run
from whichword.render.palette import PALETTES
from whichword.reporting.figures import DRAWINGS
from whichword.reporting.figures import figure as make_figure
from whichword.reporting.page import write_report


@app.command()
def report(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs.")],
    out: Annotated[Path, typer.Option(help="The file.")] = Path("report.html"),
) -> None:
    """Write a report: one HTML file that opens offline, with the verdict, the charts and every heat map.

    Example: whichword report demo/run --out report.html
    """
    size = write_report(runs, out)
    print(f"{out}: {size / 1e6:.1f} MB; open it in a browser")


@app.command()
def figure(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    document: Annotated[str, typer.Option(help="The document's key, or its beginning; the report shows it.")],
    methods: Annotated[
        list[str] | None, typer.Option("--methods", "-m", help="May be repeated. [default: all]")
    ] = None,
    model: Annotated[str | None, typer.Option(help="The model's name. [default: the first that has it]")] = None,
    part: Annotated[str | None, typer.Option(help="Whose ground truth is underlined. [default: the first]")] = None,
    format: Annotated[str, typer.Option(help="latex, svg or png.")] = "latex",
    palette: Annotated[str, typer.Option(help="paper or colour-blind.")] = "paper",
    out: Annotated[Path | None, typer.Option(help="The file. [default: standard output; png: figure.png]")] = None,
) -> None:
    """A document's heat maps as rows, like the figures of the paper.

    Example: whichword figure demo/run --document 7c06 -m lrp -m limsse_ms_s --format svg --out figure.svg
    """
    draw = DRAWINGS[format]
    if palette not in PALETTES:
        raise InputError(f"no palette is called {palette!r}; known: {', '.join(PALETTES)}")
    drawn = draw(make_figure(open_run(run), document, methods or [], model, part), PALETTES[palette])
    _write(drawn, out)


def _write(drawn: str | bytes, out: Path | None) -> None:
    if out is None and isinstance(drawn, str):
        sys.stdout.write(drawn)
        return
    target = out or Path("figure.png")
    data = drawn.encode("utf8") if isinstance(drawn, str) else drawn
    try:
        target.write_bytes(data)
    except OSError as error:
        raise InputError(f"{target}: cannot be written: {error.strerror}") from None
    print(target)
