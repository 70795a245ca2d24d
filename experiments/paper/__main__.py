"""``python -m experiments.paper``: the paper's table again, column by column, beside the paper's."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from experiments.paper.blocks import text
from experiments.paper.options import Options, Places
from experiments.paper.page import all_blocks, put_into
from experiments.paper.shown import read_shown
from experiments.paper.spec import read_reproduction
from experiments.paper.steps import reproduce as steps
from whichword.cli.app import main
from whichword.cli.evaluate import Means, play
from whichword.corpora.registry import data_folder
from whichword.workers.tasks import Hands

HERE = Path(__file__).parent
app = typer.Typer(add_completion=False, rich_markup_mode=None)  # to rich, [default: ...] would be markup


@app.command()
def reproduce(
    spec: Annotated[Path, typer.Argument(help="What to reproduce.")] = HERE / "paper.toml",
    data: Annotated[Path | None, typer.Option(help="Folder of the corpora. [default: $WHICHWORD_DATA]")] = None,
    out: Annotated[Path, typer.Option(help="Folder for networks and runs.")] = Path("paper"),
    quick: Annotated[bool, typer.Option("--quick", help="A tenth of the documents.")] = False,
    only: Annotated[
        str, typer.Option(help="Groups, networks or columns with commas between: topic,agreement-lstm,C10.")
    ] = "",
    train: Annotated[
        bool, typer.Option("--train/--no-train", help="No training: only networks that are there.")
    ] = True,
    show: Annotated[bool, typer.Option("--show", help="Compute nothing; show what is in the results folder.")] = False,
    page: Annotated[
        Path | None, typer.Option(help="Put the tables into this Markdown page, between its marks.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Another seed than the file's, with networks of its own.")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes, one thread each. [default: all cores]")] = None,
    executor: Annotated[str | None, typer.Option(help="Who trains and plays: serial, processes or ray.")] = None,
    address: Annotated[str | None, typer.Option(help="Ray's cluster; local starts one here.")] = None,
) -> None:
    """Train the paper's networks, play its games, and print our table beside the paper's with its claims.

    It may be stopped at any moment: run the same command again to resume. On two cores it takes about six hours, with
    --quick about three and a half: most of these are training.
    """
    names = tuple(name.strip() for name in only.split(",") if name.strip())
    options = Options(data_folder(data), out, quick, names, train, Hands.of(workers, executor, address), seed)
    places = Places(read_reproduction(spec), options)
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    if not show:
        for line in steps(places, partial(play, means=Means(options.hands))):
            console.print(line, markup=False)
    print("\n".join(text(block) for block in all_blocks(read_shown(places.spec, places.kind))))
    if page is not None:
        put_into(page, all_blocks(read_shown(places.spec, "quick", "full")))


if __name__ == "__main__":
    main(app)
