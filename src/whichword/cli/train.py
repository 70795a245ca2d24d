"""``whichword train``: train a network on a corpus, or several side by side."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from whichword.cli.data import NETWORKS
from whichword.cli.options import (
    DataFolder,
    Workers,
    argument,
    at_least_one,
    command,
    console,
    names,
    no_file,
    option,
    path,
    say,
    several,
    share,
)
from whichword.errors import FileError
from whichword.render import escape
from whichword.training.settings import Training

if TYPE_CHECKING:
    from whichword.training.state import Position

DEFAULTS = Training(batch=16, learning_rate=2e-3, spread=0.3)  # the paper's but for these, for users' own texts


def train(
    corpus: Annotated[
        str, argument("A corpus by name (see: whichword data), or a file: reviews.csv[text=review,label=stars].")
    ],
    network: Annotated[
        list[str] | None,
        several("--network", help=f"{', '.join(NETWORKS)}, or one of an installed package", default=DEFAULTS.network),
    ] = None,
    out: Annotated[
        Path | None,
        option(
            "--out",
            help="The folder of the network; of several networks, the folder that theirs are put into."
            " [default: models/CORPUS-NETWORK]",
            callback=no_file,
            parser=path,
        ),
    ] = None,
    both: Annotated[
        bool, option("--both/--forward", help="Read in both directions, where the network reads in order.")
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
    seeds: Annotated[
        int, option("--seeds", help="Networks of each kind, with the seeds from --seed on.", callback=at_least_one)
    ] = 1,
    double: Annotated[bool, option("--float64", help="Compute in double precision.")] = False,
    data: DataFolder = None,
    workers: Workers = None,
) -> None:
    """Train a network on a corpus or a file of your own; or several, side by side.

    It may be stopped at any moment: run the same command again to resume.

    Examples:
      whichword train docstrings --network cnn
      whichword train reviews.csv[text=review,label=stars] --out models/reviews
      whichword train docstrings --network cnn,lstm --seeds 3 --workers 2
    """
    from whichword.networks import NETWORKS as REGISTRY  # loads torch
    from whichword.workers.processes import cores

    settings = Training(
        embedding=embedding,
        hidden=hidden,
        vocabulary=vocabulary,
        cut=cut,
        dropout=dropout,
        learning_rate=learning_rate,
        batch=batch,
        patience=patience,
        epochs=epochs,
        spread=spread,
        dtype="float64" if double else "float32",
        vectors=str(vectors) if vectors else None,
        head=head,
    )
    variants = [
        replace(settings, network=name, bidirectional=both and REGISTRY[name].directional, seed=seed + number)
        for name in dict.fromkeys(names(network, "--network") or [DEFAULTS.network])
        for number in range(seeds)
    ]
    if len(variants) == 1:  # its folder is ``out`` itself, with a bar; several share the terminal line by line
        _train(corpus, variants[0], out or Path("models") / f"{Path(corpus).stem}-{variants[0].network}", data)
    else:
        folders = _folders(corpus, variants, out or Path("models"), seeds)
        _train_all(corpus, dict(zip(folders, variants, strict=True)), data, workers or cores())


def _folders(corpus: str, variants: Sequence[Training], out: Path, seeds: int) -> list[Path]:
    """Name a folder per network in ``out``, which may hold nothing but folders."""
    if out.is_dir() and (file := next((path for path in out.iterdir() if path.is_file()), None)):  # maybe a network
        raise FileError(f"{out} holds other files ({file.name}): several networks need a folder of folders")
    names = [f"{Path(corpus).stem}-{variant.network}" for variant in variants]
    return [
        out / (f"{name}-seed{variant.seed}" if seeds > 1 else name)
        for name, variant in zip(names, variants, strict=True)
    ]


def _train_all(spelling: str, variants: Mapping[Path, Training], data: Path | None, workers: int) -> None:
    """Train networks side by side, with a line per epoch and network."""
    from whichword.workers.trainings import TrainingJob, TrainingTask, train_all

    tasks = {str(folder): TrainingTask(spelling, settings, folder) for folder, settings in variants.items()}
    notice = console(stderr=True).print
    for network in train_all(TrainingJob(tasks, data), workers, lambda text: notice(escape.terminal(text))):
        say(_line(network.name, network.epoch, network.heldout, network.test))
    say(f"next: {command('trust', *variants, '--corpus', spelling)}")


def _train(spelling: str, settings: Training, folder: Path, data: Path | None) -> None:
    from whichword.corpora import read_corpus
    from whichword.training.loop import train

    corpus = read_corpus(spelling, data=data, seed=settings.seed)
    with Bar() as bar:
        trained = train(corpus, settings, folder, bar.show)
    say(_line(folder, trained.position.best_epoch, trained.heldout, trained.test))
    say(f"next: {command('explain', folder, 'A text of yours.')}")
    say(f"      {command('trust', folder, '--corpus', spelling, '--out', Path('runs') / folder.name)}")


def _line(folder: str | Path, epoch: int, heldout: float, test: float | None) -> str:
    return f"{folder}: epoch {epoch}, heldout {heldout:.3f}, test {share(test)}"


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
        """Show progress; ``steps`` = 0: an epoch has ended."""
        if not steps:
            line = position.log[-1]
            numbers = f"loss {line.loss:.4f}, heldout {line.heldout:.3f}, learning rate {line.learning_rate:g}"
            self.console.print(f"epoch {line.number}: {numbers}")
            self.bar.reset(self.task)  # a task that was once complete counts no time any more
        elif self.live:
            best = f", best {position.best:.3f}" if position.best_epoch else ""
            text = f"epoch {position.epoch + 1}{best}"
            self.bar.update(self.task, completed=position.steps, total=steps, description=text)
