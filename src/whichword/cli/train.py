"""``whichword train``: a corpus in, a network out."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from whichword.cli.methods import NETWORKS
from whichword.cli.options import DataFolder, argument, no_file, option, path
from whichword.cli.printing import command, console, say, share
from whichword.training.settings import Training

if TYPE_CHECKING:
    from whichword.training.state import Position
    from whichword.types import Corpus

DEFAULTS = Training(batch=16, learning_rate=2e-3, spread=0.3)


def train(
    corpus: Annotated[
        str, argument("A corpus by name (see: whichword data), or a file: reviews.csv[text=review,label=stars].")
    ],
    network: Annotated[
        str, option("--network", help=f"{', '.join(NETWORKS)}, or one of an installed package.")
    ] = DEFAULTS.network,
    out: Annotated[
        Path | None,
        option(
            "--out", help="The folder of the network. [default: models/CORPUS-NETWORK]", callback=no_file, parser=path
        ),
    ] = None,
    both: Annotated[
        bool, option("--both/--forward", help="Read in both directions, where the network has one.")
    ] = True,
    embedding: Annotated[int, option("--embedding", help="Size of the word vectors.")] = DEFAULTS.embedding,
    hidden: Annotated[int, option("--hidden", help="Size of the main layer, per direction.")] = DEFAULTS.hidden,
    vectors: Annotated[
        Path | None, option("--vectors", help="Pretrained vectors, a GloVe text file.", parser=path)
    ] = None,
    vocabulary: Annotated[
        int, option("--vocabulary", help="Most frequent words that the network knows.")
    ] = DEFAULTS.vocabulary,
    cut: Annotated[int, option("--cut", help="Words after which a document is cut.")] = DEFAULTS.cut,
    batch: Annotated[int, option("--batch", help="Documents per step.")] = DEFAULTS.batch,
    learning_rate: Annotated[float, option("--learning-rate", help="Adam's step size.")] = DEFAULTS.learning_rate,
    spread: Annotated[float, option("--spread", help="Random word vectors are uniform on +- this.")] = DEFAULTS.spread,
    dropout: Annotated[float, option("--dropout", help="Share of units dropped in training.")] = DEFAULTS.dropout,
    patience: Annotated[
        int, option("--patience", help="Epochs without progress after which training ends.")
    ] = DEFAULTS.patience,
    epochs: Annotated[int, option("--epochs", help="Epochs at most.")] = DEFAULTS.epochs,
    head: Annotated[
        str, option("--head", help="softmax, or sigmoid: two classes, whose relevances are each other's opposite.")
    ] = DEFAULTS.head,
    seed: Annotated[int, option("--seed", help="Same seed, same network.")] = DEFAULTS.seed,
    double: Annotated[bool, option("--float64", help="Compute in double precision.")] = False,
    data: DataFolder = None,
) -> None:
    """Train a network on a corpus, or on a file of your own.

    It may be stopped at any moment: run the same command again to resume.

    Examples:
      whichword train docstrings --network cnn
      whichword train reviews.csv[text=review,label=stars] --out models/reviews
    """
    from whichword.corpora import read_corpus
    from whichword.networks import NETWORKS as REGISTRY

    settings = Training(
        network=network,
        bidirectional=both and REGISTRY[network].directional,
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
        head=head,
    )
    folder = out or Path("models") / f"{Path(corpus).stem}-{network}"
    _train(corpus, read_corpus(corpus, data=data, seed=seed), settings, folder)


def _train(spelling: str, corpus: "Corpus", settings: Training, folder: Path) -> None:
    from whichword.training.loop import train

    with Bar() as bar:
        trained = train(corpus, settings, folder, bar.show)
    accuracies = f"heldout {trained.heldout:.3f}, test {share(trained.test)}"
    say(f"{folder}: epoch {trained.position.best_epoch}, {accuracies}")
    say(f"next: {command('explain', folder, 'A text of yours.')}")
    say(f"      {command('trust', folder, '--corpus', spelling, '--out', Path('runs') / folder.name)}")


class Bar:
    """Progress on standard error: a bar in a terminal, a line per epoch elsewhere."""

    def __init__(self) -> None:
        self.console = console(stderr=True)
        columns = (BarColumn(20), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        self.bar = Progress(TextColumn("{task.description}"), *columns, console=self.console, transient=True)
        self.task = self.bar.add_task("reading")
        self.live = sys.stderr.isatty()

    def __enter__(self) -> "Bar":
        if self.live:
            self.bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self.live:
            self.bar.stop()

    def show(self, position: "Position", steps: int) -> None:
        """``steps`` = 0: an epoch has ended."""
        if not steps:
            line = position.log[-1]
            numbers = f"loss {line.loss:.4f}, heldout {line.heldout:.3f}, learning rate {line.learning_rate:g}"
            self.console.print(f"epoch {line.number}: {numbers}")
            self.bar.reset(self.task)  # a task that was once complete counts no time any more
        elif self.live:
            best = f", best {position.best:.3f}" if position.best_epoch else ""
            text = f"epoch {position.epoch + 1}{best}"
            self.bar.update(self.task, completed=position.steps, total=steps, description=text)
