"""The table of loaders, and the one that opens a spelling."""

import difflib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from whichword.errors import InputError
from whichword.models.labels import distinct_labels
from whichword.models.sources import foreign_code
from whichword.registry import Registry

if TYPE_CHECKING:
    from whichword.model import Model


class Loader(Protocol):
    """One way to come by a model. A spelling is what a person writes: FOLDER, ``prefix:FOLDER``, ``module:function``.

    Workers open the same spelling in processes of their own, so it has to say all.
    """

    def opens(self, spelling: str) -> bool:
        """Whether the spelling is one of this loader's; cheap, and never an error."""

    def load(self, spelling: str) -> "Model":
        """The model, ready to read; `InputError` says what is wrong with it."""

    def identity(self, spelling: str) -> Mapping[str, str]:
        """What results depend on, each part under its name: hashes of weights and vocabulary, versions of libraries.

        The loader's own code need not be among them: `identity` below adds it where it is not ours.
        """

    def label(self, spelling: str) -> str:
        """A short name for tables."""

    # A loader of folders may have ``files(spelling) -> (folder, names)``: the folder as it stands in the spelling and
    # the files in it that make the model. Then the model can be sent to machines that do not share the disk.
    # ``form`` says how its spellings look, for messages; one whose spellings nobody can type says so by
    # ``typed = False``, and no message offers it.


MODELS: Registry[Loader] = Registry("model loader", "whichword.models")


def load(spelling: str | os.PathLike[str]) -> "Model":
    """The model of a spelling, whoever opens it."""
    text = os.fspath(spelling)
    return _opener(text)[1].load(text)


def identity(spelling: str | os.PathLike[str]) -> dict[str, str]:
    """What the model's results depend on; a loader that is not ours is among it."""
    text = os.fspath(spelling)
    name, loader = _opener(text)
    code = foreign_code(loader)
    return dict(loader.identity(text)) | ({f"loader {name}": code} if code else {})


def files(spelling: str) -> tuple[str, list[str]] | None:
    """The folder in the spelling and the files there that make the model; None: its loader names none."""
    named = getattr(_opener(spelling)[1], "files", None)
    return None if named is None else named(spelling)


def labelled(spellings: Iterable[str | os.PathLike[str]]) -> dict[str, str]:
    """Label -> spelling, in order; where short labels are equal, more of the spelling is taken."""
    return distinct_labels([os.fspath(spelling) for spelling in spellings], lambda text: _opener(text)[1].label(text))


def _opener(spelling: str) -> tuple[str, Loader]:
    for name in MODELS:
        if MODELS[name].opens(spelling):
            return name, MODELS[name]
    near = _near(spelling)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    forms = ", ".join(getattr(MODELS[name], "form", name) for name in _offered())
    raise InputError(f"no model loader opens {spelling!r} (a model is {forms}){hint}")


def _offered() -> list[str]:
    return [name for name in MODELS if getattr(MODELS[name], "typed", True)]


def _near(spelling: str) -> list[str]:
    """What a slip of the keyboard may have meant: another prefix, or a model in the same folder."""
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
