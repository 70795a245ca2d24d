"""Read what to evaluate: models x corpora x games x methods, typed, from the command line or a TOML file.

    seed = 0
    methods = ["all"]
    limit = 200

    [models]
    cnn = "models/docstrings-cnn"

    [[play]]
    models = ["cnn"]
    corpora = ["docstrings"]
    games = ["hybrid"]

``play`` blocks inherit ``methods``, ``limit`` and ``classes``; without ``models`` they take all, without ``games`` the
one that fits the corpus. Folders are relative to the file. Unknown keys are errors.

Where a model's classes and a corpus's labels have other names, ``classes`` says which is which (``neg=0,pos=1``), and
documents are relabelled before a game sees them, so that games, hits and slices speak of the model's classes.
"""

import difflib
import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import force_setattr

from whichword.base import files
from whichword.base.typed import Record, typed
from whichword.errors import FileError, InputError, SettingError
from whichword.types import CORPUS_LABEL, Corpus, Document

R = TypeVar("R", bound=Record)

LARGEST_SPEC = 2**24  # bytes of a TOML file: one that is larger was named by mistake
SHARD_WORDS = 2_000_000  # passed through a network: some 1 to 30 seconds, what a kill may cost


class Play(Record, frozen=True):
    """A play: each of these models on each of these corpora in each of these games."""

    models: tuple[str, ...]
    """Labels."""
    corpora: tuple[str, ...]
    """Names or files, with settings."""
    games: tuple[str, ...] = ()
    """With settings; none: the one that fits the corpus."""
    methods: tuple[str, ...] = ("all",)
    """With settings, or groups."""
    limit: int | None = None
    """A random sample of so many documents."""
    classes: Mapping[str, str] = {}
    """Which class of the models a label of the corpora is, where the names differ."""


class Spec(Record, frozen=True):
    """All that is to be evaluated."""

    models: Mapping[str, str]
    """Label to spelling."""
    plays: tuple[Play, ...]
    """One after the other."""
    seed: int = 0
    """Of samples, games and methods."""
    batch_words: int | None = None
    """Words at a time; None: as many as suit the model."""
    shard_words: int = SHARD_WORDS
    """Words passed through a network per shard, roughly."""
    data: Path | None = None
    """Where corpora are."""

    def __post_init__(self) -> None:
        if not self.models:
            raise SettingError("no model was named")
        for play in self.plays:
            _check(play, self.models)
        if not self.plays:  # after the plays' own mistakes, which say more
            raise SettingError("nothing to play: name a corpus")
        for name in ("batch_words", "shard_words"):
            if getattr(self, name) is not None and getattr(self, name) < 1:
                raise SettingError(f"{name} must be at least 1, not {getattr(self, name)}")
        spellings = {label: os.fspath(spelling) for label, spelling in self.models.items()}
        force_setattr(self, "models", spellings)  # a plan holds text, and a path is a spelling too


def _check(play: Play, models: Mapping[str, str]) -> None:
    for label in play.models:
        if label not in models:
            raise SettingError(f"no model is called {label!r}; {_hint(label, models)}")
    for name, values in (("model", play.models), ("corpus", play.corpora), ("method", play.methods)):
        if not values:
            raise SettingError(f"no {name} was named")
    if play.limit is not None and play.limit < 1:
        raise SettingError(f"limit must be at least 1, not {play.limit}")


# ---------------------------------------------------------------------------------------------------------------------
# TOML


class _File(Record, frozen=True):
    """The keys of a TOML file; plays that do not say otherwise inherit the last three."""

    models: Mapping[str, str] = {}
    play: tuple[Mapping[str, Any], ...] = ()
    seed: int = 0
    batch_words: int | None = None
    shard_words: int = SHARD_WORDS
    data: str | None = None
    methods: tuple[str, ...] = ()
    limit: int | None = None
    classes: Mapping[str, str] = {}


_INHERITED = ("methods", "limit", "classes")
_BEFORE = {"budget": "batch_words", "shard": "shard_words"}  # what keys were called


def read_spec(path: Path) -> Spec:
    """Read a `Spec` from a TOML file, or raise an `InputError` that names the file and the key."""
    try:
        body = tomllib.loads(files.read(path, LARGEST_SPEC).decode("utf8"))
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:  # no UTF-8, no TOML, a number of thousands of digits
        raise FileError(f"{path}: not TOML: {error}") from None
    try:
        return _spec(_renamed(body), path.parent)
    except InputError as error:
        raise type(error)(f"{path}: {error}") from None


