"""``whichword demo``: small networks, all games, all methods, the tables and a recommendation, in minutes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import torch
import typer
from rich.console import Console

from whichword.cli.app import app
from whichword.cli.evaluate import play
from whichword.corpora import read_corpus
from whichword.experiment.crew import together
from whichword.experiment.lock import locked
from whichword.experiment.runner import cores
from whichword.experiment.spec import Play, Spec
from whichword.report import FORMATS, recommend, table
from whichword.training import Training, train

NETWORKS: Mapping[str, tuple[str, ...]] = {
    "docstrings": ("cnn", "lstm", "qgru"),
    "grammar": ("lstm", "gru", "qlstm", "qgru"),
}
SETTINGS: Mapping[str, Training] = {
    "docstrings": Training(
        embedding=32, hidden=32, batch=16, learning_rate=5e-3, dropout=0.3, cut=200, epochs=8, patience=3
    ),
    "grammar": Training(embedding=16, hidden=16, batch=32, learning_rate=5e-3, dropout=0.2, epochs=6, patience=2),
}
LIMITS = {"docstrings": 60, "grammar": 300}


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="The demo's folder.")] = Path("demo"),
    workers: Annotated[int | None, typer.Option(help="Processes, one thread each. [default: all cores]")] = None,
) -> None:
    """Train seven small networks, play the hybrid and the agreement game with every method, and say what to use.

    Needs no network and no data. The same command again goes on where it was stopped, or says that all is there.
    """
    console = Console(stderr=True, highlight=False)
    hands = workers or cores()
    with locked(out):
        tasks = [f"{corpus}-{network}" for corpus, networks in NETWORKS.items() for network in networks]
        for line in together(open_training, Models(out / "models"), tasks, hands):
            console.print(line, markup=False)
        play(spec(out), out / "run", hands)
    shown = table([out / "run"])
    print(FORMATS["text"](shown))
    print(recommend(shown))
    print(f"\nnext: whichword explain {out / 'models' / tasks[0]} TEXT; whichword table {out / 'run'} --format latex")


def spec(out: Path) -> Spec:
    """The demo's run."""
    names = {corpus: tuple(f"{corpus}-{network}" for network in networks) for corpus, networks in NETWORKS.items()}
    folders = {name: out / "models" / name for group in names.values() for name in group}
    plays = tuple(Play(group, (corpus,), limit=LIMITS[corpus]) for corpus, group in names.items())
    return Spec(folders, plays)


@dataclass(frozen=True)
class Models:
    """Where the networks go."""

    folder: Path


def open_training(models: Models) -> Callable[[str], str]:
    """In a worker: a function that trains ``corpus-network`` and says how well it does."""
    torch.set_num_threads(1)

    def make(name: str) -> str:
        corpus, network = name.split("-")
        settings = _settings(corpus, network)
        result = train(read_corpus(corpus), settings, models.folder / name, lambda position, steps: None)
        return f"{name}: {result.position.best_epoch} epochs, heldout {result.heldout:.3f}, test {result.test:.3f}"

    return make


def _settings(corpus: str, network: str) -> Training:
    from dataclasses import replace

    return replace(SETTINGS[corpus], network=network)
