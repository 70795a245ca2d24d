"""Is a method's lead nothing but width? A game that rewards whole fragments rewards wide windows."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whichword.statistics.multiple import holm
from whichword.statistics.paired import Comparison, compare

_WIDE = re.compile(r"(?P<stem>.+_)(?P<width>[1-9][0-9]*)(?P<settings>\[.*\])?")


@dataclass(frozen=True)
class Width:
    """``wide`` against ``narrow``, the same method with a window of one word; significantly better."""

    wide: str
    narrow: str
    over: Comparison


def narrow_sibling(method: str) -> str | None:
    """``omit_7`` -> ``omit_1``; None for a method without a window, or with one of one word."""
    match = _WIDE.fullmatch(method)
    if match is None or match["width"] == "1":
        return None
    return f"{match['stem']}1{match['settings'] or ''}"


def leads_by_width(hits: Mapping[str, NDArray[np.float64]], alpha: float = 0.05) -> list[Width]:
    """Hits [D] per method (nan: not counted): the wide windows that beat one word, Holm-corrected."""
    counted = {name: values[~np.isnan(values)] for name, values in hits.items()}
    pairs = {name: narrow for name in hits if (narrow := narrow_sibling(name)) in hits and len(counted[name])}
    tests = {name: compare(counted[name], counted[str(narrow)]) for name, narrow in pairs.items()}
    p = holm({name: test.p for name, test in tests.items()})
    return [
        Width(name, str(pairs[name]), test) for name, test in tests.items() if test.difference > 0 and p[name] < alpha
    ]
