"""The options that commands share, in one spelling, and the names that stand in them."""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from whichword.errors import InputError

FORMER = {"methods": "method", "budget": "time-limit"}  # spellings that still work; no help shows them

METHOD_HELP = (
    "Names (whichword methods explains them; integrated_gradients, saliency, input_x_gradient, occlusion and "
    "leave_one_out are understood too), or name[setting=value]"
)

_BETWEEN_NAMES = re.compile(r",(?![^\[\]]*\])")  # a comma that no ] follows before the next bracket


def current_spelling(name: str) -> str:
    """``methods`` -> ``method``: how an option is called today."""
    return FORMER.get(name, name)


def option(*spellings: str, help: str, **more: Any) -> Any:
    """An option whose help shows ``name[setting=value]`` as it stands: to rich, brackets are markup."""
    return typer.Option(*spellings, help=escape(help), **more)


def argument(help: str) -> Any:
    """An argument whose help shows brackets as they stand."""
    return typer.Argument(help=escape(help))


def several(spelling: str, *short: str, help: str, default: str = "") -> Any:
    """An option with names in it: it may be repeated, and a value may hold names with commas between them."""
    ending = f" [default: {default}]" if default else ""
    return option(spelling, *short, help=f"{help}; repeat it, or put commas between.{ending}")


def methods_option(default: str) -> Any:
    """``--method``, with what is taken where it is left out."""
    return several("--method", "-m", help=METHOD_HELP, default=default)


def names(values: Sequence[str] | None, spelling: str) -> list[str]:
    """``["lrp,omit_1", "occ_3"]`` is three names; the comma in ``x[a=1,b=2]`` belongs to the name."""
    listed: list[str] = []
    for value in values or ():
        parts = [part.strip() for part in _BETWEEN_NAMES.split(value)]
        if not all(parts):
            raise InputError(f"{spelling}: a name is missing in {value!r}")
        listed += parts
    return RESOLVED[spelling](listed) if spelling in RESOLVED else listed


def _method_names(listed: list[str]) -> list[str]:
    """Names of other tools become ours, with a line about each on standard error."""
    from whichword.method_names import alias_note
    from whichword.methods import METHODS

    labels = {name: METHODS.resolve(name)[0] for name in listed if METHODS.is_alias(name)}
    for name, label in labels.items():
        print(f"note: {alias_note(name, label)}", file=sys.stderr)
    return [labels.get(name, name) for name in listed]


RESOLVED: Mapping[str, Callable[[list[str]], list[str]]] = {"--method": _method_names}


def at_least_one(parameter: typer.CallbackParam, value: int | None) -> int | None:
    """The value of an option that counts things."""
    if value is not None and value < 1:
        raise InputError(f"{parameter.opts[0].lstrip('-')} must be at least 1, not {value}")
    return value


def no_file(parameter: typer.CallbackParam, value: Path | None) -> Path | None:
    """The value of an option that names a folder, which may still be missing."""
    if value is not None and value.exists() and not value.is_dir():
        raise InputError(f"{parameter.opts[0]}: {value} is a file, not a folder")
    return value


DataFolder = Annotated[
    Path | None,
    option(
        "--data", help="Folder of the corpora. [default: $WHICHWORD_DATA, else ~/.cache/whichword]", callback=no_file
    ),
]
Workers = Annotated[
    int | None,
    option("--workers", help="Processes, one thread each. [default: all cores]", callback=at_least_one),
]
BatchWords = Annotated[
    int | None,
    option(
        "--batch-words",
        help="Words per batch, which bounds memory. [default: as many as suit the model]",
        callback=at_least_one,
    ),
]
RunFolder = Annotated[Path, argument("The folder of a run.")]
RunFolders = Annotated[list[Path], argument("Folders of runs.")]
