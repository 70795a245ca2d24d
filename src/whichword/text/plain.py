"""NLTK's patterns compiled by `re`.

NLTK from 3.10 on guards every pattern by a timer, which on short strings costs three to five times the work itself. The
patterns here are NLTK's own and are only ever given single words and the surroundings of a full stop.
"""

import re
from typing import Any

_FLAGS = re.I | re.M | re.S | re.U | re.X


def plain(pattern: Any) -> re.Pattern[str]:
    """The same pattern without the guard."""
    return re.compile(pattern.pattern, pattern.flags & _FLAGS)


def plain_members(owner: object, start: str) -> dict[str, re.Pattern[str]]:
    """{name: pattern} for the patterns among an owner's members whose names begin with ``start``."""
    members = {name: getattr(owner, name, None) for name in dir(owner) if name.startswith(start)}
    return {name: plain(value) for name, value in members.items() if hasattr(value, "pattern")}
