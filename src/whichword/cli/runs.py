"""Commands that read runs: ``whichword verify``, ``digest``, ``table``, ``report``, ``figure`` and ``agree``."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from whichword.base import files
from whichword.cli.options import RunFolder, RunFolders, methods_option, names, option, path, say, several
from whichword.errors import SettingError
from whichword.render import escape


def verify(run: RunFolder) -> None:
    """Check every byte of a run against its plan and its receipts.

    Names what is missing, damaged or unplanned; the exit code is 0 if all is there and sound, else 1.

    Example:
      whichword verify demo/run
    """
    from whichword.playing.verify import verify as check

    findings = check(run)
    kinds = (("missing", findings.missing), ("damaged", findings.damaged), ("unplanned", findings.unplanned))
    for kind, listed in kinds:
        for name in listed:
            say(escape.terminal(f"{kind}: {name}"))
    sound = findings.shards - findings.missing_shards - findings.damaged_shards
    say(f"{run}: {sound} of {findings.shards} shards sound, {len(findings.unplanned)} unplanned files")
    if findings.mixture:
        say(findings.mixture)
    if not findings.sound:
        print("run the command that made the run again to make the others")
        raise typer.Exit(1)  # for scripts: 1 is unsound, 2 bad input


def digest(run: RunFolder) -> None:
    """Print a hash of a run's results: equal for equal results.

    Whatever was killed or resumed on the way, and whatever the number of workers.

    Example:
      whichword digest demo/run
    """
    from whichword.playing.verify import digest
    from whichword.runs.run import open_run

    print(digest(open_run(run)))


def table(
    runs: RunFolders,
    form: Annotated[
        str, option("--format", "-f", help="text, markdown, latex (the paper's layout), csv, json or html.")
    ] = "text",
    scorer: Annotated[
        list[str] | None,
        several("--scorer", help="Further columns: mass, reciprocal_rank, precision (how games score beside the hit)"),
    ] = None,
    words: Annotated[bool, option("--words/--no-words", help="The recommendation in words, after text.")] = True,
    health: Annotated[
        bool, option("--health", help="With what is suspicious about relevances, for which all of them are read.")
    ] = False,
) -> None:
    """Print each method's accuracy in a run, and which method to use.

    Every figure comes with its interval, its counts, its ties and its cost; methods that the data cannot tell apart
    are called tied.

    Examples:
      whichword table demo/run
      whichword table runs/first runs/second --format latex
      whichword table demo/run --scorer mass,reciprocal_rank
    """
    from whichword.reporting import FORMATS, recommend, table

    show = FORMATS[form]  # first, so that a wrong name is refused before runs are read
    results = table(runs, scorers=names(scorer, "--scorer"), health=health)
    print(show(results), end="")  # formats end their own lines, and files should match byte for byte
    if words and form == "text":  # other formats are for programs
        print(f"\n{recommend(results)}")


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
    from whichword.render.heatmap import PALETTES
    from whichword.reporting.figures import DRAWINGS, figure
    from whichword.runs.run import open_run

    draw = DRAWINGS[form]
    if palette not in PALETTES:
        raise SettingError(f"no palette is called {palette!r}; known: {', '.join(PALETTES)}")
    rows = figure(open_run(run), document, names(method, "--method"), model, part)
    _write(draw(rows, PALETTES[palette]), out)


def _write(drawing: str | bytes, out: Path | None) -> None:
    if out is None and isinstance(drawing, str):
        sys.stdout.write(drawing)
        return
    target = out or Path("figure.png")  # bytes do not belong on a terminal
    files.write(target, drawing.encode("utf8") if isinstance(drawing, str) else drawing)
    say(str(target))


def agree(
    runs: RunFolders,
    form: Annotated[str, option("--format", "-f", help="text, markdown or json.")] = "text",
) -> None:
    """Say whether the judges of a run agree: games, parts of games, people.

    For each model: what follows for the verdict in one sentence, and the rank correlation of every two judges over the
    methods. A run has several judges if it was made with several games, as by --game hybrid,deletion.

    Examples:
      whichword agree runs/first
      whichword agree runs/first --format markdown
    """
    from whichword.reporting.judges import agreement
    from whichword.reporting.judges_text import AGREE_FORMATS

    if form not in AGREE_FORMATS:
        raise SettingError(f"no format is called {form!r}; known: {', '.join(AGREE_FORMATS)}")
    sys.stdout.write(AGREE_FORMATS[form](agreement(runs)))
