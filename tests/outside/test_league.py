"""Results on a frozen suite can be checked by anybody: what was changed afterwards is refused."""

import json
import shutil
from collections.abc import Callable
from math import comb
from pathlib import Path

import planted_corpus
import pyarrow
import pyarrow.parquet
import pytest
from tests.cli.command_runner import Runner

from whichword.extras.league import checking
from whichword.extras.league.checking import AskedAgain, ask_again, ranking
from whichword.extras.league.suite import freeze, names, open_suite, play_suite
from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.playing.verify import digest
from whichword.runs import shards
from whichword.runs.items import ItemFile, items_bytes
from whichword.runs.run import open_run
from whichword.runs.sealed import sealed, sha256, unsealed


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite of a small network, and two results folders."""
    folder = tmp_path_factory.mktemp("league")
    model = planted_corpus.tiny_network(folder / "net", "cnn")
    play = Play(("net",), ("planted[documents=60]",), ("hybrid[sentences=3]",), ("random", "omit_1"))
    evaluate(Spec({"net": model}, (play,)), folder / "run")
    suite = freeze(folder / "run", "small", "a test", folder / "suite")
    play_suite(suite, ["lrp"], folder / "lrp")
    play_suite(suite, ["occ_1", "grad_1_s_dot"], folder / "others")
    return folder


def checked(run: Runner, base: Path, results: Path, *more: str) -> tuple[int, str]:
    done = run("league", "verify", str(results), "--suite", str(base / "suite"), *more)
    return done.returncode, done.stdout + done.stderr


def test_what_was_played_is_sound(run: Runner, base: Path) -> None:
    total = open_suite(str(base / "suite")).sheet.documents
    sound = f"{base / 'lrp'}: sound; all {total} documents per model explained anew\n"
    assert checked(run, base, base / "lrp") == (0, sound)
    assert open_run(base / "lrp/run").plan.pairings[0].labels == ("lrp", "random", "omit_1")


def reseal(folder: Path) -> None:
    """What a forger can do: new checksums everywhere."""
    run = folder / "run"
    for receipt in run.glob("shards/**/*.json"):
        body = unsealed(receipt)
        for kind, entry in body["files"].items():
            path = receipt.with_name(f"{receipt.stem}.{kind}.parquet")
            entry |= {"sha256": sha256(path.read_bytes()), "rows": pyarrow.parquet.read_table(path).num_rows}
        receipt.write_bytes(sealed(body))
    sheet = unsealed(folder / "league.json")
    (folder / "league.json").write_bytes(sealed(sheet | {"digest": digest(open_run(run))}))


def change_a_relevance(folder: Path) -> None:
    path = next((folder / "run").glob("shards/**/*.relevances.parquet"))
    table = pyarrow.parquet.read_table(path)
    values = table.column("relevances").to_pylist()
    row = table.column("method").to_pylist().index("lrp")  # of the shard's shortest document
    values[row][0] += 1.0
    column = pyarrow.array(values, table.schema.field("relevances").type)
    path.write_bytes(shards.parquet(table.set_column(3, "relevances", column).to_pydict(), table.schema))


def test_a_changed_relevance_is_refused(run: Runner, base: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(base / "lrp", tmp_path / "copy"))
    change_a_relevance(folder)
    code, words = checked(run, base, folder)
    assert (code, "the checksum does not fit" in words) == (1, True)
    reseal(folder)
    code, words = checked(run, base, folder)
    assert code == 1
    assert "lrp says something else" in words


def change_a_prediction(folder: Path) -> None:
    """The other class, and scores that say so."""
    path = next((folder / "run").glob("shards/**/*.predictions.parquet"))
    table = pyarrow.parquet.read_table(path)
    columns = table.to_pydict()
    said = columns["predicted"][0]
    classes, scores = open_run(folder / "run").plan.models[0].classes, columns["scores"][0]
    other = next(k for k, name in enumerate(classes) if name != said)
    columns["predicted"][0], scores[other] = classes[other], max(scores) + 1
    path.write_bytes(shards.parquet(columns, table.schema))


def test_a_prediction_that_the_model_never_made_is_refused(base: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(base / "lrp", tmp_path / "copy"))
    run, suite = open_run(folder / "run"), open_suite(str(base / "suite"))
    assert not ask_again(run, suite, None).troubles
    change_a_prediction(folder)
    reseal(folder)
    asked = ask_again(open_run(folder / "run"), suite, None)
    assert len(asked.troubles) == 1
    assert "the model itself says something else" in asked.troubles[0]


def test_what_a_sample_would_notice_is_said(run: Runner, base: Path) -> None:
    """Of 400 documents 20 that were changed, 20 that are asked again: 1 - C(380, 20) / C(400, 20)."""
    assert AskedAgain(20, 400, ()).noticed(20) == pytest.approx(1 - comb(380, 20) / comb(400, 20))
    assert "a change of 20 of them (5 %) would be noticed with probability 0.65" in AskedAgain(20, 400, ()).words
    assert AskedAgain(0, 400, ()).noticed(400) == 0
    code, words = checked(run, base, base / "lrp", "--again", "3")
    assert code == 0
    assert "3 of " in words
    assert "would be noticed with probability" in words


def test_where_time_is_short_a_sample_is_drawn(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "PATIENCE", 0.0)
    suite = open_suite(str(base / "suite"))
    asked = ask_again(open_run(base / "lrp/run"), suite, None)
    assert asked.documents == min(checking.TOGETHER, asked.total) < asked.total
    assert ask_again(open_run(base / "lrp/run"), suite, asked.total).documents == asked.total


def test_a_missing_document_is_refused(run: Runner, base: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(base / "lrp", tmp_path / "copy"))
    path = folder / "run/items/s00.parquet"
    items = ItemFile(path).in_order()
    path.write_bytes(items_bytes(items[:-1]))
    code, words = checked(run, base, folder)
    assert (code, "items/s00.parquet: the checksum does not fit" in words) == (1, True)
    plan = unsealed(folder / "run/run.json")
    plan["sets"][0] |= {"sha256": sha256(path.read_bytes()), "items": len(items) - 1}
    (folder / "run/run.json").write_bytes(sealed(plan))
    assert checked(run, base, folder)[0] == 1


def test_another_suites_hash_is_refused(run: Runner, base: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(base / "lrp", tmp_path / "copy"))
    sheet = unsealed(folder / "league.json")
    (folder / "league.json").write_bytes(sealed(sheet | {"hash": "0" * 64}))
    code, words = checked(run, base, folder)
    assert (code, "made on another suite" in words) == (1, True)


def test_a_changed_suite_is_refused(base: Path, tmp_path: Path) -> None:
    changes: dict[str, Callable[[bytes], bytes]] = {
        "suite.json": lambda data: data.replace(b'"small"', b'"smaII"'),
        "models/net/weights.safetensors": lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        "items.parquet": lambda data: items_bytes(open_suite(str(base / "suite")).items[1:]),
    }
    for number, (name, change) in enumerate(changes.items()):
        copy = Path(shutil.copytree(base / "suite", tmp_path / str(number)))
        (copy / name).write_bytes(change((copy / name).read_bytes()))
        with pytest.raises(Exception, match=r"not what the suite was frozen with|checksum"):
            open_suite(str(copy))


def test_a_ranking_over_folders(run: Runner, base: Path) -> None:
    done = run("league", "table", str(base / "lrp"), str(base / "others"))
    assert done.returncode == 0, done.stderr
    ranks = ranking([base / "lrp", base / "others"])
    assert {rank.method for rank in ranks} == {"lrp", "occ_1", "grad_1_s_dot", "omit_1", "random"}
    assert [rank.accuracy for rank in ranks] == sorted((rank.accuracy for rank in ranks), reverse=True)
    rows = [[cell.strip() for cell in line.split("|")[1:4]] for line in done.stdout.splitlines()[2:]]
    assert [row[1] for row in rows] == [rank.method for rank in ranks]
    accuracies = [rank.accuracy for rank in ranks]
    assert [int(row[0]) for row in rows] == [1 + accuracies.index(value) for value in accuracies]  # ties share a place


def test_results_of_two_suites_are_not_ranked_together(run: Runner, base: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(base / "lrp", tmp_path / "copy"))
    (folder / "league.json").write_bytes(sealed(unsealed(folder / "league.json") | {"hash": "0" * 64}))
    assert run("league", "table", str(base / "lrp"), str(folder)).returncode == 2


def test_wrong_names_are_one_line(run: Runner, tmp_path: Path) -> None:
    assert "no suite is called 'nothing'" in run("league", "run", "nothing", "-m", "lrp").stderr
    assert "holds no results" in run("league", "verify", str(tmp_path)).stderr


@pytest.mark.parametrize("name", names())
def test_the_suites_that_come_with_us(run: Runner, name: str, tmp_path: Path) -> None:
    suite = open_suite(name)
    assert suite.sheet.name == name
    assert json.dumps(suite.sheet.to_json())
    play_suite(suite, ["lrp"], tmp_path / "out")
    done = run("league", "verify", str(tmp_path / "out"))
    assert done.returncode == 0, done.stdout


def test_there_are_three_suites() -> None:
    assert names() == ["docstrings", "grammar", "planted"]
