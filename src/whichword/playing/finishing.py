"""A folder for a run, and the last step of every way to make one: the hits are counted."""

from pathlib import Path

from whichword.errors import InputError
from whichword.playing.progress import Watch
from whichword.runs.run import Run, open_run
from whichword.runs.seal import sweep
from whichword.runs.store import RUN
from whichword.scoring.judging import store_judgement
from whichword.scoring.judging_crew import Judges

OURS = {RUN, "lock", "items", "shards", "judged", "parts", "rounds"}


def own_folder(folder: Path) -> Path:
    """The folder, unless it holds something else."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file: a run needs a folder of its own")
    if folder.is_dir() and not (folder / RUN).exists():
        unrelated = sorted(entry.name for entry in folder.iterdir() if entry.name not in OURS)
        if unrelated:
            raise InputError(f"{folder} holds other files ({unrelated[0]}): a run needs a folder of its own")
    return folder


def finish(folder: Path, watch: Watch, judges: Judges = Judges()) -> Run:  # noqa: B008 - frozen
    """The complete run, with its hits."""
    run = open_run(folder)
    for pairing in run.plan.pairings:
        watch.judging(run.plan.title(pairing))
        store_judgement(run, pairing.id, judges)
    sweep(folder)
    return run
