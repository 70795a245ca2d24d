"""What to evaluate: models x corpora x games x methods, typed, from the command line or a TOML file.

    seed = 0
    methods = ["all"]
    limit = 200

    [models]
    cnn = "models/docstrings-cnn"

    [[play]]
    models = ["cnn"]
    corpora = ["docstrings"]
    games = ["hybrid"]

``play`` blocks inherit ``methods`` and ``limit``; without ``models`` they take all, without ``games`` the one that fits
the corpus. Paths are relative to the file. Unknown keys are errors.
"""

import difflib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whichword.errors import InputError

BUDGET = 4096  # words a batch
SHARD = 2_000_000  # words passed through a network: some 1 to 30 seconds, what a kill may cost


@dataclass(frozen=True)
class Play:
    """Each of these models on each of these corpora in each of these games (none named: the one that fits)."""

    models: tuple[str, ...]
    corpora: tuple[str, ...]
    games: tuple[str, ...] = ()
    methods: tuple[str, ...] = ("all",)
    limit: int | None = None


@dataclass(frozen=True)
class Spec:
    """``models`` maps labels to folders; ``budget`` is words a batch, ``shard`` words passed through a network."""

    models: Mapping[str, Path]
    plays: tuple[Play, ...]
    seed: int = 0
    budget: int = BUDGET
    shard: int = SHARD
    data: Path | None = None

    def __post_init__(self) -> None:
        if not self.models:
            raise InputError("no model was named")
        for play in self.plays:
            _check(play, self.models)
        if not self.plays:
            raise InputError("nothing to play: name a corpus")
        for name in ("budget", "shard"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1, not {getattr(self, name)}")


def _check(play: Play, models: Mapping[str, Path]) -> None:
    for label in play.models:
        if label not in models:
            raise InputError(f"no model is called {label!r}; {_hint(label, models)}")
    for name, values in (("model", play.models), ("corpus", play.corpora), ("method", play.methods)):
        if not values:
            raise InputError(f"no {name} was named")
    if play.limit is not None and play.limit < 1:
        raise InputError(f"limit must be at least 1, not {play.limit}")


def labelled(folders: Sequence[Path]) -> dict[str, Path]:
    """A label for each folder: its name, with as many parents as it takes to tell it from the others."""
    paths = [folder.absolute() for folder in folders]
    if len(set(paths)) != len(paths):
        raise InputError("a model was named twice")
    for depth in range(1, 1 + max((len(path.parts) for path in paths), default=0)):
        names = ["/".join(path.parts[-depth:]) for path in paths]
        if len(set(names)) == len(names):
            return dict(zip(names, folders, strict=True))
    raise InputError("two models have one name")


# ---------------------------------------------------------------------------------------------------------------------
# TOML

_KINDS: Mapping[str, tuple[type, str]] = {
    "seed": (int, "a whole number"),
    "budget": (int, "a whole number"),
    "shard": (int, "a whole number"),
    "limit": (int, "a whole number"),
    "data": (str, "text"),
    "methods": (list, "a list of names"),
    "corpora": (list, "a list of names"),
    "games": (list, "a list of names"),
    "models": (list, "a list of names"),
}
_TOP = ("seed", "budget", "shard", "limit", "data", "methods")
_PLAY = ("models", "corpora", "games", "methods", "limit")


def read_spec(path: Path) -> Spec:
    """A `Spec` from a TOML file, or an `InputError` that names the file and the key."""
    try:
        read = tomllib.loads(path.read_bytes().decode("utf8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path}: not TOML: {error}") from None
    try:
        return _spec(read, path.parent)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _spec(read: Mapping[str, Any], base: Path) -> Spec:
    models, plays = read.get("models", {}), read.get("play", [])
    top = _typed({k: v for k, v in read.items() if k not in ("models", "play")}, _TOP, "", ("models", "play"))
    if not isinstance(models, dict) or not all(isinstance(folder, str) for folder in models.values()):
        raise InputError('[models] must map names to folders: cnn = "models/cnn"')
    if not isinstance(plays, list) or not all(isinstance(play, dict) for play in plays):
        raise InputError("write every play as a block under [[play]]")
    inherited = {name: read[name] for name in ("methods", "limit") if name in top}
    return Spec(
        models={label: base / folder for label, folder in models.items()},
        plays=tuple(_play(inherited | play, tuple(models), number) for number, play in enumerate(plays, 1)),
        data=base / top["data"] if "data" in top else None,
        **{name: top[name] for name in ("seed", "budget", "shard") if name in top},
    )


def _play(read: Mapping[str, Any], models: tuple[str, ...], number: int) -> Play:
    checked = _typed(read, _PLAY, f"[[play]] {number}: ")
    if "corpora" not in checked:
        raise InputError(f"[[play]] {number}: corpora is missing")
    return Play(**({"models": models} | checked))


def _typed(read: Mapping[str, Any], known: Sequence[str], where: str, others: Sequence[str] = ()) -> dict[str, Any]:
    checked: dict[str, Any] = {}
    for name, value in read.items():
        if name not in known:
            raise InputError(f"{where}no setting is called {name!r}; {_hint(name, [*known, *others])}")
        kind, words = _KINDS[name]
        entries = value if isinstance(value, list) else []
        if type(value) is not kind or not all(isinstance(entry, str) for entry in entries):
            raise InputError(f"{where}{name} must be {words}, not {value!r}")
        checked[name] = tuple(entries) if kind is list else value
    return checked


def _hint(name: str, known: Sequence[str] | Mapping[str, Any]) -> str:
    near = difflib.get_close_matches(name, list(known), n=3, cutoff=0.5)
    return f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(known)}"
