"""``whichword verify``, ``digest`` and ``table``: what a run folder holds."""

from pathlib import Path
from typing import Annotated

import typer

from whichword.cli.options import RunFolder, RunFolders, names, option, say, several
from whichword.errors import InputError
from whichword.render import escape


def verify(run: RunFolder) -> None:
    """Check every byte of a run against its plan and its receipts.

    Names what is missing, damaged or unplanned; the exit code is 0 if all is there and sound, else 1.

    Example:
      whichword verify demo/run
    """
    from whichword.playing import checking

    findings = checking.verify(run)
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
        raise typer.Exit(1)


def digest(run: RunFolder) -> None:
    """Print a hash of a run's results: equal for equal results.

    Whatever was killed or resumed on the way, and whatever the number of workers.

    Example:
      whichword digest demo/run
    """
    from whichword.playing.checking import digest
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
    pool: Annotated[
        bool,
        option("--pool", help="Trainings of one kind of network together: mean, spread between trainings, interval."),
    ] = False,
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
      whichword table runs/seed0 runs/seed1 runs/seed2 --pool
    """
    if pool:
        _print_pooled(runs, form)
        return
    from whichword.reporting import FORMATS, recommend, table

    show = FORMATS[form]
    results = table(runs, scorers=names(scorer, "--scorer"), health=health)
    print(show(results), end="")
    if words and form == "text":
        print(f"\n{recommend(results)}")


def _print_pooled(runs: list[Path], form: str) -> None:
    from whichword.reporting.pooled import POOLED_FORMATS, pooled_columns

    if form not in POOLED_FORMATS:
        raise InputError(f"--pool has no format {form!r}; it has: {', '.join(POOLED_FORMATS)}")
    print(POOLED_FORMATS[form](pooled_columns(runs)), end="")
