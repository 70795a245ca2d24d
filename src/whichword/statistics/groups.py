"""Which methods share the first place."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from whichword.errors import InputError
from whichword.statistics.multiple import holm
from whichword.statistics.paired import compare

Mark = Literal["best", "within five points", ""]


@dataclass(frozen=True)
class TieGroup:
    """``members`` are not significantly worse than ``best``, which is the first of them; best accuracy first."""

    best: str
    members: tuple[str, ...]
    p: Mapping[str, float]  # every other method against the best, Holm-corrected


def tie_group(hits: Mapping[str, ArrayLike], alpha: float = 0.05, seed: int = 0) -> TieGroup:
    """Hits [N] per method, same documents -> the best method and all that p' >= alpha cannot tell from it.

    The best is the first with the largest accuracy; each other method is tested against it, the p-values
    Holm-corrected together. The best is picked from the same data, so a group is rather too small than too large.
    """
    if not hits:
        raise InputError("a tie group needs at least one method")
    order = sorted(hits, key=lambda name: -float(np.mean(np.asarray(hits[name], dtype=np.float64))))
    best, *rivals = order
    p = holm({name: compare(hits[best], hits[name], seed).p for name in rivals})
    return TieGroup(best, (best, *(name for name in rivals if p[name] >= alpha)), p)


def paper_marks(accuracy: Mapping[str, float | None]) -> dict[str, Mark]:
    """The paper's marks in one column: the top methods, and those within five points of them.

    As in its table, both are decided on figures rounded to two digits, and five points still count as within.
    """
    points = {name: round(100 * round(value, 2)) for name, value in accuracy.items() if value is not None}
    top = max(points.values(), default=0)
    return {name: _mark(top - points[name]) if name in points else "" for name in accuracy}


def _mark(behind: int) -> Mark:
    if behind == 0:
        return "best"
    return "within five points" if behind <= 5 else ""
