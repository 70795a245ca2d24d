"""Convert what a file or a page says to records with declared types, at this one edge.

What does not fit is refused in one line that says where: ``sets[0].items must be a whole number, not text``.
"""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from whichword.errors import InputError

T = TypeVar("T")

EXACT = 2**53  # up to here a whole number is the same number in every program that reads JSON
_TROUBLE = re.compile(r"(?P<what>.*?)(?: - at `(?P<key>key` in `)?\$\.?(?P<place>.*)`)?", re.DOTALL)
_SENTENCES = {
    "Object missing required field `(.*)`": r"{place}.\1 is missing",
    "Object contains unknown field `(.*)`": r"{place}: nothing is called '\1'",
    "Expected (.*), got (.*)": r"{place} must be \1, not \2",
    "Expected (.*)": r"{place} must be \1",
    "(.*)": r"{place}: \1",  # what a record's own checks say
}
_TYPES = {
    r"`str` matching regex '\^(.*)\\\\Z'": r"text of the form \1",
    r"`([^`]*) \| null`": r"`\1` or `null`",
    "`int`": "a whole number",
    "`float`": "a number",
    "`str`": "text",
    "`bool`": "true or false",
    "`array`": "a list",
    "`object`": "a table",
    "`null`": "nothing",
}


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A record that is stored or sent: never changed, of declared types where it comes from outside."""


def typed(kind: type[T], value: Any, where: str = "", error: type[InputError] = InputError) -> T:
    """Return a record of what JSON or TOML holds; an ``error`` of one line says what does not fit, and ``where``.

    Texts are decoded before: msgspec's own reader takes no lone surrogates, which texts, and so our files, may hold.
    """
    try:
        return msgspec.convert(value, kind)
    except (ValueError, TypeError, LookupError, RecursionError) as trouble:
        # msgspec passes on what a record's own checks raise, but for ValueError and TypeError, which it places
        raise error(": ".join(filter(None, (where, _placed(trouble))))) from None


def plain(record: Any) -> Any:
    """Return what JSON can hold, in the order of the fields."""
    return msgspec.to_builtins(record, enc_hook=_plain)


def _plain(value: Any) -> Any:
    """Return what msgspec does not know by itself: a float of numpy, of which seconds and shares are made."""
    if isinstance(value, float):
        return float(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"JSON holds nothing like a {type(value).__name__}")


def _placed(trouble: Exception) -> str:
    """Rephrase msgspec's ``what - at `$.place` `` the other way round and in our words."""
    if not isinstance(trouble, msgspec.ValidationError):
        return str(trouble) or type(trouble).__name__
    found = _TROUBLE.fullmatch(str(trouble))
    assert found is not None  # the pattern fits any text
    place = f"a name in {found['place']}" if found["key"] else found["place"]
    what = found["what"]
    for theirs, ours in _TYPES.items():
        what = re.sub(theirs, ours, what)
    form, sentence = next((form, text) for form, text in _SENTENCES.items() if re.fullmatch(form, what, re.DOTALL))
    said = re.sub(f"(?s)^{form}$", sentence, what, count=1)
    return said.replace("{place}", place or ("it" if "{place} must" in said else "")).lstrip(".: ")
