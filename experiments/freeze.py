"""Freeze a run as a suite of the league: its documents, its saved networks, and what its methods got.

python -m experiments.freeze RUN NAME TITLE OUT
"""

import shutil
import sys
from dataclasses import asdict
from pathlib import Path

from whichword import models
from whichword.errors import InputError
from whichword.extras.league.suite import ITEMS, MODELS, SHEET, Suite, SuiteSheet, items_hash, open_suite
from whichword.runs.items import items_bytes
from whichword.runs.run import open_run
from whichword.runs.sealed import commit, sealed, sweep
from whichword.scoring.outcomes import Judged
from whichword.scoring.run import judge

FILES = ("config.json", "vocabulary.txt", "weights.safetensors")  # of a saved network; the rest is its training's


def freeze(run_folder: Path, name: str, title: str, out: Path) -> Suite:
    """Make a suite of a run with one set of items; all methods of the run are its baselines."""
    run = open_run(run_folder)
    if len(run.plan.sets) != 1:
        raise InputError(f"{run_folder}: a suite has one set of items, this run has {len(run.plan.sets)}")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out} is not empty: a suite needs a folder of its own")
    played = run.plan.sets[0]
    items = run.items(played.id)
    for subject in run.plan.models:
        _copy(Path(subject.spelling), out / MODELS / subject.label)
    sheet = SuiteSheet(
        name=name,
        title=title,
        corpus=run.plan.corpus_name(played),
        game=played.game,
        classes=played.classes,
        items=items_hash(items),
        documents=len(items),
        seed=int(run.plan.settings["seed"]),
        models={subject.label: models.identity(out / MODELS / subject.label) for subject in run.plan.models},
        baselines={pairing.model: _baselines(judge(run, pairing.id)) for pairing in run.plan.pairings},
    )
    commit(out, ITEMS, items_bytes(items))
    commit(out, SHEET, sealed(asdict(sheet)))
    sweep(out)
    return open_suite(str(out))


def _copy(source: Path, target: Path) -> None:
    if not all((source / name).is_file() for name in FILES):
        raise InputError(f"{source}: a suite takes saved networks, folders with {', '.join(FILES)}")
    target.mkdir(parents=True)
    for name in FILES:
        shutil.copyfile(source / name, target / name)


def _baselines(judged: Judged) -> dict[str, dict[str, dict[str, float]]]:
    """Part -> method -> hits and total."""
    tallies = {part: {method: judged.tally(part, method) for method in judged.methods} for part in judged.parts}
    return {part: {m: {"hits": t.hits, "total": t.total} for m, t in by.items()} for part, by in tallies.items()}


if __name__ == "__main__":
    run_folder, name, title, out = sys.argv[1:]
    freeze(Path(run_folder), name, title, Path(out))
