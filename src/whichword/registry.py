"""Named tables (methods, networks, corpora, games) with settings in the name, did-you-mean and entry points.

A name may carry settings: ``limsse_ms_s[samples=3000]`` is the entry ``limsse_ms_s``, a frozen dataclass, with
``samples`` replaced, read as the type that its field declares. The canonical spelling leaves out settings that have
their default value and sorts the others, so two spellings of one thing have one label.

Plug-ins may be single files: ``--plugin my_method.py``. Loading one runs it, and it registers what it has. The files
stand in an environment variable, because the processes of a run have to load them too.
"""

import dataclasses
import difflib
import importlib.util
import math
import os
import re
import sys
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import Any, Generic, TypeVar

from whichword.errors import InputError, named, shortened

WHOLE = re.compile(r"[+-]?[0-9]{1,18}")  # 64 bits hold any of them
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)


def kinds_of(entry: Any, name: str) -> tuple[type, ...]:
    """List the types that a field of a dataclass may hold: ``int | None`` is (int, NoneType)."""
    try:
        declared = typing.get_type_hints(type(entry))[name]
    except NameError:  # a class that was defined in a function: its annotations name what is gone
        declared = type(getattr(entry, name))
    parts = typing.get_args(declared) if isinstance(declared, UnionType) else (declared,)
    return tuple(part for part in parts if isinstance(part, type))


def read_setting(value: str, kinds: tuple[type, ...], where: str) -> object:
    """Read a value as the first of its kinds that it can be; `InputError` says what it has to be."""
    for kind, read in _READERS.items():
        if kind in kinds and (result := read(value)) is not _NO:
            return result
    words = " or ".join(text for kind, text in _WORDS.items() if kind in kinds) or "left out: it is no text"
    raise InputError(f"{where} must be {words}, not {shortened(value)!r}")


_NO = object()  # a reader's answer to text that is not of its kind; None is a value


def _none(value: str) -> object:
    return None if value.lower() == "none" else _NO


def _truth(value: str) -> object:
    return {"true": True, "false": False}.get(value.lower(), _NO)


def _whole(value: str) -> object:
    return int(value) if WHOLE.fullmatch(value) else _NO


def _number(value: str) -> object:
    return float(value) if len(value) < 400 and NUMBER.fullmatch(value) and math.isfinite(float(value)) else _NO


# from strict to lax: every text is a text, and every whole number is a number too
_READERS: Mapping[type, Callable[[str], object]] = {
    NoneType: _none,
    bool: _truth,
    int: _whole,
    float: _number,
    str: lambda value: value or _NO,
}
_WORDS: Mapping[type, str] = {
    bool: "true or false",
    int: "a whole number of at most 18 digits",
    float: "a number",
    str: "text",
    NoneType: "none",
}


VARIABLE = "WHICHWORD_PLUGINS"
PLUGIN = "whichword_plugin_"  # how the names of single files' modules begin


def announce(paths: Sequence[Path]) -> None:
    """Load these files as plug-ins of this process and of those that it starts."""
    for path in paths:
        if not path.is_file():
            raise InputError(f"--plugin: {path} is no file")
    before = os.environ.get(VARIABLE, "")
    listed = [*_listed(), *(str(path.resolve()) for path in paths)]
    os.environ[VARIABLE] = os.pathsep.join(dict.fromkeys(listed))
    try:
        load_announced()
    except InputError:
        os.environ[VARIABLE] = before  # or every worker would fail as well
        raise


def load_announced() -> None:
    """Run the files that were announced, each once."""
    for path in _listed():
        name = f"{PLUGIN}{Path(path).stem}"
        if getattr(sys.modules.get(name), "__file__", None) != path:
            _load(name, path)


def _listed() -> list[str]:
    return [path for path in os.environ.get(VARIABLE, "").split(os.pathsep) if path]


def _load(name: str, path: str) -> None:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"--plugin: {path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # before it runs: dataclasses look their module up there
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        reason = str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
        raise InputError(f"--plugin: {path}: {reason}") from error


T = TypeVar("T")

_SPELLING = re.compile(r"(?P<name>[^\[\]]+)(\[(?P<settings>[^\[\]]*)\])?")


def _as_it_is(entry: Any) -> Any:
    return entry


