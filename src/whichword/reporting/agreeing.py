"""Whether the judges of run folders agree."""

from collections.abc import Sequence
from pathlib import Path

from whichword.errors import InputError
from whichword.reporting.cases import judgements
from whichword.reporting.judges import FEW, Panel, panels
from whichword.runs.run import open_run


def agreement(folders: Sequence[str | Path]) -> list[Panel]:
    """The panels of some runs; `InputError` where there is nothing to compare."""
    runs = [(Path(folder).absolute().name, open_run(folder)) for folder in folders]
    seated = panels([(name, run, judgements(run)) for name, run in runs])
    if not seated:
        raise InputError(
            f"no model has two judges with {FEW} documents and three methods: evaluate it with several games, "
            "as in --game hybrid,deletion"
        )
    return seated
