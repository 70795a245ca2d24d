"""``whichword evaluate``: let models play games, and store relevances in a run folder.

``whichword merge``: unite the parts of a run that was made with ``--shard``.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from whichword.cli.options import (
    DECIDING_GAMES,
    AllMethods,
    BatchWords,
    ClassNames,
    ClusterAddress,
    CorpusNames,
    DataFolder,
    DocumentLimit,
    ExecutorName,
    Plugins,
    RunOut,
    Seed,
    Workers,
    argument,
    command,
    console,
    games_option,
    models_argument,
    names,
    option,
    path,
    say,
    several,
)
from whichword.errors import SettingError
from whichword.models import labelled
from whichword.registry import announce
from whichword.render import escape
from whichword.render.amounts import duration, size
from whichword.workers.tasks import Hands, RunPart, read_part

if TYPE_CHECKING:
    from whichword.planning.spec import Spec
    from whichword.playing.progress import Evaluated

TRIED = 10.0  # seconds of trying out, for --dry-run: nothing else is waited for
Typed = list[str] | None  # what was typed for an option that may be repeated


def evaluate(
    context: typer.Context,
    models: Annotated[list[str] | None, models_argument()] = None,
    model: Annotated[list[str] | None, several("--model", help="The same, as an option")] = None,
    corpus: CorpusNames = None,
    game: Annotated[list[str] | None, games_option(f"{DECIDING_GAMES}, deletion")] = None,
    method: AllMethods = None,
    classes: ClassNames = None,
    limit: DocumentLimit = None,
    seed: Seed = 0,
    plugin: Plugins = None,
    batch_words: BatchWords = None,
    data: DataFolder = None,
    spec: Annotated[
        Path | None,
        option("--spec", help="A TOML file instead of all this: many models, corpora and games.", parser=path),
    ] = None,
    out: RunOut = Path("run"),
    workers: Workers = None,
    executor: ExecutorName = None,
    address: ClusterAddress = None,
    shard: Annotated[
        str | None,
        option(
            "--shard",
            help="Make only part i of n (2/5), on machines that share nothing; whichword merge unites the parts.",
        ),
    ] = None,
    mixed: Annotated[
        bool, option("--mixed", help="Resume also on a processor that rounds otherwise; the run will say so.")
    ] = False,
    dry_run: Annotated[
        bool, option("--dry-run", help="Say how long it will take, by method, and how much disk; then end.")
    ] = False,
) -> None:
    """Let the methods play games on your models, and store every relevance.

    It may be stopped at any moment: run the same command again to resume.

    Examples:
      whichword evaluate models/docstrings-cnn --corpus docstrings --out runs/docstrings
      whichword evaluate --spec runs.toml --out runs/all
      whichword evaluate --spec runs.toml --dry-run
      whichword evaluate --spec runs.toml --shard 2/5 --out parts/2
    """
    announce(plugin or [])  # before names are read, which plug-ins may bring
    means = Means(Hands.of(workers, executor, address), mixed, None if shard is None else read_part(shard))
    if spec is not None:
        plan = _from_file(spec, context)
    else:
        spellings = [*(models or ()), *names(model, "--model")]
        if not spellings:
            raise SettingError("no model was named: whichword evaluate MODEL... --corpus CORPUS, or --spec FILE.toml")
        plan = typed_spec(spellings, corpus, game, method, classes, limit, seed, batch_words, data)
    if dry_run:
        foretell(plan, means)
        return
    evaluated = play(plan, out, means=means)
    say(f"next: {command('table', out) if evaluated.part is None else _to_merge(out)}")


def _to_merge(out: Path) -> str:
    return f"{command('merge', out)} PART... --out RUN"


def _from_file(spec: Path, context: typer.Context) -> "Spec":
    from whichword.planning.spec import read_spec  # not for --help, which must not wait for msgspec

    typed = {name for name in context.params if str(context.get_parameter_source(name)).endswith("COMMANDLINE")}
    # all else is in the file
    if typed - {"spec", "out", "workers", "executor", "address", "shard", "mixed", "plugin", "dry_run"}:
        raise SettingError(
            "--spec can be combined only with --out, --dry-run, --plugin, --workers, --executor, --shard ..."
        )
    return read_spec(spec)


def typed_spec(
    models: Sequence[str],
    corpus: Typed,
    game: Typed,
    method: Typed,
    classes: Typed,
    limit: int | None,
    seed: int,
    batch_words: int | None,
    data: Path | None,
) -> "Spec":
    """Build a spec in which every model plays every game on every corpus, from options of `evaluate` and `trust`."""
    from whichword.planning.spec import Play, Spec, read_mapping

    corpora = names(corpus, "--corpus")
    if not corpora:
        raise SettingError("no corpus was named: add --corpus CORPUS (whichword data lists them)")
    labels, games, methods = labelled(models), names(game, "--game"), names(method, "--method") or ["all"]
    play = Play(tuple(labels), tuple(corpora), tuple(games), tuple(methods), limit, read_mapping(classes or []))
    return Spec(labels, (play,), seed, batch_words, data=data)


@dataclass(frozen=True)
class Means:
    """The means by which a run is made, which results do not depend on and a spec does not hold."""

    hands: Hands = field(default_factory=Hands.of)
    mixed: bool = False
    part: RunPart | None = None


def play(spec: "Spec", out: Path, workers: int | None = None, means: Means | None = None) -> "Evaluated":
    """Evaluate with progress on standard error; an interruption leaves a run that can be resumed."""
    from whichword.cli.progress import Display
    from whichword.playing.make import evaluate
    from whichword.runs.run import remarks

    means = means or Means(Hands.of(workers))
    workers, executor, address = means.hands.workers, means.hands.executor, means.hands.address
    with Display(workers) as display:
        evaluated = evaluate(spec, out, workers, display, executor, means.mixed, address=address, part=means.part)
    what = "" if evaluated.part is None else f" of part {evaluated.part}"
    if evaluated.computed:
        say(f"{out}: {evaluated.computed} shards{what} made, {evaluated.reused} were there")
    else:
        say(f"{out}: complete{what}, nothing to do")
    for pairing in () if evaluated.part else evaluated.run.plan.pairings:  # a part lacks most receipts
        for remark in remarks(evaluated.run, pairing):
            say(escape.terminal(f"{evaluated.run.plan.title(pairing)}: {remark}"))
    return evaluated


def foretell(spec: "Spec", means: Means) -> None:
    """Print what the spec will take: a few documents are tried, nothing is stored."""
    from whichword.planning.costs import forecast
    from whichword.planning.prepare import prepare

    screen = console()
    console(stderr=True).print("reading models and corpora, then trying them out ...")
    prepared = prepare(spec)
    planning = time.process_time()  # since the process began: a run loads and reads the same
    shards = list(prepared.plan.shards)
    told = forecast(prepared, shards if means.part is None else means.part.of(shards), TRIED)
    for title, methods in told.pairings.items():
        screen.print(Text(escape.terminal(title)))
        screen.print(_table(methods))
    workers = told.workers(means.hands)
    seconds = planning + told.seconds
    print(f"reading and planning: {duration(planning)}")
    print(f"in all: {duration(seconds)} of one core ({seconds / 3600:.3g} core-hours)")
    if workers > 1:
        print(f"with {workers} workers: about {duration(planning + told.seconds / workers)}")
    print(f"disk: {size(told.disk)}, in {told.shards:,} shards")


def _table(seconds: Mapping[str, float]) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(justify="left")
    table.add_column(justify="right")
    for name, spent in sorted(seconds.items(), key=lambda row: -row[1]):
        table.add_row(Text(f"  {name}"), duration(spent))  # Text: brackets of settings are no markup
    return table


def merge(
    parts: Annotated[list[Path], argument("The folders that evaluate --shard i/n wrote.", parser=path)],
    out: RunOut = Path("run"),
) -> None:
    """Unite the parts of a run that machines made apart.

    Every byte is verified; a shard that is missing or damaged, or a folder that is no part of this run, is named.
    What is there is kept, so the command may be run again with the parts that were missing.

    Example:
      whichword merge parts/* --out runs/all
    """
    from whichword.playing.merge import merge

    merged = merge(parts, out)
    total = len(merged.run.plan.shards)
    say(f"{out}: {merged.taken} shards taken from {len(parts)} parts, {total - merged.taken} were there")
    say(f"next: {command('table', out)}")
