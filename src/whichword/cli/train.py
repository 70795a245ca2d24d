"""``whichword train``: a corpus in, a network out."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from whichword.cli.app import app
from whichword.corpora import read_corpus
from whichword.networks import NETWORKS
from whichword.training import Training
from whichword.training import train as run_training
from whichword.training.state import Position

DEFAULTS = Training()


@app.command()
def train(
    corpus: Annotated[
        str, typer.Argument(help="A corpus by name (see: whichword data) or a .csv/.jsonl/.parquet file.")
    ],
    network: Annotated[str, typer.Option(help="gru, qgru, lstm, qlstm, cnn or linear.")] = DEFAULTS.network,
    out: Annotated[
        Path | None, typer.Option(help="The folder of the network. [default: models/CORPUS-NETWORK]")
    ] = None,
    both: Annotated[
        bool, typer.Option("--both/--forward", help="Read in both directions, where the network has one.")
    ] = True,
    embedding: Annotated[int, typer.Option(help="Size of the word vectors.")] = DEFAULTS.embedding,
    hidden: Annotated[int, typer.Option(help="Size of the main layer, one direction.")] = DEFAULTS.hidden,
    vectors: Annotated[Path | None, typer.Option(help="Pretrained vectors, a GloVe text file.")] = None,
    vocabulary: Annotated[int, typer.Option(help="Most frequent words that are known.")] = DEFAULTS.vocabulary,
    cut: Annotated[int, typer.Option(help="Words after which a document is cut.")] = DEFAULTS.cut,
    batch: Annotated[int, typer.Option(help="Documents a step.")] = 16,
    learning_rate: Annotated[float, typer.Option(help="Adam's step size.")] = 2e-3,
    spread: Annotated[float, typer.Option(help="Random word vectors are uniform on +- this.")] = 0.3,
    dropout: Annotated[float, typer.Option(help="Share of units dropped in training.")] = DEFAULTS.dropout,
    patience: Annotated[
        int, typer.Option(help="Epochs without progress after which training ends.")
    ] = DEFAULTS.patience,
    epochs: Annotated[int, typer.Option(help="Epochs at the most.")] = DEFAULTS.epochs,
    seed: Annotated[int, typer.Option(help="Same seed, same network.")] = DEFAULTS.seed,
    double: Annotated[bool, typer.Option("--float64", help="Compute in double precision.")] = False,
    data: Annotated[Path | None, typer.Option(help="Folder of the corpora. [default: $WHICHWORD_DATA]")] = None,
) -> None:
    """Train a network. The same command again continues a training that was stopped.

    Example: whichword train docstrings --network cnn
    """
    settings = Training(
        network=network,
        bidirectional=both and NETWORKS[network].directional,
        embedding=embedding,
        hidden=hidden,
        vocabulary=vocabulary,
        cut=cut,
        dropout=dropout,
        learning_rate=learning_rate,
        batch=batch,
        patience=patience,
        epochs=epochs,
        seed=seed,
        spread=spread,
        dtype="float64" if double else "float32",
        vectors=str(vectors) if vectors else None,
    )
    read = read_corpus(corpus, data=data, seed=seed)
    folder = out or Path("models") / f"{Path(corpus).stem}-{network}"
    with Bar() as bar:
        result = run_training(read, settings, folder, bar.show)
    print(f"{folder}: epoch {result.position.best_epoch}, heldout {result.heldout:.3f}, test {result.test:.3f}")


class Bar:
    """Progress on standard error: a bar in a terminal, a line an epoch elsewhere."""

    def __init__(self) -> None:
        self.console = Console(stderr=True, highlight=False)
        columns = (BarColumn(20), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        self.bar = Progress(TextColumn("{task.description}"), *columns, console=self.console, transient=True)
        self.task = self.bar.add_task("reading")
        self.live = sys.stderr.isatty()

    def __enter__(self) -> "Bar":
        if self.live:
            self.bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.bar.stop()

    def show(self, position: Position, steps: int) -> None:
        """``steps`` = 0: an epoch has ended."""
        if not steps:
            line = position.log[-1]
            numbers = f"loss {line.loss:.4f}, heldout {line.heldout:.3f}, learning rate {line.learning_rate:g}"
            self.console.print(f"epoch {line.number}: {numbers}", markup=False)
        elif self.live:
            best = f", best {position.best:.3f}" if position.best_epoch else ""
            text = f"epoch {position.epoch + 1}{best}"
            self.bar.update(self.task, completed=position.steps, total=steps, description=text)
