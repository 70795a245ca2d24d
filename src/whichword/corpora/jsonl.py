"""JSON lines: one object per line, read strictly."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from whichword.corpora.building import Dropped, Rejected
from whichword.corpora.lines import decoded, numbered_lines, refuse_nul

_SURROGATE = re.compile("[\ud800-\udfff]")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise Rejected("a name occurs twice in one object")
    return members


def _constant(name: str) -> None:
    raise Rejected(f"{name} is not JSON")


def parse_json(text: str, constant: Callable[[str], Any] = _constant) -> Any:
    """A value; no repeated names, no half characters; ``constant`` reads NaN and Infinity, which are no JSON."""
    try:
        return json.loads(text, object_pairs_hook=_pairs, parse_constant=constant)
    except json.JSONDecodeError as error:
        raise Rejected(f"not JSON at character {error.pos + 1}: {error.msg}") from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, a thousand brackets
        raise Rejected(f"not JSON that can be read: {str(error).splitlines()[0]}") from None


def parse_object(line: bytes, constant: Callable[[str], Any] = _constant) -> dict[str, Any]:
    """One line, one object."""
    value = parse_json(decoded(line), constant)
    if not isinstance(value, dict):
        raise Rejected("not a JSON object")
    return value


def text_of(value: Mapping[str, Any], name: str) -> str:
    """A field that must be a text."""
    return _whole_text(required(value, name), name)


def words_of(value: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """A field that must be a list of words: texts that hold something and no white space at their ends."""
    words = required(value, name)
    if not isinstance(words, list):
        raise Rejected(f"{name!r} is not a list of words")
    for word in words:
        if _whole_text(word, name) != word.strip() or not word:
            raise Rejected(f"{name!r} holds {word!r}, which is no word")
    if not words:
        raise Dropped("without words")
    return tuple(words)


def _whole_text(text: Any, name: str) -> str:
    if not isinstance(text, str):
        raise Rejected(f"{name!r} is not a text")
    refuse_nul(text)
    if _SURROGATE.search(text):
        raise Rejected(f"{name!r} holds half a character (a lone surrogate)")
    return text


def label_of(value: Mapping[str, Any], name: str) -> str:
    """A field that names a class: a text, a whole number or a truth value."""
    label = required(value, name)
    if not isinstance(label, str | int):
        raise Rejected(f"{name!r} is neither text, whole number nor truth value")
    return text_of(value, name) if isinstance(label, str) else json.dumps(label)


@dataclass
class Labels:
    """The classes of one file; 1 and "1" would be one class, so no file may have both."""

    kinds: dict[str, type] = field(default_factory=dict)

    def of(self, value: Mapping[str, Any], name: str) -> str:
        """The record's class, by the field ``name``."""
        label, kind = label_of(value, name), type(value[name])
        if self.kinds.setdefault(label, kind) is not kind:
            raise Rejected(f"the label {label} is a text in one record and not in another: write all labels alike")
        return label


def required(value: Mapping[str, Any], name: str) -> Any:
    """A field that must be there."""
    if name not in value:
        raise Rejected(f"no {name!r}; there is: {', '.join(map(repr, value))}")
    return value[name]


def object_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file of objects; a last one that was cut off is no JSON, so it needs no line end."""
    return numbered_lines(path, cut_off=True)
