"""The table of loaders, short names for long spellings, and code that is not ours.

What plug-ins compute depends on their files, so hashes of these are part of a run's identity.
"""

import difflib
import hashlib
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Protocol

from whichword.errors import InputError, SettingError
from whichword.registry import Registry

if TYPE_CHECKING:
    from whichword.model import Model


def distinct_labels(spellings: Sequence[str], short: Callable[[str], str]) -> dict[str, str]:
    """Map label -> spelling: ``short`` of it, or as many of its last parts as tell it from the others."""
    places = [_place(spelling) for spelling in spellings]
    if len(set(places)) != len(places):
        raise InputError("a model was named twice")
    labels = [short(spelling) for spelling in spellings]
    depth = 1
    while len(set(labels)) != len(labels):
        depth += 1
        labels = [_last(place, depth) for place in places]
    return dict(zip(labels, spellings, strict=True))


def _last(place: str, depth: int) -> str:
    """Return so many of its last parts; all of it, to the letter, where it has no more."""
    parts = place.split("/")
    return "/".join(parts[-depth:]) if depth < len(parts) else place


def _place(spelling: str) -> str:
    """Return the same text for the same folder, however it was written."""
    path = Path(spelling)
    return str(path.resolve()) if path.exists() else spelling


# ours are hashed as a whole (`runs.identity`), libraries are known by their versions
ELSEWHERE = frozenset({"whichword", "torch", "numpy", "scipy"}) | sys.stdlib_module_names


def foreign_code(entry: object) -> str:
    """Hash the files that a registered class, instance, function or module comes from, its base classes' too.

    Empty where all of it is ours or a library's.
    """
    files = tuple(sorted({_file(part) for part in _parts(entry) if _is_foreign(part)}))
    return _hashed(files) if files else ""


def _parts(entry: object) -> tuple[object, ...]:
    if isinstance(entry, ModuleType | FunctionType):
        return (entry,)
    return (entry if isinstance(entry, type) else type(entry)).__mro__


def _is_foreign(part: object) -> bool:
    module = part.__name__ if isinstance(part, ModuleType) else getattr(part, "__module__", "")
    return str(module).split(".")[0] not in ELSEWHERE


def _file(part: object) -> Path:
    try:
        return Path(inspect.getfile(part))  # type: ignore[arg-type]
    except (OSError, TypeError):
        name = getattr(part, "__qualname__", repr(part))
        raise InputError(
            f"{name} is in no file, so a run could not tell when it changes: put it into a module"
        ) from None


@cache  # what this process has loaded does not change when a file does
def _hashed(files: tuple[Path, ...]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(hashlib.sha256(file.name.encode() + b"\0" + file.read_bytes()).digest())
    return digest.hexdigest()


class Loader(Protocol):
    """One way to come by a model. A spelling is what a person writes: FOLDER, ``prefix:FOLDER``, ``module:function``.

    Workers open the same spelling in processes of their own, so it has to say all.
    """

    def opens(self, spelling: str) -> bool:
        """Tell whether the spelling is one of this loader's; cheap, and never an error."""

    def load(self, spelling: str) -> "Model":
        """Load the model, ready to read; `InputError` says what is wrong with it."""

    def identity(self, spelling: str) -> Mapping[str, str]:
        """Return what results depend on, each part by name: hashes of weights and vocabulary, versions of libraries.

        The loader's own code need not be among them: `identity` below adds it where it is not ours.
        """

    def label(self, spelling: str) -> str:
        """Return a short name for tables."""

    # A loader of folders may have ``files(spelling) -> (folder, names)``: the folder as it stands in the spelling and
    # the files in it that make the model. Then the model can be sent to machines that do not share the disk.
    # ``form`` says how its spellings look, for messages; one whose spellings cannot be typed says so by
    # ``typed = False``, and no message offers it.


MODELS: Registry[Loader] = Registry("model loader", "whichword.models")


def load(spelling: str | os.PathLike[str]) -> "Model":
    """Load the model of a spelling, by the loader that opens it."""
    text = os.fspath(spelling)
    return _opener(text)[1].load(text)


def identity(spelling: str | os.PathLike[str]) -> dict[str, str]:
    """Return what the model's results depend on; a loader that is not ours is among it."""
    text = os.fspath(spelling)
    name, loader = _opener(text)
    code = foreign_code(loader)
    return dict(loader.identity(text)) | ({f"loader {name}": code} if code else {})


def files(spelling: str) -> tuple[str, list[str]] | None:
    """Return the folder in the spelling and the files there that make the model; None: its loader names none."""
    named = getattr(_opener(spelling)[1], "files", None)
    return None if named is None else named(spelling)


def labelled(spellings: Iterable[str | os.PathLike[str]]) -> dict[str, str]:
    """Map label -> spelling, in order; where short labels are equal, more of the spelling is taken."""
    return distinct_labels([os.fspath(spelling) for spelling in spellings], lambda text: _opener(text)[1].label(text))


def _opener(spelling: str) -> tuple[str, Loader]:
    for name in MODELS:
        if MODELS[name].opens(spelling):
            return name, MODELS[name]
    near = _near(spelling)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    forms = ", ".join(getattr(MODELS[name], "form", name) for name in _offered())
    raise SettingError(f"no model loader opens {spelling!r} (a model is {forms}){hint}")


def _offered() -> list[str]:
    return [name for name in MODELS if getattr(MODELS[name], "typed", True)]


def _near(spelling: str) -> list[str]:
    """Guess what a slip of the keyboard may have meant: another prefix, or a model in the same folder."""
    prefix, colon, place = spelling.partition(":")
    names = _offered() if colon else [folder.name for folder in _folders(Path(spelling).parent)]
    close = difflib.get_close_matches(prefix if colon else Path(spelling).name, names, n=3, cutoff=0.5)
    meant = [f"{name}:{place}" if colon else str(Path(spelling).with_name(name)) for name in close]
    return [text for text in meant if any(MODELS[name].opens(text) for name in MODELS)]


def _folders(parent: Path) -> list[Path]:
    try:
        return sorted(entry for entry in parent.iterdir() if entry.is_dir())
    except OSError:
        return []
