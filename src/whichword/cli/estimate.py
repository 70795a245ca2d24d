"""``whichword estimate``: core-hours, memory and disk of a spec, before it is run."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rich.table import Table
from rich.text import Text

from whichword.cli.options import Workers, argument, option, path
from whichword.cli.printing import console
from whichword.render import escape
from whichword.render.amounts import duration, size

if TYPE_CHECKING:
    from whichword.planning.estimating import PairingEstimate, RunEstimate


def estimate(
    spec: Annotated[Path, argument("A TOML file, as for evaluate --spec.", parser=path)],
    workers: Workers = None,
    seconds: Annotated[
        float, option("--seconds", help="How long to try it out, after models and corpora are read.")
    ] = 10.0,
) -> None:
    """Say what a spec will take: time by model and method, memory, disk.

    A few documents of every length are explained, and what they take is multiplied. Nothing is stored. The same spec
    then goes to whichword evaluate --spec.

    Example:
      whichword estimate runs.toml --workers 8
    """
    from whichword.planning.estimating import estimate_run
    from whichword.planning.spec import read_spec
    from whichword.workers.crew import cores

    plan = read_spec(spec)
    console(stderr=True).print("reading models and corpora, then trying them out ...")
    _show(estimate_run(plan, seconds), workers or cores())


def _show(estimated: "RunEstimate", workers: int) -> None:
    screen = console()
    for pairing in estimated.pairings:
        screen.print(
            Text(escape.terminal(f"{pairing.title}: {pairing.documents:,} documents, {pairing.shards:,} shards"))
        )
        screen.print(_table(pairing))
    memory = max(pairing.memory for pairing in estimated.pairings)
    elapsed = duration(estimated.elapsed(workers))
    print(f"reading and planning: {duration(estimated.planning)}")
    print(f"in all: {duration(estimated.seconds)} of one core ({estimated.seconds / 3600:.3g} core-hours)")
    print(f"with {workers} workers: about {elapsed}; --shard and --executor ray share it out over machines")
    print(f"memory: {size(memory)} per worker, {size(estimated.driver)} for the process that plans and commits")
    print(f"disk: {size(estimated.disk)}")


def _table(pairing: "PairingEstimate") -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(justify="left")
    table.add_column(justify="right")
    rows = sorted(pairing.methods.items(), key=lambda row: -row[1])
    for name, seconds in [*rows, ("beside the methods", pairing.beside), ("loading, per worker", pairing.opening)]:
        table.add_row(Text(f"  {name}"), duration(seconds))
    return table
