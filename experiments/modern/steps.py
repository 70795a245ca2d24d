"""Column by column: build the model, play, keep the figures. It may be stopped at any moment."""

from collections.abc import Callable, Iterator
from pathlib import Path

from experiments.columns import ColumnResult, Heading, column_of, read_results, save
from experiments.modern.building import build
from experiments.modern.spec import ColumnSpec, Folders, Modern
from whichword.experiment.progress import Evaluated
from whichword.experiment.reading import Run
from whichword.experiment.spec import Play, Spec
from whichword.lock import locked

Evaluate = Callable[[Spec, Path, int], Evaluated]


def play_all(
    modern: Modern, folders: Folders, names: tuple[str, ...], evaluate: Evaluate, workers: int
) -> Iterator[str]:
    """Do what is missing; a line for each column."""
    with locked(folders.out):
        for column in modern.chosen(names):
            run = evaluate(spec_of(modern, column, folders), folders.out / "runs" / column.name, workers).run
            there = read_results(modern.results).get(column.name)
            if there is None or there.run != run.plan.run:
                save(result_of(run, column), modern.results)
            yield f"{column.name}: {modern.models[column.model].title}"


def spec_of(modern: Modern, column: ColumnSpec, folders: Folders) -> Spec:
    """The run of one column."""
    games = (column.game,) if column.game else ()
    corpora = (folders.fill(column.corpus),)
    play = Play((column.model,), corpora, games, column.methods, column.documents, column.classes)
    spelling = build(modern.models[column.model], folders)
    return Spec({column.model: spelling}, (play,), modern.seed, data=folders.data)


def result_of(run: Run, column: ColumnSpec) -> ColumnResult:
    """The column's figures, judged from the stored relevances."""
    from whichword.games import GAMES

    (played,) = run.plan.sets
    part = column.part or GAMES[played.game].parts[0]
    return column_of(run, Heading(column.name, played.game, column.model, part))
