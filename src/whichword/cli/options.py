"""The options that commands share, in one spelling, and how commands print.

Nothing that a name or a path holds is obeyed by the terminal or taken for markup.
"""

import math
import os
import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import markup

from whichword.errors import FileError, InputError, SettingError
from whichword.render import escape

if TYPE_CHECKING:
    from rich.console import Console

FORMER = {"methods": "method", "budget": "time-limit"}  # spellings that still work; no help shows them

METHOD_HELP = (
    "Names (whichword methods explains them; integrated_gradients, saliency, input_x_gradient, occlusion and "
    "leave_one_out are understood too), or name[setting=value]"
)

MODEL_HELP = (
    "a folder that train wrote, hf:FOLDER of Hugging Face, lm:FOLDER of a language model, package.module:function"
)
DECIDING_GAMES = "hybrid, agreement, manual, rationales, twins, shortcut"  # spelled out: help loads no game

_BETWEEN_NAMES = re.compile(r",(?![^\[\]]*\])")  # a comma that no ] follows before the next bracket


def current_spelling(name: str) -> str:
    """Translate former spellings of options: ``methods`` -> ``method``."""
    return FORMER.get(name, name)


def option(*spellings: str, help: str, **more: Any) -> Any:
    """Declare an option whose help shows ``name[setting=value]`` unchanged: to rich, brackets are markup."""
    return typer.Option(*spellings, help=markup.escape(help), **more)


def argument(help: str, **more: Any) -> Any:
    """Declare an argument whose help shows brackets unchanged."""
    return typer.Argument(help=markup.escape(help), **more)


def path(text: str | Path) -> Path:
    """Check a typed path: an empty one would stand for the working folder, and none holds the character NUL.

    A default comes as the path that it is.
    """
    if isinstance(text, Path):  # a default, which typer hands to the parser too
        return text
    if not text:
        raise SettingError("a path is empty")
    if "\0" in text:
        raise SettingError(f"{text!r}: the character NUL is in no path")
    return Path(text)


def refuse_deleted_folder() -> None:
    """Refuse a working folder that is gone: relative paths mean nothing, and libraries that look for it crash."""
    try:
        Path.cwd()
    except FileNotFoundError:
        raise InputError("the working directory no longer exists: change to another one") from None


def in_bounds(values: Mapping[str, Any]) -> None:
    """Refuse whole numbers that no machine word holds and numbers that are not finite, whatever they are for."""
    for name, value in values.items():
        spelling = name.replace("_", "-")
        if isinstance(value, int) and abs(value) >= 2**63:  # torch and numpy count in 64 bits, and would overflow
            raise SettingError(f"{spelling} must have at most 18 digits, not {len(str(abs(value)))}")
        if isinstance(value, float) and not math.isfinite(value):
            raise SettingError(f"{spelling} must be a number, not {value}")


def several(spelling: str, *short: str, help: str, default: str = "") -> Any:
    """Declare an option of names: it may be repeated, and a value may hold names with commas between them."""
    ending = f" [default: {default}]" if default else ""
    return option(spelling, *short, help=f"{help}; repeat it, or put commas between.{ending}")


def models_argument() -> Any:
    """Declare ``MODELS``, of commands that take several."""
    return argument(f"Models: {MODEL_HELP}.")


def games_option(games: str) -> Any:
    """Declare ``--game``, with those that a command plays."""
    return several("--game", help=games, default="the one that fits the corpus")


def methods_option(default: str) -> Any:
    """Declare ``--method``, with what is taken where it is left out."""
    return several("--method", "-m", help=METHOD_HELP, default=default)


def names(values: Sequence[str] | None, spelling: str) -> list[str]:
    """Split ``["lrp,omit_1", "occ_3"]`` into three names; the comma in ``x[a=1,b=2]`` belongs to the name."""
    listed: list[str] = []
    for value in values or ():
        parts = [part.strip() for part in _BETWEEN_NAMES.split(value)]
        if not all(parts):  # a comma too many, or an empty shell variable
            raise SettingError(f"{spelling}: a name is missing in {value!r}")
        listed += parts
    return RESOLVED[spelling](listed) if spelling in RESOLVED else listed


