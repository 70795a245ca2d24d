"""A Usenet post without its header, its signature and what it quotes: the same rules as scikit-learn's."""

import re

_QUOTED = re.compile(r"[|>]|In article|Quoted from|.*(?:writes in|writes:|wrote:|says:|said:)")


def without_header(post: str) -> str:
    """What follows the first empty line."""
    return post.partition("\n\n")[2]


def without_footer(post: str) -> str:
    """What precedes the last line that is empty or made of hyphens, not counting empty lines at the end.

    A post without such a line, or with its only one at the top, stays as it is.
    """
    lines = post.strip().split("\n")
    cut = max((row for row, line in enumerate(lines) if not line.strip().strip("-")), default=0)
    return "\n".join(lines[:cut]) if cut else post


def without_quotes(post: str) -> str:
    """No line that starts with > or |, or that introduces a quotation."""
    return "\n".join(line for line in post.split("\n") if not _QUOTED.match(line))


def stripped(post: str) -> str:
    """Header, footer and quotes removed, in this order."""
    return without_quotes(without_footer(without_header(post)))
