"""``whichword evaluate``: models play games; relevances go to a run folder."""

import sys
import time
from collections.abc import Sequence
from dataclasses import replace
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
from whichword.experiment.crew import cores
from whichword.experiment.mapping import read_mapping
from whichword.experiment.plan import RunPlan
from whichword.experiment.progress import Estimate, Evaluated
from whichword.experiment.spec import Play, Spec, read_spec
from whichword.experiment.store import Receipt
from whichword.models import labelled
from whichword.reporting.numbers import rate

EVERY = 15.0  # seconds between plain lines


@app.command()
def evaluate(
    models: Annotated[
        list[str] | None, typer.Argument(help="Models: folders of networks, or what a plug-in opens.")
    ] = None,
    out: Annotated[Path, typer.Option(help="The run's folder.")] = Path("run"),
    corpus: Annotated[list[str] | None, typer.Option(help="A corpus (see: whichword data); may be repeated.")] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(help="hybrid, agreement or manual; may be repeated. [default: the one that fits the corpus]"),
    ] = None,
    methods: Annotated[
        list[str] | None,
        typer.Option("--method", "--methods", "-m", help="Names with commas, or all; may be repeated. [default: all]"),
    ] = None,
    classes: Annotated[
        list[str] | None,
        typer.Option(help="Which class of the models a label of the corpus is, where names differ: neg=0,pos=1."),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Documents at the most, a random sample.")] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same run.")] = 0,
    spec: Annotated[Path | None, typer.Option(help="A TOML file instead: many models, corpora and games.")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes, one thread each. [default: all cores]")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder of the corpora. [default: $WHICHWORD_DATA]")] = None,
    mixed: Annotated[
        bool, typer.Option("--mixed", help="Resume also on a processor that rounds otherwise; the run will say so.")
    ] = False,
) -> None:
    """Play pointing games and store every relevance. Run the same command again to resume.

    Example: whichword evaluate models/docstrings-cnn --corpus docstrings --out runs/docstrings
    """
    if spec is not None:
        if models or corpus or game or methods or classes or limit is not None or seed or data:
            raise InputError("--spec says all: give it alone, with --out, --workers and --mixed")
        whole = read_spec(spec)
    else:
        names = tuple(name for spelling in methods or ["all"] for name in _names(spelling))
        mapping = read_mapping(classes or [])
        whole = _spec(models or [], Play((), tuple(corpus or ()), tuple(game or ()), names, limit, mapping), seed, data)
    play(whole, out, workers, mixed)
    print(f"next: whichword table {out}")


def _spec(models: Sequence[str], play: Play, seed: int, data: Path | None) -> Spec:
    """One play of all models."""
    if not models:
        raise InputError("no model was named: whichword evaluate MODEL... --corpus CORPUS, or --spec FILE.toml")
    if not play.corpora:
        raise InputError("no corpus was named: add --corpus CORPUS (whichword data lists them)")
    spellings = labelled(models)
    return Spec(spellings, (replace(play, models=tuple(spellings)),), seed, data=data)


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


def play(spec: Spec, out: Path, workers: int | None = None, mixed: bool = False) -> Evaluated:
    """Evaluate with progress on standard error; an interruption leaves a run that can be resumed."""
    from whichword.experiment.runner import evaluate as run_evaluation  # torch, which no other command waits for

    processes = workers or cores()
    with Display(processes) as display:
        done = run_evaluation(spec, out, processes, display, mixed=mixed)
    if done.computed:
        print(f"{out}: {done.computed} shards made, {done.reused} were there")
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
        self.last_line = time.monotonic()

    def __enter__(self) -> "Display":
        if self.live:
            self.live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *details: object) -> None:
        if self.live:
            self.live.stop()
        if kind is KeyboardInterrupt and self.estimate:
            done, total = self.estimate.shards
            self._line(
                f"stopped: {done} of {total} shards were made, and they are kept: run the same command again to resume"
            )

    def planned(self, plan: RunPlan, todo: Sequence[str], damaged: Sequence[str]) -> None:
        self.estimate = Estimate(plan, todo, min(self.workers, len(todo)))
        for trouble in damaged:
            self._line(f"made again: {trouble}")
        for pairing in plan.pairings:
            absent = "".join(f"; {name} is n/a: {reason}" for name, reason in pairing.undefined.items())
            documents, methods = plan.set(pairing.set).items, len(pairing.methods)
            self._line(f"{plan.title(pairing)}: {documents} documents, {methods} methods{absent}")
        self._line(f"{len(plan.shards)} shards, {len(todo)} to do")

    def made(self, receipt: Receipt) -> None:
        if self.estimate is None:
            return
        self.estimate.add(receipt)
        if self.live:
            self.live.update(_board(self.estimate), refresh=True)
        elif time.monotonic() - self.last_line > EVERY:
            self.last_line = time.monotonic()
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
    for title in ("method", "documents", "per second", "left"):
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
        f"  {speed} documents per second, {left} left: {', '.join(names)}" for (speed, left), names in shared.items()
    ]
    return [f"{done} of {total} shards, {_clock(estimate.left())} left", *lines]


def _clock(seconds: float | None) -> str:
    if seconds is None:
        return "?"
    minutes, left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{left:02d}" if hours else f"{minutes}:{left:02d}"
