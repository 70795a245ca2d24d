"""``whichword verify``, ``digest`` and ``table``: what a run folder holds."""

from typing import Annotated

import typer

from whichword.cli.options import RunFolder, RunFolders, option
from whichword.cli.printing import say
from whichword.render import escape


def verify(run: RunFolder) -> None:
    """Check every byte of a run against its plan and its receipts.

    Names what is missing, damaged or unplanned; the exit code is 0 if all is there and sound, else 1.

    Example:
      whichword verify demo/run
    """
    from whichword.experiment import checking

    findings = checking.verify(run)
    kinds = (("missing", findings.missing), ("damaged", findings.damaged), ("unplanned", findings.unplanned))
    for kind, names in kinds:
        for name in names:
            say(escape.terminal(f"{kind}: {name}"))
    sound = findings.shards - findings.missing_shards - findings.damaged_shards
    say(f"{run}: {sound} of {findings.shards} shards sound, {len(findings.unplanned)} unplanned files")
    if findings.mixture:
        say(findings.mixture)
    if not findings.sound:
        print("run the command that made the run again to make the others")
        raise typer.Exit(1)


def digest(run: RunFolder) -> None:
    """Print a hash of a run's results: equal for equal results.

    Whatever was killed or resumed on the way, and whatever the number of workers.

    Example:
      whichword digest demo/run
    """
    from whichword.experiment.checking import digest
    from whichword.experiment.reading import open_run

    print(digest(open_run(run)))


def table(
    runs: RunFolders,
    form: Annotated[
        str, option("--format", "-f", help="text, markdown, latex (the paper's layout), csv, json or html.")
    ] = "text",
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
    """
    from whichword.reporting import FORMATS, recommend, table

    show = FORMATS[form]
    results = table(runs, health=health)
    print(show(results), end="")
    if words and form == "text":
        print(f"\n{recommend(results)}")
