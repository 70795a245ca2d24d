"""Do values have the types that their dataclass declares? For what comes from a file and not from our own code."""

import typing
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any


def misfit(value: Any, where: str = "") -> str | None:
    """The first field of a dataclass, at any depth, that is not of its declared type; None: all are."""
    hints = _hints(value.__class__)
    for field in fields(value):
        place = f"{where}.{field.name}".lstrip(".")
        if trouble := _trouble(getattr(value, field.name), hints[field.name], place):
            return trouble
    return None


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _trouble(value: Any, hint: Any, where: str) -> str | None:
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return None
    if isinstance(hint, UnionType):
        return None if any(_trouble(value, part, where) is None for part in parts) else _wrong(value, where)
    if origin is tuple or origin is Sequence:
        return _of_sequence(value, parts[0], where)
    if origin is not None and issubclass(origin, Mapping):
        return _of_mapping(value, parts, where)
    if is_dataclass(hint):
        return misfit(value, where) if type(value) is hint else _wrong(value, where)
    return None if _is(value, hint) else _wrong(value, where)


def _is(value: Any, kind: Any) -> bool:
    """A truth value is no number here; a whole number is one where any number will do."""
    return value is None if kind is NoneType else type(value) is kind or (kind is float and type(value) is int)


def _of_sequence(values: Any, kind: Any, where: str) -> str | None:
    if not isinstance(values, tuple):
        return _wrong(values, where)
    if kind in (int, str):  # of which there may be millions
        return next((_wrong(entry, where) for entry in values if type(entry) is not kind), None)
    return next((trouble for entry in values if (trouble := _trouble(entry, kind, where))), None)


def _of_mapping(values: Any, kinds: tuple[Any, ...], where: str) -> str | None:
    if not isinstance(values, Mapping):
        return _wrong(values, where)
    troubles = (_trouble(name, kinds[0], where) or _trouble(value, kinds[1], where) for name, value in values.items())
    return next((trouble for trouble in troubles if trouble), None)


def _wrong(value: Any, where: str) -> str:
    return f"{where} is {str(value)[:40]!r} of the wrong type"
