"""``python -m experiments.modern``: the games of 2018 on the models of 2026."""

from pathlib import Path
from typing import Annotated

import typer

from experiments.modern.again import again, recount
from experiments.modern.page import blocks, read_stored
from experiments.modern.spec import Folders, read_modern
from experiments.modern.steps import play_all
from experiments.paper.blocks import text
from experiments.paper.page import put_into
from whichword.cli.app import main
from whichword.cli.evaluate import play
from whichword.corpora.registry import data_folder
from whichword.workers.processes import cores

HERE = Path(__file__).parent
app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def modern(
    spec: Annotated[Path, typer.Argument(help="What to play.")] = HERE / "modern.toml",
    data: Annotated[Path | None, typer.Option(help="Folder of the corpora. [default: $WHICHWORD_DATA]")] = None,
    models: Annotated[Path, typer.Option(help="Folder of pretrained models.", envvar="WHICHWORD_MODELS")] = Path(
        "pretrained"
    ),
    out: Annotated[Path, typer.Option(help="Folder for trained models and runs.")] = Path("modern"),
    only: Annotated[str, typer.Option(help="Columns or models with commas between: M01,smollm2.")] = "",
    page: Annotated[
        Path | None, typer.Option(help="Put the tables into this Markdown page, between its marks.")
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Compute nothing; use the columns that are there.")] = False,
    anew: Annotated[
        str, typer.Option("--again", help="A column: build and play it from nothing, compare, keep nothing.")
    ] = "",
    count: Annotated[
        bool,
        typer.Option("--recount", help="Judge the runs again from their stored relevances, compare, keep nothing."),
    ] = False,
    workers: Annotated[int | None, typer.Option(help="Processes, one thread each. [default: all cores]")] = None,
) -> None:
    """Build the models, play their columns, keep the figures of each under results.

    It may be stopped at any moment: run the same command again to resume. A column of a transformer takes about an
    hour per 400 documents on one core.
    """
    names = tuple(name.strip() for name in only.split(",") if name.strip())
    plan = read_modern(spec)
    folders = Folders(data_folder(data), models, out)
    if anew or count:
        lines = recount(plan, folders) if count else [again(plan, folders, anew, play, workers or cores())]
        for line in lines:
            print(line, flush=True)
        return
    for line in () if show else play_all(plan, folders, names, play, workers or cores()):
        print(line)
    tables = blocks(read_stored(plan))
    if page is not None:
        put_into(page, tables)
    else:
        print("\n".join(map(text, tables)))


if __name__ == "__main__":
    main(app)
