"""``whichword data``: list, fetch and count corpora. ``whichword methods``: list what there is to choose from."""

import dataclasses
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from whichword.cli.options import DataFolder, argument, console, option, say
from whichword.errors import SettingError
from whichword.render import escape

if TYPE_CHECKING:
    from rich.text import Text


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
        raise SettingError("--fetch: name the corpora to fetch (whichword data lists them)")
    for name in corpora or []:
        if fetch:
            _fetch(name, folder)
        _count(name, folder)
    if not corpora:
        _list(folder)


def _list(folder: Path | None) -> None:
    from rich.table import Table
    from rich.text import Text

    from whichword.corpora import data_folder, describe  # loads numpy and more, like all imports inside commands

    table = Table(box=None, header_style="bold", padding=(0, 2, 1, 0))
    for title in ("corpus", "state", "size", "what it is, licence, and how to get it"):
        table.add_column(title, overflow="fold", no_wrap=title in ("corpus", "state", "size"))
    for row in describe(folder):
        size = f"{row.size / 2**20:.1f} MB" if row.size else ""
        how = [row.get] if row.state in ("missing", "elsewhere") else []
        about = "\n".join([row.source, row.licence, *how])
        cells = [Text(escape.terminal(cell)) for cell in (row.name, row.state, size)]  # Text: brackets are no markup
        table.add_row(*cells, Text("\n").join(Text(escape.terminal(line)) for line in about.split("\n")))
    console().print(table)
    say(f"\nfolder: {data_folder(folder)}")


def _fetch(name: str, folder: Path | None) -> None:
    from rich.progress import Progress  # here, not above: --help must not wait for it

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


# the names alone, because the networks themselves would load torch; a test holds them against the registry
NETWORKS = ("gru", "qgru", "lstm", "qlstm", "cnn", "linear")


def methods(
    spellings: Annotated[list[str] | None, argument("Methods to explain. [default: all]")] = None,
) -> None:
    """List the explanation methods: title, what they do, formula, settings.

    The first ones are "all"; those of other libraries, and a few more of ours, are "contestants" (-m all,contestants).
    A method with another setting is written name[setting=value], here, in specs and in tables; omit_N and occ_N
    work for any N from 1. Names of other tools (integrated_gradients, saliency, input_x_gradient, occlusion,
    leave_one_out) are understood. Parts of LRP are covered by patents: leave lrp out of a run where that matters.

    Examples:
      whichword methods
      whichword methods integrated_gradients occ_5 lrp[eps=1e-6]
    """
    from rich.table import Table

    from whichword.cli.options import names
    from whichword.methods import METHODS

    table = Table(box=None, header_style="bold", padding=(0, 2, 1, 0))
    table.add_column("method", no_wrap=True)
    table.add_column("what it is")
    for label, method in map(METHODS.resolve, names(spellings, "--method") or _every_name()):
        table.add_row(label, _words(label, method))
    console().print(table)
    if not spellings:
        say("networks: " + ", ".join(network_names()))


def _every_name() -> list[str]:
    """List what "all" stands for, then family by family."""
    from whichword.methods import METHODS

    return [name for family in ("", *METHODS.families()) for name in METHODS.names(family)]


def network_names() -> list[str]:
    """List our networks, and those of installed packages."""
    from importlib import metadata

    plugged_in = (point.name for point in metadata.entry_points(group="whichword.networks"))
    return list(dict.fromkeys((*NETWORKS, *plugged_in)))  # by entry points' names: to load them would load torch


def _words(label: str, method: object) -> "Text":
    """Stack title, line, formula and settings."""
    from rich.text import Text

    from whichword.method_names import words_of

    words, settings = words_of(label, method), _settings(method)
    lines = [Text(words.title, "bold"), Text(words.line), Text(words.formula, "cyan")]
    lines.append(Text(f"settings: {settings}" if settings else "", "dim"))
    return Text("\n").join(line for line in lines if line.plain)


def _settings(method: object) -> str:
    if not dataclasses.is_dataclass(method):
        return ""
    fields = [field for field in dataclasses.fields(method) if field.metadata.get("setting", True)]  # not `fixed` ones
    return ", ".join(f"{field.name}={str(getattr(method, field.name)).lower()}" for field in fields)
