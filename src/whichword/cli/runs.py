"""``whichword verify``, ``digest`` and ``table``: what a run folder holds."""

from pathlib import Path
from typing import Annotated

import typer

from whichword.cli.app import app
from whichword.experiment import checking
from whichword.experiment.reading import open_run
from whichword.render import escape
from whichword.reporting import FORMATS, recommend
from whichword.reporting import table as build_table

Folder = Annotated[Path, typer.Argument(help="The folder of a run.")]


@app.command()
def verify(run: Folder) -> None:
    """Check every byte of a run against its plan and its receipts; code 1 unless all is there and sound."""
    findings = checking.verify(run)
    for kind, names in (
        ("missing", findings.missing),
        ("damaged", findings.damaged),
        ("unplanned", findings.unplanned),
    ):
        for name in names:
            print(escape.terminal(f"{kind}: {name}"))
    sound = findings.shards - len(findings.missing) - findings.damaged_shards
    print(f"{run}: {sound} of {findings.shards} shards sound, {len(findings.unplanned)} unplanned files")
    if findings.mixture:
        print(escape.terminal(findings.mixture))
    if not findings.sound:
        print("run the command that made it again to resume")
        raise typer.Exit(1)


@app.command()
def digest(run: Folder) -> None:
    """Print a hash of a run's results: equal for equal results, whatever was killed or resumed on the way."""
    print(checking.digest(open_run(run)))


@app.command()
def table(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs.")],
    form: Annotated[
        str, typer.Option("--format", "-f", help="text, markdown, latex (the paper's layout), csv, json or html.")
    ] = "text",
    words: Annotated[bool, typer.Option("--words/--no-words", help="The recommendation in words, after text.")] = True,
) -> None:
    """Accuracy of every method with its interval, counts, ties and cost; and which method to use, in words."""
    results = build_table(runs)
    print(FORMATS[form](results), end="")
    if words and form == "text":
        print(f"\n{recommend(results)}")
