"""Tables with decisions, from methods that hit the first documents of a part."""

from collections.abc import Mapping, Sequence

import numpy as np

from whichword.reporting.table import Case, Column, Table, TableCell
from whichword.runs.run import MethodCost
from whichword.statistics import tie_group
from whichword.statistics.bounds import BASELINES, CHANCE, Outcomes
from whichword.statistics.decision import decide
from whichword.types import Tally

Shares = Mapping[str, float]


def case_table(
    parts: Sequence[Shares],
    documents: int | Sequence[int] = 1000,
    model: str = "lstm",
    game: str = "hybrid",
    run: str = "run",
    chance: float = 0.2,
    seconds: Mapping[str, float] | None = None,
    available: int = 1000,
) -> Table:
    """One model in one game; methods hit the first ``share`` of each part's documents, which are the part's own."""
    sizes = [documents] * len(parts) if isinstance(documents, int) else list(documents)
    costs = {name: (seconds or {}).get(name, 0.01) for name in parts[0]}
    blocks = [_block(shares, size) for shares, size in zip(parts, sizes, strict=True)]
    columns = [
        _column(block, part, (run, model, "lstm", "made", game), chance, costs) for part, block in enumerate(blocks)
    ]
    table = np.column_stack([np.concatenate([np.column_stack(list(block.values())) for block in blocks])])
    hits = np.column_stack([table, np.full(len(table), chance)])
    outcomes = Outcomes((*parts[0], CHANCE), hits, [(n,) for n in range(len(hits))])
    decision = decide(outcomes, costs) if len(hits) and outcomes.methods else None
    return Table(tuple(columns), (Case(run, model, "made", game, decision, costs, len(hits), available),))


def joined(*tables: Table) -> Table:
    """The columns and cases of all."""
    return Table(
        tuple(column for table in tables for column in table.columns),
        tuple(case for table in tables for case in table.cases),
    )


def _block(shares: Shares, size: int) -> dict[str, np.ndarray]:
    return {name: (np.arange(size) < round(share * size)).astype(float) for name, share in shares.items()}


def _column(block: Mapping[str, np.ndarray], part: int, about: tuple[str, ...], chance: float, costs: Shares) -> Column:
    real = {name: hits for name, hits in block.items() if name not in BASELINES and len(hits)}
    group = tie_group(real).members if real else ()
    cells = {
        name: TableCell(Tally(float(hits.sum()), len(hits)), MethodCost(costs[name], 1.0), "", name in group)
        for name, hits in block.items()
    }
    counted = any(len(hits) for hits in block.values())
    return Column(*about, f"part{part}" if part else about[-1], chance if counted else None, cells, {})