def _spec(body: Mapping[str, Any], base: Path) -> Spec:
    file = _block(_File, body)
    inherited = {"models": tuple(file.models)} | {name: body[name] for name in _INHERITED if name in body}
    return Spec(
        models={label: _seen_from(base, spelling) for label, spelling in file.models.items()},
        plays=tuple(_block(Play, {**inherited, **play}, f"[[play]] {n}") for n, play in enumerate(file.play, 1)),
        data=None if file.data is None else base / file.data,
        seed=file.seed,
        batch_words=file.batch_words,
        shard_words=file.shard_words,
    )


def _block(kind: type[R], block: Mapping[str, Any], where: str = "") -> R:
    """Return a block of the file as a record; a misspelt key is told the nearest ones."""
    for name in block:
        if name not in kind.__struct_fields__:
            begin = f"{where}: " if where else ""
            raise SettingError(f"{begin}no setting is called {name!r}; {_hint(name, kind.__struct_fields__)}")
    return typed(kind, block, where, SettingError)


def _seen_from(base: Path, spelling: str) -> str:
    """Resolve a folder of the spec: ``FOLDER``, or ``prefix:FOLDER`` where there is that folder.

    Other spellings with a colon (``module:function``) stay as they are.
    """
    prefix, colon, place = spelling.partition(":")
    if not colon or (base / spelling).exists():
        return str(base / spelling)
    return f"{prefix}:{base / place}" if place and (base / place).exists() else spelling


def _renamed(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Rename keys to their names of today."""
    for was, now in _BEFORE.items():
        if was in settings and now in settings:
            raise SettingError(f"{was} is what {now} was called before: give one of them")
    return {_BEFORE.get(key, key): value for key, value in settings.items()}


def _hint(name: str, names: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(names), n=3, cutoff=0.5)
    return f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(names)}"


def read_mapping(texts: Sequence[str]) -> dict[str, str]:
    """Parse ``neg=0,pos=1``, in one text or several, as label -> class."""
    mapping: dict[str, str] = {}
    for pair in (pair.strip() for text in texts for pair in text.split(",")):
        label, equals, target = (part.strip() for part in pair.partition("="))
        if not label or not equals or not target:
            raise SettingError(f"classes must be written LABEL=CLASS,LABEL=CLASS, not {pair!r}")
        if mapping.setdefault(label, target) != target:  # the same pair twice is no mistake
            raise SettingError(f"classes: the label {label!r} is mapped to {mapping[label]!r} and to {target!r}")
    return mapping


def check_mapping(mapping: Mapping[str, str], corpus: Corpus, label: str, classes: Sequence[str]) -> None:
    """Raise `InputError` unless every name in the mapping exists, and with a mapping every label has a class."""
    theirs = f"model {label} (it has: {', '.join(classes)})"
    for name, target in mapping.items():
        if name not in corpus.classes:
            raise SettingError(
                f"classes: corpus {corpus.name} has no label {name!r}; it has: {', '.join(corpus.classes)}"
            )
        if target not in classes:
            raise SettingError(f"classes: {target!r} is no class of {theirs}")
    for name in corpus.classes if mapping else ():
        if name not in mapping and name not in classes:
            raise SettingError(
                f"classes: {name!r} of corpus {corpus.name} is mapped to nothing and no class of {theirs}"
            )


def how_to_map(labels: Sequence[str]) -> str:
    """Say what to write where names differ."""
    pairs = ",".join(f"{label}=CLASS" for label in labels[:2]) + (",..." if len(labels) > 2 else "")
    return f"say which is which with --classes {pairs} (in a spec: classes = {{...}})"


def relabelled(corpus: Corpus, mapping: Mapping[str, str]) -> Corpus:
    """Rename a corpus's labels to the classes that they are mapped to."""
    if not mapping:  # the same object: nothing is copied
        return corpus
    classes = tuple(dict.fromkeys(mapping.get(name, name) for name in corpus.classes))  # labels may share a class
    train, heldout, test = (_with_labels(part, mapping) for part in (corpus.train, corpus.heldout, corpus.test))
    return replace(corpus, classes=classes, train=train, heldout=heldout, test=test)


def _with_labels(documents: Sequence[Document], mapping: Mapping[str, str]) -> tuple[Document, ...]:
    """Relabel documents; a fact keeps the corpus's name for each, since games may know that one alone."""
    return tuple(
        replace(document, label=mapping[document.label], facts={**document.facts, CORPUS_LABEL: document.label})
        if document.label in mapping
        else document
        for document in documents
    )
