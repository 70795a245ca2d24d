"""A judgement made: in memory, or block by block onto the disk."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, BinaryIO

import numpy as np
import pyarrow
import pyarrow.parquet

from whichword import games
from whichword.runs import shards as formats
from whichword.runs.plan import Pairing
from whichword.runs.run import Run
from whichword.runs.sealed import commit, commit_by, sealed
from whichword.scoring.jobs import Judges
from whichword.scoring.judging_fresh import columns_of, judge_afresh
from whichword.scoring.judging_rows import ScoredRows
from whichword.scoring.outcomes import Judged, JudgedFacts


def judge_in_memory(run: Run, pairing: Pairing) -> Judged:
    """Nothing is stored: whoever only reads a run has no right to write."""
    blocks: list[ScoredRows] = []
    facts = judge_afresh(run, pairing, blocks.append, Judges())
    rows = ScoredRows.joined(blocks or [ScoredRows.blank(0, len(pairing.methods), facts.chance)])
    game = games.GAMES[run.plan.set(pairing.set).game]
    names = (tuple(rows.keys.tolist()), tuple(rows.predicted.tolist()))
    fixed = (pairing.labels, game.parts, *names, rows.rmax, rows.ties, rows.nonfinite, rows.hits)
    return Judged(*fixed, facts.chance, facts.degraded, facts.ceiling, facts.unfamiliar)


def judge_onto_disk(run: Run, pairing: Pairing, judges: Judges, named: Mapping[str, Any]) -> None:
    """Block by block onto the disk: nothing but sums is held of all of them."""
    parts = games.GAMES[run.plan.set(pairing.set).game].parts
    facts, checksum = commit_by(run.folder, f"judged/{pairing.id}.parquet", partial(_write, run, pairing, judges))
    body = {**named} | {"sha256": checksum, "parts": list(parts), **asdict(facts)}
    commit(run.folder, f"judged/{pairing.id}.json", sealed(body))


# ---------------------------------------------------------------------------------------------------------------------


def _write(run: Run, pairing: Pairing, judges: Judges, file: BinaryIO) -> tuple[JudgedFacts, str]:
    """A row group per block; returns what is told of all items, and the file's checksum."""
    schema = formats.judged_schema(columns_of(games.GAMES[run.plan.set(pairing.set).game]))
    hashed = formats.HashingFile(file)
    with pyarrow.parquet.ParquetWriter(hashed.sink, schema, compression="zstd") as writer:

        def keep(block: ScoredRows) -> None:
            table = pyarrow.table(_columns(block, pairing.labels), schema=schema)
            writer.write_table(table, row_group_size=max(1, table.num_rows))

        facts = judge_afresh(run, pairing, keep, judges)
    return facts, hashed.digest.hexdigest()


def _columns(block: ScoredRows, methods: Sequence[str]) -> dict[str, Any]:
    """No Python object per row: a row is an item and a method."""
    size, width, rmax = len(block.keys), len(methods), block.rmax.ravel()
    items = np.repeat(np.arange(size), width)
    return {
        "key": pyarrow.array(block.keys.tolist(), pyarrow.string()).take(items),
        "method": pyarrow.array(methods, pyarrow.string()).take(np.tile(np.arange(width), size)),
        "predicted": pyarrow.array(block.predicted.tolist(), pyarrow.string()).take(items),
        "rmax": pyarrow.array(rmax.astype(np.int32), mask=rmax < 0),
        "tie": block.ties.ravel(),
        "nonfinite": block.nonfinite.ravel(),
    } | {part: pyarrow.array(hits.ravel(), from_pandas=True) for part, hits in block.hits.items()}