@dataclasses.dataclass(frozen=True)
class Origin:
    """The module that entered a name, and the thing: a module that is run again may enter the same anew."""

    module: str
    file: str | None
    thing: str

    @staticmethod
    def of(module: Mapping[str, Any], thing: Any) -> "Origin":
        kind = thing if hasattr(thing, "__qualname__") else type(thing)
        return Origin(module["__name__"], module.get("__file__"), kind.__qualname__)

    @property
    def where(self) -> str:
        """The module, or the file of a plug-in that is one."""
        return (self.file or self.module) if self.module.startswith(PLUGIN) else self.module


def fixed() -> Any:
    """Declare a field that is part of what an entry is, not a setting: ``name[setting=value]`` cannot change it."""
    return dataclasses.field(metadata={"setting": False})


class Registry(Generic[T]):
    """A table of named values; unknown names raise `InputError` with the nearest known ones.

    Plug-ins need no fork: an installed package that declares an entry point in the group ``whichword.<kind>s`` has it
    imported on first use, and what the entry point names is registered under the entry point's name; a module that it
    names registers what it has by itself. No entry can take a ``reserved`` name.
    """

    def __init__(
        self, kind: str, group: str, reserved: Sequence[str] = (), check: Callable[[T], T] = _as_it_is
    ) -> None:
        self.kind = kind
        self.group = group
        self._reserved = frozenset(reserved)
        self._check = check
        self._entries: dict[str, T] = {}
        self._families: dict[str, str] = {}  # name -> what it is called together with its like
        self._origins: dict[str, Origin] = {}
        self._patterns: dict[str, tuple[Callable[..., T], Origin]] = {}
        self._alias: Callable[[str], str | None] = lambda name: None
        self._plugged = False

    def register(self, name: str, value: T | None = None, family: str = "") -> Callable[[Any], Any]:
        """Enter ``value`` under ``name``; without a value, a decorator (a dataclass is entered as an instance).

        Entries with a ``family`` are listed under its name alone. A name that is taken is refused.
        """
        caller = sys._getframe(
            1
        ).f_globals  # not the value's own module: `lrp` with other settings is ours by its class

        def enter(made: Any) -> Any:
            self._enter(name, made, family, Origin.of(caller, made))
            return made

        if value is not None:
            enter(value)
            return lambda same: same
        return enter

    def _enter(self, name: str, made: Any, family: str, origin: Origin) -> None:
        if set("[]") & set(name):
            raise InputError(f"{self.kind} {name!r}: a name has no brackets, they are for settings")
        if (owner := self._owner(name, family, origin)) is not None:
            raise InputError(f"{self.kind} {name!r} is taken: {owner}, {origin.where} would take it")
        entry: Any = made() if dataclasses.is_dataclass(made) and isinstance(made, type) else made
        self._entries[name], self._families[name], self._origins[name] = self._check(entry), family, origin

    def _owner(self, name: str, family: str, origin: Origin) -> str | None:
        """Say why a name cannot be entered; None: it is free, or its own module enters it again (a notebook)."""
        if name in self._entries:
            held = self._origins.get(name, origin)
            return None if held == origin else f"{held.where} has it"
        for regex, (_, held) in self._patterns.items():
            if re.fullmatch(regex, name):
                return f"{held.where} has it, as one of {regex}"
        if (meant := self._alias(name)) not in (None, name):
            return f"it means {meant}"
        if {name, family} & self._reserved or name in self._families.values() or family in self._entries:
            return "it stands for several"
        return None

    def pattern(self, regex: str, make: Callable[..., T]) -> None:
        """Make entries on demand: for ``omit_([1-9][0-9]*)``, ``make`` is called with the matched groups."""
        self._patterns[regex] = make, Origin.of(sys._getframe(1).f_globals, make)

    def aliases(self, alias_of: Callable[[str], str | None]) -> None:
        """Give entries other names: ``alias_of(name)`` is the entry's name, or None; no entry can take such a name."""
        self._alias = alias_of

    def names(self, family: str = "") -> list[str]:
        """List the entered names of a family, in order of registration."""
        self._plug_in()
        return [name for name in self._entries if self._families[name] == family]

    def families(self) -> list[str]:
        """List the names that stand for several entries at once."""
        self._plug_in()
        return sorted({family for family in self._families.values() if family})

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __len__(self) -> int:
        return len(self.names())

    def __contains__(self, spelling: object) -> bool:
        try:
            self.resolve(str(spelling))
        except InputError:
            return False
        return True

    def __getitem__(self, spelling: str) -> T:
        return self.resolve(spelling)[1]

    def resolve(self, spelling: str) -> tuple[str, T]:
        """Resolve ``name[setting=value,...]`` to its canonical label and the entry with these settings."""
        match = _SPELLING.fullmatch(spelling.strip())
        if match is None:
            raise InputError(f"{self.kind} {spelling!r}: write name or name[setting=value,...]")
        name = self._named(match["name"].strip())
        entry = self._find(name)
        if match["settings"] is None:
            return name, entry
        changed = with_settings(entry, match["settings"], f"{self.kind} {name}")
        return name + _difference(entry, changed), changed  # settings that have their defaults leave the label alone

    def is_alias(self, spelling: str) -> bool:
        """Tell whether the name, settings aside, stands for an entry of another name."""
        name = spelling.partition("[")[0].strip()
        return self._named(name) != name

    def _named(self, name: str) -> str:
        if name not in self._entries:  # plug-ins are loaded only for a name that is not ours
            self._plug_in()
        return name if name in self._entries else self._alias(name) or name

    def _find(self, name: str) -> T:
        if name in self._entries:
            return self._entries[name]
        self._plug_in()
        if name in self._entries:
            return self._entries[name]
        for regex, (make, _) in self._patterns.items():
            if match := re.fullmatch(regex, name):
                return self._check(make(*match.groups()))
        near = difflib.get_close_matches(name, self._entries, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(self._entries)}"
        raise InputError(f"no {self.kind} is called {name!r}; {hint}")

    def _plug_in(self) -> None:
        if self._plugged:
            return
        self._plugged = True  # before loading: what is loaded may ask for names
        try:
            for point in metadata.entry_points(group=self.group):
                self._plug(point)
            load_announced()
        except InputError:
            self._plugged = False  # a second caller is told as well, instead of finding half of the names
            raise

    def _plug(self, point: metadata.EntryPoint) -> None:
        loaded, held = _loaded(point), self._entries.get(point.name)
        registered_itself = held is loaded or type(held) is loaded  # by a decorator, when its module was imported
        if not registered_itself and not isinstance(loaded, ModuleType):
            self._enter(point.name, loaded, "", Origin.of({"__name__": point.module}, loaded))


