"""``whichword data``: which corpora there are, which are here, and fetching those with a public address."""

import sys
from pathlib import Path
from typing import Annotated

from whichword.cli.options import DataFolder, argument, option
from whichword.cli.printing import console, say
from whichword.errors import InputError
from whichword.render import escape


def data(
    corpora: Annotated[list[str] | None, argument("Corpora to read and count. [default: list all]")] = None,
    fetch: Annotated[
        bool, option("--fetch", help="Fetch the named corpora first, where they have an address.")
    ] = False,
    folder: DataFolder = None,
) -> None:
    """List the corpora, fetch them, or count what is in them.

    The list says state, size, licence and source. With names: what was accepted and rejected. A file of your own works
    wherever a corpus is named: reviews.csv[text=review,label=stars], .jsonl, .parquet.

    Examples:
      whichword data
      whichword data 20newsgroups --fetch
    """
    if fetch and not corpora:
        raise InputError("--fetch: name the corpora to fetch (whichword data lists them)")
    for name in corpora or []:
        if fetch:
            _fetch(name, folder)
        _count(name, folder)
    if not corpora:
        _list(folder)


def _list(folder: Path | None) -> None:
    from rich.table import Table
    from rich.text import Text

    from whichword.corpora import data_folder, describe

    table = Table(box=None, header_style="bold", padding=(0, 2, 1, 0))
    for title in ("corpus", "state", "size", "what it is, licence, and how to get it"):
        table.add_column(title, overflow="fold", no_wrap=title in ("corpus", "state", "size"))
    for row in describe(folder):
        size = f"{row.size / 2**20:.1f} MB" if row.size else ""
        how = [row.get] if row.state in ("missing", "elsewhere") else []
        about = "\n".join([row.source, row.licence, *how])
        cells = [Text(escape.terminal(cell)) for cell in (row.name, row.state, size)]
        table.add_row(*cells, Text("\n").join(Text(escape.terminal(line)) for line in about.split("\n")))
    console().print(table)
    say(f"\nfolder: {data_folder(folder)}")


def _fetch(name: str, folder: Path | None) -> None:
    from rich.progress import Progress

    from whichword.corpora import fetch

    with Progress(console=console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(escape.terminal(f"fetching {name}"), total=None)
        fetch(name, folder, lambda done, total: bar.update(task, completed=done, total=total or None))


def _count(name: str, folder: Path | None) -> None:
    from whichword.corpora import counts_line, read_corpus

    corpus = read_corpus(name, data=folder)
    parts = {"train": corpus.train, "heldout": corpus.heldout, "test": corpus.test}
    counts = ", ".join(f"{len(documents):,} {part}" for part, documents in parts.items())
    words = sum(len(document.words) for documents in parts.values() for document in documents)
    say(escape.terminal(f"{corpus.name}: {counts} documents, {words:,} words, {len(corpus.classes)} classes"))
    if line := counts_line(corpus.record):
        say(escape.terminal(f"  {line}"))
