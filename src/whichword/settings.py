"""Settings as text: read as what their field is declared to be, before anybody computes with them."""

import math
import re
import typing
from collections.abc import Callable, Mapping
from types import NoneType, UnionType
from typing import Any

from whichword.errors import InputError, shortened

WHOLE = re.compile(r"[+-]?[0-9]{1,18}")  # 64 bits hold any of them
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)


def kinds_of(entry: Any, name: str) -> tuple[type, ...]:
    """What a field of a dataclass may hold: ``int | None`` is (int, NoneType)."""
    try:
        declared = typing.get_type_hints(type(entry))[name]
    except NameError:  # a class that was defined in a function: its annotations name what is gone
        declared = type(getattr(entry, name))
    parts = typing.get_args(declared) if isinstance(declared, UnionType) else (declared,)
    return tuple(part for part in parts if isinstance(part, type))


def read_setting(value: str, kinds: tuple[type, ...], where: str) -> object:
    """The value as the first of its kinds that it can be; `InputError` says what it has to be."""
    for kind, read in _READERS.items():
        if kind in kinds and (result := read(value)) is not _NO:
            return result
    words = " or ".join(text for kind, text in _WORDS.items() if kind in kinds) or "left out: it is no text"
    raise InputError(f"{where} must be {words}, not {shortened(value)!r}")


_NO = object()


def _none(value: str) -> object:
    return None if value.lower() == "none" else _NO


def _truth(value: str) -> object:
    return {"true": True, "false": False}.get(value.lower(), _NO)


def _whole(value: str) -> object:
    return int(value) if WHOLE.fullmatch(value) else _NO


def _number(value: str) -> object:
    return float(value) if len(value) < 400 and NUMBER.fullmatch(value) and math.isfinite(float(value)) else _NO


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