def _loaded(point: metadata.EntryPoint) -> Any:
    try:
        return point.load()
    except InputError:
        raise
    except Exception as error:
        package = point.dist.name if point.dist else point.module
        raise InputError(f"plug-in {point.name} of {package} does not load: {named(error)}") from error


def with_settings(entry: Any, settings: str, where: str) -> Any:
    """Copy a frozen dataclass with ``a=1,b=x`` applied; names and values are checked."""
    if not dataclasses.is_dataclass(entry) or isinstance(entry, type):
        raise InputError(f"{where} has no settings")
    fields = [field.name for field in dataclasses.fields(entry) if field.metadata.get("setting", field.init)]
    changes: dict[str, Any] = {}
    for part in settings.split(",") if settings.strip() else ():
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise InputError(f"{where}: setting {part!r} must be written name=value")
        if name not in fields:
            raise InputError(f"{where} has no setting {name!r}; it has: {', '.join(fields) or 'none'}")
        if name in changes:
            raise InputError(f"{where}: setting {name} is given twice")
        if not value and getattr(entry, name) != "":  # only a text may be empty
            raise InputError(f"{where}: setting {name} is empty")
        changes[name] = read_setting(value, kinds_of(entry, name), f"{where}: setting {name}")
    return dataclasses.replace(entry, **changes)


def _difference(entry: Any, changed: Any) -> str:
    parts = [
        f"{field.name}={_spelled(getattr(changed, field.name))}"
        for field in sorted(dataclasses.fields(entry), key=lambda field: field.name)
        if getattr(entry, field.name) != getattr(changed, field.name)
    ]
    return f"[{','.join(parts)}]" if parts else ""


def _spelled(value: object) -> str:
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):  # as a person writes it: 1e-6, not 1e-06; 2, not 2.0
        return re.sub(r"e([+-])0*", r"e\1", repr(value)).replace("e+", "e").removesuffix(".0")
    return str(value)
