"""Sitting by sitting: build the model, play, keep the figures. It may be stopped at any moment."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from experiments.columns import ColumnResult, Heading, column_of, read_results, save
from experiments.modern.building import build
from experiments.modern.keeping import keep_panel, keep_right, keep_truth
from experiments.modern.spec import Folders, Modern, Sitting
from whichword.base.files import locked
from whichword.planning.spec import Play, Spec
from whichword.playing.progress import Evaluated
from whichword.runs.run import Run

Evaluate = Callable[[Spec, Path, int], Evaluated]


def play_all(
    modern: Modern, folders: Folders, names: tuple[str, ...], evaluate: Evaluate, workers: int
) -> Iterator[str]:
    """Do what is missing; a line for each sitting."""
    with locked(folders.out):
        for sitting in modern.chosen(names):
            run = evaluate(spec_of(modern, sitting, folders), folders.out / "runs" / sitting.name, workers).run
            (keep_column if sitting.column else keep_panel)(modern, folders, sitting, run)
            yield f"{sitting.name}: {modern.models[sitting.model].title}"


def spec_of(modern: Modern, sitting: Sitting, folders: Folders) -> Spec:
    """The run of one sitting."""
    corpora = (folders.fill(sitting.corpus),)
    play = Play((sitting.model,), corpora, sitting.games, sitting.methods, sitting.documents, sitting.classes)
    spelling = build(modern.models[sitting.model], folders)
    return Spec({sitting.model: spelling}, (play,), modern.seed, data=folders.data)


def keep_column(modern: Modern, folders: Folders, sitting: Sitting, run: Run) -> None:
    """The column, how often the model is right, and where the truth is known how far methods are from it."""
    before = read_results(modern.results).get(sitting.name)
    if before is not None and before.run == run.plan.run:
        return
    model = modern.models[sitting.model]
    keep_right(modern, folders, sitting, build(model, folders))
    if model.build == "linear":
        keep_truth(modern, sitting, run, Path(build(model, folders)))
    save(result_of(run, sitting), modern.results)


def result_of(run: Run, sitting: Sitting) -> ColumnResult:
    """The column's figures, judged from the stored relevances; the corpus as the file spells it, not this machine."""
    from whichword.games import GAMES

    (played,) = run.plan.sets
    part = sitting.part or GAMES[played.game].parts[0]
    result = column_of(run, Heading(sitting.name, played.game, sitting.model, part))
    return replace(result, corpus=sitting.corpus)
