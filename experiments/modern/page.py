"""The tables of docs/modern.md in their order, from what is kept under results."""

from collections.abc import Mapping
from typing import Any

from experiments.columns import read_results
from experiments.modern.checks import carried, judges, seeds, truth
from experiments.modern.keeping import read_kept
from experiments.modern.spec import Modern
from experiments.modern.tables import Stored, claims, columns, costs, figures
from experiments.paper.blocks import Block

MAKERS = (claims, columns, figures, truth, seeds, carried, judges, costs)


def read_stored(modern: Modern) -> Stored:
    """In the order of the file."""
    kept = [_ordered(modern, read_kept(modern.results, kind)) for kind in ("panels", "right", "truth")]
    return Stored(modern, _ordered(modern, read_results(modern.results)), *kept)


def _ordered(modern: Modern, parts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: parts[name] for name in modern.sittings if name in parts}


def blocks(stored: Stored) -> list[Block]:
    """Nothing is said of columns that are not there."""
    return [block for maker in MAKERS for block in maker(stored)]