def _method_names(listed: list[str]) -> list[str]:
    """Replace names of other tools by ours, with a line about each on standard error."""
    from whichword.method_names import alias_note
    from whichword.methods import METHODS

    labels = {name: METHODS.resolve(name)[0] for name in listed if METHODS.is_alias(name)}
    for name, label in labels.items():
        print(f"note: {alias_note(name, label)}", file=sys.stderr)  # standard output may be JSON
    return [labels.get(name, name) for name in listed]


RESOLVED: Mapping[str, Callable[[list[str]], list[str]]] = {"--method": _method_names}  # options with aliases


def at_least_one(parameter: typer.CallbackParam, value: int | None) -> int | None:
    """Check an option that counts things."""
    if value is not None and value < 1:
        raise SettingError(f"{parameter.opts[0].lstrip('-')} must be at least 1, not {value}")
    return value


def no_file(parameter: typer.CallbackParam, value: Path | None) -> Path | None:
    """Check an option that names a folder, which may still be missing."""
    if value is not None and value.exists() and not value.is_dir():
        raise FileError(f"{parameter.opts[0]}: {value} is a file, not a folder")
    return value


DataFolder = Annotated[
    Path | None,
    option(
        "--data",
        help="Folder of the corpora. [default: $WHICHWORD_DATA, else ~/.cache/whichword]",
        callback=no_file,
        parser=path,
    ),
]
Workers = Annotated[
    int | None,
    option("--workers", help="Processes, one thread each. [default: all cores]", callback=at_least_one),
]
ExecutorName = Annotated[
    str | None,
    option(
        "--executor",
        help="Who computes: serial, processes, ray, or one of an installed package."
        " [default: processes, serial for one worker]",
    ),
]
ClusterAddress = Annotated[
    str | None,
    option("--address", help="Ray's cluster: its address, or local to start one on this machine. [default: local]"),
]
CorpusNames = Annotated[list[str] | None, several("--corpus", help="Corpora or files (see: whichword data)")]
ClassNames = Annotated[
    list[str] | None,
    option("--classes", help="Which class of the models a label of the corpus is, where names differ: neg=0,pos=1."),
]
DocumentLimit = Annotated[int | None, option("--limit", help="Documents per corpus at most, a random sample.")]
Seed = Annotated[int, option("--seed", help="Same seed, same run.")]
AllMethods = Annotated[list[str] | None, methods_option("all")]
BatchWords = Annotated[
    int | None,
    option(
        "--batch-words",
        help="Words per batch, which bounds memory. [default: as many as suit the model]",
        callback=at_least_one,
    ),
]
Plugins = Annotated[
    list[Path] | None,
    option(
        "--plugin",
        help="A Python file that registers methods of your own (docs/league.md); may be repeated.",
        parser=path,
    ),
]
RunOut = Annotated[Path, option("--out", help="The run's folder.", parser=path)]
RunFolder = Annotated[Path, argument("The folder of a run.", parser=path)]
RunFolders = Annotated[list[Path], argument("Folders of runs.", parser=path)]


SIZES = {"COLUMNS": (20, 1000), "LINES": (5, 1000)}  # what a terminal may have; other values are mistakes


def say(text: str = "") -> None:
    """Print lines on standard output, with escape codes and half characters spelled out."""
    print(escape.terminal_lines(text))


def command(*words: object) -> str:
    """Spell a command to copy into a shell, its paths quoted where they need it."""
    return shlex.join(["whichword", *map(str, words)])


def share(value: float | None) -> str:
    """Spell a share of documents; "none" where there was none to count."""
    return "none (no documents)" if value is None else f"{value:.3f}"


def console(stderr: bool = False) -> "Console":
    """Make a console that prints texts unchanged: no markup, no emoji codes, no colours for numbers."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def settle_size() -> None:
    """Take sizes that no terminal has out of the environment: rich would compute with them."""
    for name, (least, most) in SIZES.items():
        size = os.environ.get(name, "")
        if size and not (size.isascii() and size.isdigit() and least <= int(size[:9]) <= most):
            del os.environ[name]
