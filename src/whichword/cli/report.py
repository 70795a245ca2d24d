"""``whichword report`` and ``figure``: a run to look at."""

import sys
from pathlib import Path
from typing import Annotated

from whichword.base import files
from whichword.cli.options import RunFolder, RunFolders, methods_option, names, option, path, say
from whichword.errors import InputError


def report(
    runs: RunFolders,
    out: Annotated[Path, option("--out", help="The file.", parser=path)] = Path("report.html"),
) -> None:
    """Write a run as one HTML page: verdict, charts and every heat map.

    The page opens offline from disk and loads nothing, so it can be mailed.

    Example:
      whichword report demo/run --out report.html
    """
    from whichword.reporting.page.page import write_report

    size = write_report(runs, out)
    say(f"{out}: {size / 1e6:.1f} MB; open it in a browser")


def figure(
    run: RunFolder,
    document: Annotated[str, option("--document", help="The document's key, or its beginning; the report shows it.")],
    method: Annotated[list[str] | None, methods_option("all")] = None,
    model: Annotated[
        str | None, option("--model", help="The model's name in the run. [default: the first that has the document]")
    ] = None,
    part: Annotated[str | None, option("--part", help="Whose ground truth is underlined. [default: the first]")] = None,
    form: Annotated[str, option("--format", "-f", help="latex, svg or png.")] = "latex",
    palette: Annotated[str, option("--palette", help="paper or colour-blind.")] = "paper",
    out: Annotated[
        Path | None, option("--out", help="The file. [default: standard output; png: figure.png]", parser=path)
    ] = None,
) -> None:
    """Draw a document's heat maps as rows, like the figures of the paper.

    LaTeX goes to standard output and names the packages it needs; png needs pip install 'whichword[figures]'.

    Examples:
      whichword figure demo/run --document 7c06 -m lrp,limsse_ms_s
      whichword figure demo/run --document 7c06 --format svg --out figure.svg
    """
    from whichword.render.palette import PALETTES
    from whichword.reporting.figures import DRAWINGS, figure
    from whichword.runs.run import open_run

    draw = DRAWINGS[form]
    if palette not in PALETTES:
        raise InputError(f"no palette is called {palette!r}; known: {', '.join(PALETTES)}")
    rows = figure(open_run(run), document, names(method, "--method"), model, part)
    _write(draw(rows, PALETTES[palette]), out)


def _write(drawing: str | bytes, out: Path | None) -> None:
    if out is None and isinstance(drawing, str):
        sys.stdout.write(drawing)
        return
    target = out or Path("figure.png")
    files.write(target, drawing.encode("utf8") if isinstance(drawing, str) else drawing)
    say(str(target))
