"""A column from nothing, or from its stored relevances, beside the one that is kept."""

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from experiments.columns import ColumnResult, read_results
from experiments.modern.spec import Folders, Modern
from experiments.modern.steps import Evaluate, result_of, spec_of
from whichword.errors import InputError
from whichword.runs.run import open_run


def again(modern: Modern, folders: Folders, name: str, evaluate: Evaluate, workers: int) -> str:
    """Build the model and play in a folder that is thrown away; a line that says whether all counts are equal."""
    reference = _kept(modern, name)
    (sitting,) = modern.chosen((name,))
    folders.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folders.out) as folder:
        scratch = replace(folders, out=Path(folder))
        run = evaluate(spec_of(modern, sitting, scratch), scratch.out / "run", workers).run
        return compared(result_of(run, sitting), reference)


def recount(modern: Modern, folders: Folders) -> Iterator[str]:
    """Every column whose run is there, judged anew from what the methods said: a line each."""
    runs = folders.out / "runs"
    there = [name for name in modern.columns if (runs / name).is_dir()]
    if not there:
        raise InputError(f"{runs}: it holds no run of a column; --out names the folder of the runs")
    for name in there:
        with tempfile.TemporaryDirectory() as scratch:
            copy = shutil.copytree(runs / name, Path(scratch) / name, ignore=shutil.ignore_patterns("judged"))
            yield compared(result_of(open_run(copy), modern.sittings[name]), _kept(modern, name))


def _kept(modern: Modern, name: str) -> ColumnResult:
    reference = read_results(modern.results).get(name)
    if reference is None:
        raise InputError(f"{name}: no such column is kept under {modern.results}")
    return reference


def compared(fresh: ColumnResult, reference: ColumnResult) -> str:
    """M04: 674 of 823 documents count, digest 1a2b3c: equal to the one that is kept"""
    begin = f"{fresh.column}: {fresh.counted} of {fresh.played} documents count, digest {fresh.digest[:12]}"
    if fresh.digest == reference.digest:
        return f"{begin}: equal to the one that is kept"
    methods = [label for label, figure in fresh.figures.items() if not _same(figure.hits, reference, label)]
    different = ", ".join(methods) or "pairs of methods"
    return f"{begin}: the one that is kept is {reference.digest[:12]}; other counts: {different}"


def _same(hits: float, reference: ColumnResult, label: str) -> bool:
    return label in reference.figures and reference.figures[label].hits == hits
