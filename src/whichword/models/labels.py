"""Short names for long spellings."""

from collections.abc import Callable, Sequence
from pathlib import Path

from whichword.errors import InputError


def distinct_labels(spellings: Sequence[str], short: Callable[[str], str]) -> dict[str, str]:
    """Label -> spelling: ``short`` of it, or as many of its last parts as it takes to tell it from the others."""
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
    """So many of its last parts; all of it, to the letter, where it has no more."""
    parts = place.split("/")
    return "/".join(parts[-depth:]) if depth < len(parts) else place


def _place(spelling: str) -> str:
    """The same text for the same folder, however it was written."""
    path = Path(spelling)
    return str(path.resolve()) if path.exists() else spelling
