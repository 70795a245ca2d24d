"""``whichword demo``: small networks, all games, all methods, the verdicts and a report, in minutes.

A stamp, one hash of all that the demo depends on, says whether anything has to be looked at again.
"""

import hashlib
import json
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from whichword.base import files
from whichword.cli.evaluate import play
from whichword.cli.options import Workers, command, console, no_file, option, path, say, share
from whichword.errors import InputError
from whichword.render import escape
from whichword.training.settings import Training

if TYPE_CHECKING:
    from whichword.planning.spec import Spec
    from whichword.workers.tasks import Hands
    from whichword.workers.trainings import TrainingTask

LIBRARIES = ("torch", "numpy", "scipy", "pyarrow", "nltk")  # the prose of SciPy is a corpus of the demo


def stamp(folder: Path) -> str:
    """Hash the package's files, the libraries' versions and the demo's networks and run, without importing any."""
    digest = hashlib.sha256(" ".join([platform.python_version(), *map(_version, LIBRARIES)]).encode())
    for file in (*_files(Path(__file__).parents[1]), *_files(folder / "models"), *_files(folder / "run")):
        digest.update(file.name.encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _version(library: str) -> str:
    try:
        return f"{library} {version(library)}"
    except PackageNotFoundError:
        return library  # missing: the stamp changes once it is installed


def _files(folder: Path) -> Iterator[Path]:
    """List files in one order, without what Python leaves behind."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return (path for path in paths if "__pycache__" not in path.parts and path.name != "lock")  # the lock holds a pid


REPORT, STAMP = "report.html", "stamp"
SCREEN = 28  # lines for the verdicts, so that all that is printed fits on one screen

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
        "cnn": replace(DOCSTRINGS, network="cnn", hidden=32, bidirectional=False),  # it has no direction
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


def demo(
    out: Annotated[Path, option("--out", help="The demo's folder.", callback=no_file, parser=path)] = Path("demo"),
    workers: Workers = None,
    tables: Annotated[bool, option("--tables", help="Print all tables before the verdicts.")] = False,
) -> None:
    """Small networks, two games, all methods, verdicts and a report, in minutes.

    Trains seven networks, plays the hybrid and the agreement game with every method, and says what to use. Needs no
    data and nothing from elsewhere. It may be stopped at any moment: run the same command again to resume.

    Example:
      whichword demo --out demo
    """
    from whichword.base.files import locked
    from whichword.workers.tasks import Hands

    lines = console(stderr=True)
    models, hands = Models(out / "models"), Hands.of(workers)
    with locked(out):  # two demos would train into the same folders
        for line in _trained(models, hands):
            lines.print(escape.terminal(line))
        if not _unchanged(out):
            play(spec(models), out / "run", hands.workers)
            _report(out)
            files.write(out / STAMP, stamp(out).encode("utf8"))  # last: a demo that was killed has none
    _print_results(out / "run", tables)  # after the lock: others may read too
    say(f"report: {out / REPORT}")
    say(f"next: {command('explain', models.folder / models.names[0], 'A sparse matrix.')}")


def _print_results(run: Path, tables: bool) -> None:
    from whichword.reporting import FORMATS, recommend, table
    from whichword.reporting.screen import screen

    results = table([run])
    if tables:
        print(FORMATS["text"](results))
    print(f"\n{screen(recommend(results).advice, SCREEN)}\n")


def _unchanged(out: Path) -> bool:
    """Tell whether the last demo in this folder came to its end, and would come to the same end again."""
    path = out / STAMP
    return path.exists() and (out / REPORT).exists() and path.read_text("utf8") == stamp(out)


def _report(out: Path) -> None:
    from whichword.reporting.page.page import write_report

    write_report([out / "run"], out / REPORT)


@dataclass(frozen=True)
class Models:
    """The folder of the networks, which are called corpus-network."""

    folder: Path

    @property
    def names(self) -> list[str]:
        return [f"{corpus}-{network}" for corpus, networks in NETWORKS.items() for network in networks]

    def task(self, name: str) -> "TrainingTask":
        from whichword.workers.trainings import TrainingTask

        corpus, network = name.split("-")
        return TrainingTask(corpus, NETWORKS[corpus][network], self.folder / name)

    def done(self, name: str) -> bool:
        return self._record(name).exists()

    def line(self, name: str) -> str:
        """Say what is recorded of a trained network; the run's plan checks what it was trained with."""
        try:
            record = json.loads(files.read(self._record(name)))
            return _line(name, record["position"]["best_epoch"], record["heldout"], record["test"])
        except (ValueError, LookupError, TypeError):
            raise InputError(f"{self._record(name)}: not the record of a training; remove its folder") from None

    def _record(self, name: str) -> Path:
        return self.folder / name / "training" / "record.json"


def _line(name: str, epochs: int, heldout: float, test: float | None) -> str:
    return f"{name}: {epochs} epochs, heldout {heldout:.3f}, test {share(test)}"


def _trained(models: Models, hands: "Hands") -> Iterator[str]:
    """Yield a line per network; those that are done are only looked at, the others are trained side by side."""
    from whichword.workers.trainings import TrainingJob, train_all

    done = [name for name in models.names if models.done(name)]
    yield from map(models.line, done)
    tasks = {name: models.task(name) for name in models.names if name not in done}
    for network in train_all(TrainingJob(tasks, telling=False), hands.workers, say) if tasks else ():
        yield _line(network.name, network.epoch, network.heldout, network.test)


def spec(models: Models) -> "Spec":
    """Build the demo's run: every network on its own corpus, in the game that fits it, with every method."""
    from whichword.planning.spec import Play, Spec

    groups = {corpus: tuple(f"{corpus}-{network}" for network in networks) for corpus, networks in NETWORKS.items()}
    plays = tuple(Play(group, (corpus,)) for corpus, group in groups.items())
    return Spec({name: str(models.folder / name) for name in models.names}, plays)
