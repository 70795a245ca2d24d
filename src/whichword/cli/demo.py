"""``whichword demo``: small networks, all games, all methods, the tables and a recommendation, in minutes."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated

import torch
import typer
from rich.console import Console

from whichword.cli.app import app
from whichword.cli.evaluate import play
from whichword.corpora import read_corpus
from whichword.experiment.crew import cores, together
from whichword.experiment.lock import locked
from whichword.experiment.spec import Play, Spec
from whichword.reporting import FORMATS, recommend, table
from whichword.training import Training, train

DOCSTRINGS = Training(
    embedding=32,
    hidden=24,
    bidirectional=True,
    batch=16,
    learning_rate=5e-3,
    dropout=0.3,
    cut=200,
    epochs=10,
    patience=3,
)
GRAMMAR = Training(embedding=8, hidden=8, batch=32, learning_rate=5e-3, dropout=0.1)

# the grammar is easy: training ends early, so that there are wrong predictions to explain
NETWORKS: Mapping[str, Mapping[str, Training]] = {
    "docstrings": {
        "cnn": replace(DOCSTRINGS, network="cnn", hidden=32, bidirectional=False),
        "lstm": replace(DOCSTRINGS, network="lstm"),
        "qgru": replace(DOCSTRINGS, network="qgru"),
    },
    "grammar": {
        "lstm": replace(GRAMMAR, network="lstm", epochs=2),
        "gru": replace(GRAMMAR, network="gru", epochs=2),
        "qlstm": replace(GRAMMAR, network="qlstm", epochs=3),
        "qgru": replace(GRAMMAR, network="qgru", epochs=4),
    },
}


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="The demo's folder.")] = Path("demo"),
    workers: Annotated[int | None, typer.Option(help="Processes, one thread each. [default: all cores]")] = None,
) -> None:
    """Train seven small networks, play the hybrid and the agreement game with every method, and say what to use.

    Needs no network and no data. Run the same command again to resume; it says so when all is there.
    """
    console = Console(stderr=True, highlight=False)
    hands = workers or cores()
    models = Models(out / "models")
    with locked(out):
        for line in _trained(models, hands):
            console.print(line, markup=False)
        play(spec(models), out / "run", hands)
    shown = table([out / "run"])
    print(FORMATS["text"](shown))
    print(recommend(shown))
    print(f"\nnext: whichword explain {models.folder / models.names[0]} 'A sparse matrix.'")
    print(f"      whichword report {out / 'run'} --out {out / 'report.html'}")


@dataclass(frozen=True)
class Models:
    """Where the networks go; they are called corpus-network."""

    folder: Path

    @property
    def names(self) -> list[str]:
        return [f"{corpus}-{network}" for corpus, networks in NETWORKS.items() for network in networks]

    def done(self, name: str) -> bool:
        return (self.folder / name / "training" / "record.json").exists()


def _trained(models: Models, workers: int) -> Iterator[str]:
    """A line for each network; those that are done are only looked at, the others are trained side by side."""
    done = [name for name in models.names if models.done(name)]
    yield from map(open_training(models), done)
    yield from together(open_training, models, [name for name in models.names if name not in done], workers)


def open_training(models: Models) -> Callable[[str], str]:
    """A function that trains ``corpus-network``, or goes on with it, and says how well it does."""
    torch.set_num_threads(1)
    read = cache(read_corpus)

    def make(name: str) -> str:
        corpus, network = name.split("-")
        found = train(read(corpus), NETWORKS[corpus][network], models.folder / name, lambda position, steps: None)
        return f"{name}: {found.position.best_epoch} epochs, heldout {found.heldout:.3f}, test {found.test:.3f}"

    return make


def spec(models: Models) -> Spec:
    """The demo's run: every network on its own corpus, in the game that fits it, with every method."""
    groups = {corpus: tuple(f"{corpus}-{network}" for network in networks) for corpus, networks in NETWORKS.items()}
    plays = tuple(Play(group, (corpus,)) for corpus, group in groups.items())
    return Spec({name: str(models.folder / name) for name in models.names}, plays)
