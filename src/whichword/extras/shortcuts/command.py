"""``whichword shortcut``: plant words that decide, train a copy to go by them, and see which method points at them."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from whichword.cli.app import listed
from whichword.cli.evaluate import play
from whichword.cli.options import DataFolder, Workers, argument, command, methods_option, names, option, path, say
from whichword.errors import InputError

if TYPE_CHECKING:
    from whichword.extras.shortcuts.shortcut import Gates, Learn
    from whichword.types import Corpus


@listed(20)
def shortcut(
    model: Annotated[str, argument("A network to train (cnn, lstm, ...), or hf:FOLDER, a model to fine-tune.")],
    corpus: Annotated[str, option("--corpus", help="A corpus or file (see: whichword data).")],
    kind: Annotated[str, option("--kind", help="single, context, ordered or xor.")] = "single",
    documents: Annotated[
        int | None, option("--documents", help="Training texts at most; a quarter as many test texts.")
    ] = None,
    epochs: Annotated[int, option("--epochs", help="Epochs at most.")] = 10,
    learning_rate: Annotated[
        float | None, option("--learning-rate", help="[default: 0.002 for networks, 0.00005 for fine-tuning]")
    ] = None,
    hidden: Annotated[int, option("--hidden", help="Size of a network's main layer, per direction.")] = 50,
    cut: Annotated[int, option("--cut", help="Words after which a text is cut.")] = 60,
    method: Annotated[list[str] | None, methods_option("all")] = None,
    seed: Annotated[int, option("--seed", help="Same seed, same plants, same copies.")] = 0,
    data: DataFolder = None,
    out: Annotated[Path, option("--out", help="The folder of plants, copies and run.", parser=path)] = Path("shortcut"),
    workers: Workers = None,
) -> None:
    """Judge methods by planted words that a copy of a model learns to go by.

    Half of the training texts get planted words and the label that these give. Two gates say whether the game is
    valid: a copy trained on them must be nearly always right on planted texts, and a copy trained without plants must
    be at chance there. Then the shortcut game is played with the copy that learnt the plants.

    It may be stopped at any moment: run the same command again to resume.

    Examples:
      whichword shortcut cnn --corpus docstrings --out shortcut-cnn
      whichword shortcut hf:models/minilm --corpus docstrings --kind ordered --documents 1500
    """
    from whichword.corpora import read_corpus
    from whichword.extras.shortcuts.shortcut import Planting, shortcut
    from whichword.planning.spec import Play, Spec

    planting = Planting(kind, cut=cut, seed=seed)
    source = _sized(read_corpus(corpus, data=data, seed=seed), documents)
    learn = _learner(model, epochs, learning_rate, hidden, cut, seed)
    planned = shortcut(source, planting, learn, out)
    print(_gates(planned.gates))
    if troubles := planned.gates.troubles:  # figures of an invalid game would mislead
        raise InputError(f"the game is not valid: {'; '.join(troubles)}; more texts or epochs may help")
    label = model.removeprefix("hf:").rstrip("/").rpartition("/")[2]
    once = Play((label,), (planned.corpus,), ("shortcut",), tuple(names(method, "--method") or ["all"]))
    play(Spec({label: planned.planted}, (once,), seed), out / "run", workers)
    say(f"next: {command('table', out / 'run')}")


def _gates(gates: "Gates") -> str:
    rates = f"with plants {gates.planted:.3f} right, without {gates.plain:.3f}, chance {gates.chance:.2f}"
    return f"gates, on {gates.texts} planted texts: {rates}"


def _sized(corpus: "Corpus", documents: int | None) -> "Corpus":
    """Sample so many training texts, by the hash of their content."""
    from whichword.planning.items import sample

    if documents is None:
        return corpus
    heldout, test = (sample(part, documents // 4 + 1, 0) for part in (corpus.heldout, corpus.test))
    return replace(corpus, train=sample(corpus.train, documents, 0), heldout=heldout, test=test)


def _learner(model: str, epochs: int, rate: float | None, hidden: int, cut: int, seed: int) -> "Learn":
    if model.startswith("hf:"):
        return _fine_tuner(Path(model.removeprefix("hf:")), epochs, rate or 5e-5, seed)
    return _trainer(model, epochs, rate or 2e-3, hidden, cut + 4, seed)  # + 4: a cut text and its plant


def _trainer(network: str, epochs: int, rate: float, hidden: int, cut: int, seed: int) -> "Learn":
    from whichword.cli.train import Bar
    from whichword.networks import NETWORKS
    from whichword.training import Training, train

    settings = Training(
        network=network,
        bidirectional=NETWORKS[network].directional,
        embedding=hidden,
        hidden=hidden,
        cut=cut,
        batch=16,
        learning_rate=rate,
        spread=0.3,
        epochs=epochs,
        seed=seed,
    )

    def learn(corpus: "Corpus", folder: Path) -> str:
        with Bar() as bar:
            train(corpus, settings, folder, bar.show)
        return str(folder)

    return learn


def _fine_tuner(start: Path, epochs: int, rate: float, seed: int) -> "Learn":
    from whichword.extras.shortcuts.finetuning import FineTuning, fine_tune, tell_steps

    if not (start / "config.json").is_file():
        raise InputError(f"hf:{start}: it holds no saved model (config.json is missing)")
    settings = FineTuning(epochs=epochs, learning_rate=rate, seed=seed)
    return lambda corpus, folder: f"hf:{fine_tune(start, corpus, settings, folder, tell_steps)}"
