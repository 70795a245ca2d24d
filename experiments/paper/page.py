"""All tables in their order, and a Markdown page that holds them between two marks."""

from collections.abc import Iterable
from pathlib import Path

from experiments.paper.blocks import Block, markdown
from experiments.paper.findings import readings, seeds, within_five, without_settings
from experiments.paper.shown import Shown
from experiments.paper.tables import agreement, claims, costs, figures, networks
from experiments.paper.unanimous import substrings_alike
from experiments.paper.variant_tables import variants
from whichword.errors import InputError
from whichword.runs.sealed import commit, sweep

BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"
MAKERS = (
    networks,
    agreement,
    claims,
    figures,
    without_settings,
    readings,
    within_five,
    seeds,
    substrings_alike,
    variants,
    costs,
)


def all_blocks(shown: Shown) -> list[Block]:
    """In the order of the page."""
    return [block for maker in MAKERS for block in maker(shown)]


def put_into(path: Path, blocks: Iterable[Block]) -> None:
    """Replace what stands between the marks; everything else in the page is left as it is."""
    try:
        page = path.read_text(encoding="utf8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise InputError(f"{path}: no {BEGIN} and {END} in it")
    tables = "\n".join(markdown(block) for block in blocks)
    commit(path.parent, path.name, f"{before}{begin}\n\n{tables}\n{end}{after}".encode())
    sweep(path.parent)
