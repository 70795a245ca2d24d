"""``whichword data``: which corpora there are, which are here, and fetching those with a public address."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from whichword.cli.app import app
from whichword.corpora import counts_line, data_folder, describe, fetch, read_corpus
from whichword.render import escape


@app.command()
def data(
    names: Annotated[list[str] | None, typer.Argument(help="Corpora to read and count. [default: list all]")] = None,
    get: Annotated[
        bool, typer.Option("--fetch", help="Fetch the named corpora first, where they have an address.")
    ] = False,
    folder: Annotated[
        Path | None, typer.Option("--data", help="Folder of the corpora. [default: $WHICHWORD_DATA]")
    ] = None,
) -> None:
    """List the corpora with state, size, licence and source; or read some and print what was accepted and rejected.

    A file of your own works wherever a corpus is named: reviews.csv[text=review,label=stars], .jsonl, .parquet.
    Examples: whichword data · whichword data 20newsgroups --fetch
    """
    for name in names or []:
        if get:
            _fetch(name, folder)
        _count(name, folder)
    if not names:
        _list(folder)


def _list(folder: Path | None) -> None:
    table = Table(box=None, header_style="bold", padding=(0, 2, 1, 0))
    for title in ("corpus", "state", "size", "what it is, licence, and how to get it"):
        table.add_column(title, overflow="fold", no_wrap=title in ("corpus", "state", "size"))
    for row in describe(folder):
        size = f"{row.size / 2**20:.1f} MB" if row.size else ""
        get = [row.get] if row.state in ("missing", "elsewhere") else []
        about = "\n".join([row.source, row.licence, *get])
        cells = [Text(escape.terminal(cell)) for cell in (row.name, row.state, size)]
        table.add_row(*cells, Text("\n").join(Text(escape.terminal(line)) for line in about.split("\n")))
    console = Console(highlight=False)
    console.print(table)
    console.print(f"\nfolder: {data_folder(folder)}", markup=False)


def _fetch(name: str, folder: Path | None) -> None:
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"fetching {name}", total=None)
        fetch(name, folder, lambda done, total: bar.update(task, completed=done, total=total or None))


def _count(name: str, folder: Path | None) -> None:
    corpus = read_corpus(name, data=folder)
    parts = {"train": corpus.train, "heldout": corpus.heldout, "test": corpus.test}
    counts = ", ".join(f"{len(documents):,} {part}" for part, documents in parts.items())
    words = sum(len(document.words) for documents in parts.values() for document in documents)
    print(escape.terminal(f"{corpus.name}: {counts} documents, {words:,} words, {len(corpus.classes)} classes"))
    if line := counts_line(corpus.record):
        print(escape.terminal(f"  {line}"))
