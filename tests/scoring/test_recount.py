"""The table, counted again from the Parquet files by other means: forty lines that share nothing with the product."""

import json
import math
from collections import defaultdict
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from whichword.reporting import table
from whichword.runs.run import Run, open_run
from whichword.scoring.run import judge, store_judgement


def recount(folder: Path) -> dict[tuple[str, str], list[float]]:
    """(model, method) -> [hits, total, discarded, nonfinite, ties] of the hybrid game."""
    body = json.loads((folder / "run.json").read_text())["body"]
    counts: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0, 0, 0, 0])
    for pairing in body["pairings"]:
        labels = {
            row["key"]: row["labels"] for row in pq.read_table(folder / f"items/{pairing['set']}.parquet").to_pylist()
        }
        for number in range(len(pairing["shards"]) - 1):
            stem = f"{folder}/shards/{pairing['id']}/{number:05d}"
            said = {row["key"]: row["predicted"] for row in pq.read_table(f"{stem}.predictions.parquet").to_pylist()}
            for row in pq.read_table(f"{stem}.relevances.parquet").to_pylist():
                cell, predicted, gold = counts[pairing["model"], row["method"]], said[row["key"]], labels[row["key"]]
                if predicted not in gold:
                    cell[2] += 1
                    continue
                cell[1] += 1
                if row["method"] == "random":
                    cell[0] += sum(label == predicted for label in gold) / len(gold)
                    continue
                finite = [value for value in row["relevances"] if math.isfinite(value)]
                cell[3] += len(finite) < len(row["relevances"])
                if finite:
                    top = max(finite)
                    cell[0] += gold[row["relevances"].index(top)] == predicted
                    cell[4] += finite.count(top) > 1
    return dict(counts)


def test_every_cell_of_the_table_is_the_independent_count(made: Run) -> None:
    cells = {(c.model, name): cell.tally for c in table([made.folder]).columns for name, cell in c.cells.items()}
    found = {key: [t.hits, t.total, t.discarded, t.nonfinite, t.ties] for key, t in cells.items()}
    expected = recount(made.folder)
    assert found.keys() == expected.keys()
    assert len(found) == 22 + 21
    for key, numbers in expected.items():
        assert found[key] == pytest.approx(numbers, abs=1e-9), key
    assert any(numbers[2] for numbers in expected.values()), "a run without discards would not test them"


def test_a_relevance_that_is_not_finite_is_counted_and_never_wins(copied: Path) -> None:
    """The stored values of one document are made infinite by hand, as a broken method would."""
    import pyarrow as pa

    from whichword.runs.sealed import sealed, sha256, unsealed

    run = open_run(copied)
    shard = run.plan.pairings[0].shards[0].name
    path, receipt = copied / f"shards/{shard}.relevances.parquet", copied / f"shards/{shard}.json"
    rows = pq.read_table(path)
    values = rows.column("relevances").to_pylist()
    place = rows.column("method").to_pylist().index("lrp")
    values[place] = [math.inf, math.nan, *values[place][2:]]
    drawn = rows.column("method").to_pylist().index("random")
    values[drawn] = [math.inf for _ in values[drawn]]
    changed = rows.set_column(
        3, rows.schema.field("relevances"), pa.array(values, rows.schema.field("relevances").type)
    )
    pq.write_table(changed, path)
    body = unsealed(receipt)
    body["files"]["relevances"]["sha256"] = sha256(path.read_bytes())
    receipt.write_bytes(sealed(body))
    (column,) = [one for one in table([copied]).columns if one.model == "cnn"]
    key = rows.column("key")[place].as_py()
    judged = judge(open_run(copied), "p00")
    assert judged.rmax[judged.keys.index(key), judged.methods.index("lrp")] >= 2
    assert column.cells["lrp"].tally.nonfinite == recount(copied)["cnn", "lrp"][3]
    assert bool(judged.nonfinite[judged.keys.index(key), judged.methods.index("lrp")])
    assert not judged.nonfinite[:, judged.methods.index("random")].any()  # its draw is not what is counted
    assert not judged.ties[:, judged.methods.index("random")].any()


def test_a_stored_judgement_is_used_while_it_fits_and_made_again_when_not(copied: Path) -> None:
    run = open_run(copied)
    before = judge(run, "p00")
    (copied / "judged/p00.parquet").unlink()
    again = judge(run, "p00")
    for part in before.parts:
        assert before.hits[part].tobytes() == again.hits[part].tobytes()
    assert (before.rmax == again.rmax).all()
    assert before.chance == again.chance
    assert before.keys == again.keys
    assert before.predicted == again.predicted
    assert not (copied / "judged/p00.parquet").exists()  # a reader writes nothing
    store_judgement(run, "p00")
    assert (copied / "judged/p00.parquet").read_bytes()
