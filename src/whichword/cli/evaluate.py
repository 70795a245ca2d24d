"""``whichword evaluate``: models play games; relevances go to a run folder."""

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table as RichTable
from rich.text import Text

from whichword.cli.app import app
from whichword.errors import InputError
from whichword.experiment.plan import RunPlan
from whichword.experiment.progress import Estimate
from whichword.experiment.runner import Evaluated, cores
from whichword.experiment.runner import evaluate as run_evaluation
from whichword.experiment.spec import Play, Spec, labelled, read_spec
from whichword.experiment.store import Receipt
from whichword.reporting.numbers import rate

EVERY = 15.0  # seconds between plain lines


@app.command()
def evaluate(
    models: Annotated[list[Path] | None, typer.Argument(help="Folders of networks.")] = None,
    out: Annotated[Path, typer.Option(help="The run's folder.")] = Path("run"),
    corpus: Annotated[list[str] | None, typer.Option(help="A corpus (see: whichword data); may be repeated.")] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(help="hybrid, agreement or manual; may be repeated. [default: the one that fits the corpus]"),
    ] = None,
    methods: Annotated[
        list[str] | None, typer.Option("--methods", "-m", help="Names or all; may be repeated. [default: all]")
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Documents at the most, a random sample.")] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same run.")] = 0,
    spec: Annotated[Path | None, typer.Option(help="A TOML file instead: many models, corpora and games.")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes, one thread each. [default: all cores]")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder of the corpora. [default: $WHICHWORD_DATA]")] = None,
) -> None:
    """Play pointing games and store every relevance. The same command again goes on where it was stopped.

    Example: whichword evaluate models/docstrings-cnn --corpus docstrings --out runs/docstrings
    """
    if spec is not None:
        if models or corpus or game or methods or limit is not None or seed or data:
            raise InputError("--spec says all: give it alone, with --out and --workers")
        wanted = read_spec(spec)
    else:
        wanted = _wanted(models or [], corpus or [], game or [], methods or ["all"], limit, seed, data)
    play(wanted, out, workers or cores())
    print(f"next: whichword table {out}")


def _wanted(
    models: Sequence[Path],
    corpora: Sequence[str],
    games: Sequence[str],
    methods: Sequence[str],
    limit: int | None,
    seed: int,
    data: Path | None,
) -> Spec:
    if not models:
        raise InputError("no model was named: whichword evaluate MODEL... --corpus CORPUS, or --spec FILE.toml")
    if not corpora:
        raise InputError("no corpus was named: add --corpus CORPUS (whichword data lists them)")
    named = labelled(models)
    listed = tuple(name for spelling in methods for name in _names(spelling))
    return Spec(named, (Play(tuple(named), tuple(corpora), tuple(games), listed, limit),), seed, data=data)


def _names(spelling: str) -> list[str]:
    """``lrp,omit_1`` is two names, but the comma in ``x[a=1,b=2]`` separates settings."""
    names, depth = [""], 0
    for mark in spelling:
        depth += (mark == "[") - (mark == "]")
        if mark == "," and depth == 0:
            names.append("")
        else:
            names[-1] += mark
    return [name.strip() for name in names if name.strip()]


def play(spec: Spec, out: Path, workers: int) -> Evaluated:
    """Evaluate with progress on standard error; an interruption leaves a run that goes on."""
    with Display(workers) as display:
        done = run_evaluation(spec, out, workers, display)
    if done.made:
        print(f"{out}: {done.made} shards made, {done.kept} were there")
    else:
        print(f"{out}: all is there")
    return done


class Display:
    """A table of methods in a terminal, plain lines elsewhere."""

    def __init__(self, workers: int) -> None:
        self.console = Console(stderr=True, highlight=False)
        self.workers = workers
        self.live = Live(console=self.console, transient=True, auto_refresh=False) if sys.stderr.isatty() else None
        self.estimate: Estimate | None = None
        self.said = time.monotonic()

    def __enter__(self) -> "Display":
        if self.live:
            self.live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if self.live:
            self.live.stop()
        if kind is KeyboardInterrupt and self.estimate:
            done, total = self.estimate.shards
            self._line(f"stopped: {done} of {total} shards were made, and they are kept")

    def planned(self, plan: RunPlan, todo: Sequence[str], damaged: Sequence[str]) -> None:
        self.estimate = Estimate(plan, todo, min(self.workers, len(todo)))
        for trouble in damaged:
            self._line(f"made again: {trouble}")
        for pairing in plan.pairings:
            absent = f" ({', '.join(pairing.undefined)}: not defined)" if pairing.undefined else ""
            documents, methods = plan.set(pairing.set).items, len(pairing.methods)
            self._line(f"{plan.title(pairing)}: {documents} documents, {methods} methods{absent}")
        self._line(f"{len(plan.shards)} shards, {len(todo)} to do")

    def made(self, receipt: Receipt) -> None:
        if self.estimate is None:
            return
        self.estimate.add(receipt)
        if self.live:
            self.live.update(_board(self.estimate), refresh=True)
        elif time.monotonic() - self.said > EVERY:
            self.said = time.monotonic()
            for line in _plain(self.estimate):
                self._line(line)

    def judging(self, title: str) -> None:
        if self.live:
            self.live.update(Text(f"judging {title}"), refresh=True)

    def _line(self, text: str) -> None:
        self.console.print(text, markup=False, soft_wrap=True)


def _board(estimate: Estimate) -> Group:
    done, total = estimate.shards
    table = RichTable(box=None, header_style="bold", pad_edge=False)
    for title in ("method", "documents", "a second", "left"):
        table.add_column(title, justify="left" if title == "method" else "right")
    for line in estimate.lines():
        table.add_row(line.method, f"{line.done}/{line.total}", rate(line.rate), _clock(line.left))
    head = Text(f"{done} of {total} shards, {_clock(estimate.left())} left")
    return Group(table, head, ProgressBar(total, done, width=60))


def _plain(estimate: Estimate) -> list[str]:
    """One line in all, and one for the methods that share passes and so have one rate."""
    done, total = estimate.shards
    shared: dict[tuple[str, str], list[str]] = {}
    for line in estimate.lines():
        shared.setdefault((rate(line.rate), _clock(line.left)), []).append(line.method)
    lines = [
        f"  {speed} documents a second, {left} left: {', '.join(names)}" for (speed, left), names in shared.items()
    ]
    return [f"{done} of {total} shards, {_clock(estimate.left())} left", *lines]


def _clock(seconds: float | None) -> str:
    if seconds is None:
        return "?"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
