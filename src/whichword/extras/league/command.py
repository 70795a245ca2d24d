"""``whichword league``: frozen suites, results that anybody can check, a ranking."""

from pathlib import Path
from typing import Annotated

import typer

from whichword.cli.app import listed
from whichword.cli.options import Plugins, RunFolder, Workers, argument, methods_option, names, option
from whichword.registry import announce
from whichword.render import escape

league = listed(130)(
    typer.Typer(
        help="Rank methods on frozen suites: the same documents and models for everybody.", no_args_is_help=True
    )
)


@league.command()
def run(
    suite: Annotated[str, argument("A suite's name (planted, grammar, docstrings), or its folder.")],
    method: Annotated[list[str] | None, methods_option("none")] = None,
    plugin: Plugins = None,
    workers: Workers = None,
    out: Annotated[Path, option("--out", help="The results folder.")] = Path("league"),
) -> None:
    """Let methods play on a suite; its baselines play beside them.

    Run the same command again to resume.

    Examples:
      whichword league run planted -m lrp,captum:DeepLift --out results/mine
      whichword league run grammar -m my_method --plugin my_method.py --out results/mine
    """
    from whichword.cli.progress import Display
    from whichword.extras.league.suite import open_suite, play_suite
    from whichword.workers.processes import cores

    announce(plugin or [])
    processes = workers or cores()
    with Display(processes) as display:
        play_suite(open_suite(suite), names(method, "--method"), out, processes, display)
    print(f"{out}: done; next: whichword league table {out}")


@league.command()
def verify(
    folder: Annotated[Path, argument("A results folder.")],
    suite: Annotated[str | None, option("--suite", help="The suite's folder, where it does not come with us.")] = None,
    plugin: Plugins = None,
    again: Annotated[
        int | None,
        option("--again", help="Documents per model that are explained anew. [default: all, or what two minutes do]"),
    ] = None,
) -> None:
    """Check a results folder, and explain its documents anew.

    Every byte, every document, the suite's hash and its baselines are compared. Whoever changes relevances can also
    write new checksums: only documents that are explained anew show that. Where two minutes do not explain all, they
    are drawn at random, and it is said how likely a change would have been noticed.
    The exit code is 0 if all is as it says, else 1.

    Example:
      whichword league verify results/theirs --again 1000
    """
    from whichword.extras.league.checking import verify_results

    announce(plugin or [])
    asked = verify_results(folder, suite, again)
    for line in asked.troubles:
        print(escape.terminal(f"{folder}: {line}"))
    if asked.troubles:
        raise typer.Exit(1)
    print(f"{folder}: sound; {asked.words}")


@league.command()
def table(folders: Annotated[list[Path], argument("Results folders of one suite.")]) -> None:
    """Rank the methods of some results folders, best first.

    Only what verifies belongs into a ranking that others should believe: whichword league verify.

    Example:
      whichword league table results/*
    """
    from whichword.extras.league.checking import ranking, ranking_table

    print(escape.terminal_lines(ranking_table(ranking(folders))))


@league.command()
def freeze(
    run: RunFolder,
    name: Annotated[str, option("--name", help="What the suite is called.")],
    out: Annotated[Path, option("--out", help="The suite's folder.")],
    title: Annotated[str, option("--title", help="A line about it.")] = "",
) -> None:
    """Freeze a run as a suite: documents, networks, baselines.

    Example:
      whichword league freeze runs/reviews --name reviews --out suites/reviews
    """
    from whichword.extras.league.suite import freeze

    frozen = freeze(run, name, title, out)
    print(
        f"{out}: {frozen.sheet.documents} documents, {len(frozen.sheet.models)} models, hash {frozen.sheet.hash[:12]}"
    )
