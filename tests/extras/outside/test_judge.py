"""Relevances from elsewhere are judged as if they had been made here, in whatever form they come."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from command_runner import Runner

from whichword.extras.outside.matching import on_words, piece_places
from whichword.extras.outside.rows import OutsideRow
from whichword.runs.run import open_run
from whichword.scoring.run import judge
from whichword.types import Item


def lrp_rows(folder: Path) -> dict[str, list[float]]:
    run = open_run(folder)
    return {row.key: row.values.tolist() for row in run.relevances("p00") if row.method == "lrp"}


def by_key(item: Item, phi: list[float]) -> dict[str, Any]:
    return {"key": item.key, "relevances": phi}


def by_tokens(item: Item, phi: list[float]) -> dict[str, Any]:
    """As BERT's tokenizer writes it, between special pieces that have a relevance too."""
    tokens, values = ["[CLS]"], [5.0]
    for word, value in zip(item.words, phi, strict=True):
        tokens += [word[:4].upper(), f"##{word[4:]}"] if len(word) > 4 else [word]
        values += [value - 1.0, 1.0] if len(word) > 4 else [value]
    return {"key": item.key, "tokens": [*tokens, "[SEP]"], "attributions": [*values, -7.0]}


def as_explained(item: Item, phi: list[float]) -> dict[str, Any]:
    """What `whichword explain --json` prints."""
    return {"key": item.key, "words": list(item.words), "text": item.text, "relevance": {"mine": phi}}


FORMS = {"key": by_key, "tokens": by_tokens, "explained": as_explained}


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize(("form", "ending"), [*((form, ".jsonl") for form in FORMS), ("key", ".parquet")])
def test_lrp_from_a_file_has_the_hits_of_lrp(run: Runner, folder: Path, tmp_path: Path, form: str, ending: str) -> None:
    values = lrp_rows(folder)
    items = open_run(folder).items("s00")
    path = written(tmp_path / f"mine{ending}", [FORMS[form](item, values[item.key]) for item in items])
    done = run("judge", str(folder), "--relevances", str(path), "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    judged = judge(open_run(tmp_path / "out"), "p00")
    assert judged.methods == ("omit_1", "lrp", "random", "last", "mine")
    for part in judged.parts:
        vectors = judged.vectors(part)
        np.testing.assert_array_equal(vectors["mine"], vectors["lrp"])
        np.testing.assert_array_equal(vectors["omit_1"], judge(open_run(folder), "p00").vectors(part)["omit_1"])


def test_what_comes_out_is_a_run_like_any_other(run: Runner, folder: Path, tmp_path: Path) -> None:
    items = open_run(folder).items("s00")
    path = written(tmp_path / "mine.jsonl", [by_key(item, [1.0] * len(item.words)) for item in items])
    out = str(tmp_path / "out")
    for _ in range(2):  # the same again changes nothing
        assert run("judge", str(folder), "--relevances", str(path), "--name", "flat", "--out", out).returncode == 0
    assert "30 of 30 items" not in run("verify", out).stderr
    assert run("verify", out).returncode == 0
    table = run("table", out)
    assert "flat" in table.stdout
    assert run("report", out, "--out", str(tmp_path / "report.html")).returncode == 0
    path.write_text(path.read_text().replace("1.0", "2.0", 1))
    assert "is another run" in run("judge", str(folder), "--relevances", str(path), "--out", out).stderr


def test_texts_are_written_and_found_again(run: Runner, folder: Path, tmp_path: Path) -> None:
    texts = tmp_path / "items.jsonl"
    assert run("judge", str(folder), "--texts", str(texts)).returncode == 0
    rows = [json.loads(line) for line in texts.read_text().splitlines()]
    assert len(rows) == 30
    assert {row["target"] for row in rows} <= {"north", "south", "east"}
    mine = [{"text": " ".join(row["words"]), "relevances": list(range(len(row["words"])))} for row in rows]
    path = written(tmp_path / "mine.jsonl", mine)
    done = run("judge", str(folder), "--relevances", str(path), "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    judged = judge(open_run(tmp_path / "out"), "p00")
    np.testing.assert_array_equal(judged.rmax[:, -1], judged.rmax[:, judged.methods.index("last")])


def test_a_corpus_without_a_model(run: Runner, tmp_path: Path) -> None:
    corpus = tmp_path / "reviews.jsonl"
    texts = [("good film . " * 3, "pos"), ("bad film . " * 3, "neg")]
    corpus.write_text(
        "".join(json.dumps({"text": f"{i} {text}", "label": label}) + "\n" for i in range(60) for text, label in texts)
    )
    items = tmp_path / "items.jsonl"
    done = run("judge", str(corpus), "--game", "hybrid", "--texts", str(items))
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in items.read_text().splitlines()]
    mine = [
        {"key": row["key"], "target": "pos", "relevances": [float(word == "good") for word in row["words"]]}
        for row in rows
    ]
    path = written(tmp_path / "mine.jsonl", mine)
    done = run("judge", str(corpus), "--game", "hybrid", "--relevances", str(path), "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    judged = judge(open_run(tmp_path / "out"), "p00")
    tally = judged.tally("hybrid", "mine")
    assert tally.hits == tally.total > 0


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"key": "key00000"}, "no relevances (one of"),
        ({"key": "key00000", "relevances": [1, 2]}, "2 relevances for"),
        ({"key": "key00000", "relevances": "high"}, "a list of numbers"),
        ({"key": "nobody", "relevances": [1]}, "none of 1 rows is about an item"),
        ({"key": "key00000", "relevances": [1], "target": "west"}, "west"),
        ({"key": "key00000", "tokens": ["nothing", "of", "this", "text"], "scores": [1, 2, 3, 4]}, "do not stand in"),
        ({"key": "key00000", "spans": [[1, 2, 0.5]]}, "no relevances (one of"),
    ],
)
def test_wrong_rows_are_one_line(run: Runner, folder: Path, tmp_path: Path, row: dict[str, Any], words: str) -> None:
    path = written(tmp_path / "mine.jsonl", [row])
    done = run("judge", str(folder), "--relevances", str(path), "--partial", "--out", str(tmp_path / "out"))
    assert done.returncode == 2
    assert words in done.stderr
    assert not (tmp_path / "out").exists()


def test_missing_items_are_refused_or_count_as_wrong(run: Runner, folder: Path, tmp_path: Path) -> None:
    items, values = open_run(folder).items("s00"), lrp_rows(folder)
    path = written(tmp_path / "mine.jsonl", [by_key(item, values[item.key]) for item in items[:20]])
    arguments = ("judge", str(folder), "--relevances", str(path), "--out", str(tmp_path / "out"))
    assert "relevances for 20 of 30 items" in run(*arguments).stderr
    assert run(*arguments, "--partial").returncode == 0
    judged = judge(open_run(tmp_path / "out"), "p00")
    assert judged.nonfinite[:, -1].sum() == 10
    assert "health of mine: not finite" not in run("table", str(tmp_path / "out"), "--health").stdout  # nobody gave any


def test_pieces_are_found_by_place_not_by_marker() -> None:
    assert piece_places(["<s>", "▁It", "'", "s", "▁#", "1"], "It's  #1") == [
        None, (0, 2), (2, 3), (3, 4), (6, 7), (7, 8),
    ]  # fmt: skip
    row = OutsideRow("here", [1.0, None], pieces=("a", "b"))
    assert np.isnan(on_words(row, Item("k", ("a", "b")))[1])
