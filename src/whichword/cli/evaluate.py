"""``whichword evaluate``: models play games; relevances go to a run folder."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whichword.cli.options import BatchWords, DataFolder, Workers, argument, methods_option, names, option, several
from whichword.errors import InputError
from whichword.experiment.spec import BUDGET, Play, Spec, labelled, read_spec

if TYPE_CHECKING:
    from whichword.experiment.runner import Evaluated


def evaluate(
    context: typer.Context,
    models: Annotated[list[Path] | None, argument("Folders of networks.")] = None,
    model: Annotated[list[str] | None, several("--model", help="The same, as an option")] = None,
    corpus: Annotated[list[str] | None, several("--corpus", help="Corpora or files (see: whichword data)")] = None,
    game: Annotated[
        list[str] | None,
        several("--game", help="hybrid, agreement or manual", default="the one that fits the corpus"),
    ] = None,
    method: Annotated[list[str] | None, methods_option("all")] = None,
    limit: Annotated[int | None, option("--limit", help="Documents per corpus at most, a random sample.")] = None,
    seed: Annotated[int, option("--seed", help="Same seed, same run.")] = 0,
    batch_words: BatchWords = BUDGET,
    data: DataFolder = None,
    spec: Annotated[
        Path | None, option("--spec", help="A TOML file instead of all this: many models, corpora and games.")
    ] = None,
    out: Annotated[Path, option("--out", help="The run's folder.")] = Path("run"),
    workers: Workers = None,
) -> None:
    """Let the methods play games on your models, and store every relevance.

    It may be stopped at any moment: run the same command again to resume.

    Examples:
      whichword evaluate models/docstrings-cnn --corpus docstrings --out runs/docstrings
      whichword evaluate --spec runs.toml --out runs/all
    """
    if spec is not None:
        plan = _from_file(spec, context)
    else:
        labels = _labelled([*(models or ()), *map(Path, names(model, "--model"))])
        choices = (names(corpus, "--corpus"), names(game, "--game"), names(method, "--method") or ["all"])
        plan = Spec(labels, (_play(list(labels), *choices, limit),), seed, batch_words, data=data)
    from whichword.experiment.runner import cores

    play(plan, out, workers or cores())
    print(f"next: whichword table {out}")


def _from_file(spec: Path, context: typer.Context) -> Spec:
    typed = {name for name in context.params if str(context.get_parameter_source(name)).endswith("COMMANDLINE")}
    if typed - {"spec", "out", "workers"}:
        raise InputError("--spec says all: give it alone, with --out and --workers")
    return read_spec(spec)


def _labelled(folders: Sequence[Path]) -> dict[str, Path]:
    if not folders:
        raise InputError("no model was named: whichword evaluate MODEL... --corpus CORPUS, or --spec FILE.toml")
    return labelled(folders)


def _play(models: list[str], corpora: list[str], games: list[str], methods: list[str], limit: int | None) -> Play:
    if not corpora:
        raise InputError("no corpus was named: add --corpus CORPUS (whichword data lists them)")
    return Play(tuple(models), tuple(corpora), tuple(games), tuple(methods), limit)


def play(spec: Spec, out: Path, workers: int) -> "Evaluated":
    """Evaluate with progress on standard error; an interruption leaves a run that can be resumed."""
    from whichword.cli.progress import Display
    from whichword.experiment.runner import evaluate

    with Display(workers) as display:
        evaluated = evaluate(spec, out, workers, display)
    if evaluated.made:
        print(f"{out}: {evaluated.made} shards made, {evaluated.kept} were there")
    else:
        print(f"{out}: all is there")
    return evaluated
