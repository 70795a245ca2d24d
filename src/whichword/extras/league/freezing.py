"""A run, frozen: its items, its models and what its methods got become a suite."""

import shutil
from pathlib import Path

from whichword.errors import InputError
from whichword.extras.league.suite import (
    ITEMS,
    MODELS,
    SHEET,
    Hits,
    Suite,
    SuiteSheet,
    items_hash,
    model_hashes,
    open_suite,
)
from whichword.runs.item_files import items_bytes
from whichword.runs.run import open_run
from whichword.runs.seal import commit, sealed, sweep
from whichword.scoring.judged import Judged
from whichword.scoring.judging import judge

FILES = ("config.json", "vocabulary.txt", "weights.safetensors")  # of a saved network; the rest is its training's


def freeze(run_folder: Path, name: str, title: str, out: Path) -> Suite:
    """The suite in ``out``: one set of items, one or more saved networks; all methods of the run are its baselines."""
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
        models={subject.label: model_hashes(out / MODELS / subject.label) for subject in run.plan.models},
        baselines={pairing.model: baseline_hits(judge(run, pairing.id)) for pairing in run.plan.pairings},
    )
    commit(out, ITEMS, items_bytes(items))
    commit(out, SHEET, sealed(sheet.to_json()))
    sweep(out)
    return open_suite(str(out))


def _copy(source: Path, target: Path) -> None:
    if not all((source / name).is_file() for name in FILES):
        raise InputError(f"{source}: a suite takes saved networks, folders with {', '.join(FILES)}")
    target.mkdir(parents=True)
    for name in FILES:
        shutil.copyfile(source / name, target / name)


def baseline_hits(judged: Judged) -> dict[str, dict[str, Hits]]:
    """Part -> method -> hits and total."""
    return {part: {method: _hits(judged, part, method) for method in judged.methods} for part in judged.parts}


def _hits(judged: Judged, part: str, method: str) -> Hits:
    tally = judged.tally(part, method)
    return {"hits": tally.hits, "total": tally.total}
