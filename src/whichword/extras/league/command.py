"""``whichword league``: frozen suites, runs on them that can be checked, a ranking."""

from pathlib import Path
from typing import Annotated

import typer

from whichword.cli.app import listed
from whichword.cli.options import Plugins, Workers, argument, methods_option, names, option
from whichword.registry import announce
from whichword.render import escape

league = listed(130)(
    typer.Typer(help="Rank methods on frozen suites: the same documents and models for all.", no_args_is_help=True)
)


@league.command()
def run(
    suite: Annotated[str, argument("A suite's name (planted, grammar, docstrings), or its folder.")],
    method: Annotated[list[str] | None, methods_option("none")] = None,
    plugin: Plugins = None,
    workers: Workers = None,
    out: Annotated[Path, option("--out", help="The run's folder.")] = Path("league"),
) -> None:
    """Evaluate methods on a suite, its baselines beside them, into an ordinary run.

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
    folder: Annotated[Path, argument("A run on a suite.")],
    suite: Annotated[str | None, option("--suite", help="The suite's folder, where it does not come with us.")] = None,
    plugin: Plugins = None,
    again: Annotated[
        int | None, option("--again", help="Documents per model that are explained anew. [default: all]")
    ] = None,
) -> None:
    """Check a run on a suite, and explain its documents anew.

    Files, documents, models and the suite's hash are compared. A forger can write new checksums too: only
    documents that are explained anew show a change. With --again N they are drawn at random, and it is
    said how likely a change would have been noticed. The exit code is 0 if all is as it says, else 1.

    Example:
      whichword league verify results/theirs --again 1000
    """
    from whichword.extras.league.suite import verify_results

    announce(plugin or [])
    troubles, words = verify_results(folder, suite, again)
    for line in troubles:
        print(escape.terminal(f"{folder}: {line}"))
    if troubles:
        raise typer.Exit(1)
    print(f"{folder}: sound; {words}")


@league.command()
def table(folders: Annotated[list[Path], argument("Runs on one suite.")]) -> None:
    """Rank the methods of some runs on a suite, best first.

    Only what verifies belongs into a ranking that others should believe: whichword league verify.

    Example:
      whichword league table results/*
    """
    from whichword.extras.league.suite import ranking, ranking_table

    print(escape.terminal_lines(ranking_table(ranking(folders))))
