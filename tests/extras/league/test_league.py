"""Runs on a frozen suite can be checked: what was changed afterwards is refused."""

import shutil
from collections.abc import Callable
from dataclasses import asdict, replace
from math import comb
from pathlib import Path

import planted_corpus
import pyarrow
import pyarrow.parquet
import pytest
from command_runner import Runner
from experiments.freeze import freeze

from whichword.extras.league.suite import SuiteSheet, chances, names, open_suite, play_suite, ranking, verify_results
from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.playing.verify import digest
from whichword.runs import shards
from whichword.runs.items import ItemFile, items_bytes
from whichword.runs.run import open_run
from whichword.runs.sealed import sealed, sha256, unsealed
from whichword.scoring.run import judge


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
    played = open_run(base / "lrp")
    sound = f"{base / 'lrp'}: sound; all {total} documents per model explained anew; digest {digest(played)}\n"
    assert checked(run, base, base / "lrp") == (0, sound)
    assert played.plan.pairings[0].labels == ("lrp", "random", "omit_1")


def reseal(folder: Path) -> None:
    """What a forger can do: new checksums everywhere."""
    for receipt in folder.glob("shards/**/*.json"):
        body = unsealed(receipt)
        for kind, entry in body["files"].items():
            path = receipt.with_name(f"{receipt.stem}.{kind}.parquet")
            entry |= {"sha256": sha256(path.read_bytes()), "rows": pyarrow.parquet.read_table(path).num_rows}
        receipt.write_bytes(sealed(body))


def change_a_relevance(folder: Path) -> None:
    path = next(folder.glob("shards/**/*.relevances.parquet"))
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
    path = next(folder.glob("shards/**/*.predictions.parquet"))
    table = pyarrow.parquet.read_table(path)
    columns = table.to_pydict()
    said = columns["predicted"][0]
    classes, scores = open_run(folder).plan.models[0].classes, columns["scores"][0]
    other = next(k for k, name in enumerate(classes) if name != said)
    columns["predicted"][0], scores[other] = classes[other], max(scores) + 1
    path.write_bytes(shards.parquet(columns, table.schema))


def test_a_prediction_that_the_model_never_made_is_refused(base: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(base / "lrp", tmp_path / "copy"))
    change_a_prediction(folder)
    reseal(folder)
    troubles, _ = verify_results(folder, str(base / "suite"))
    assert len(troubles) == 1
    assert "the model itself says something else" in troubles[0]


def test_what_a_sample_would_notice_is_said(run: Runner, base: Path) -> None:
    """Of 400 documents 20 that were changed, 20 that are asked again: 1 - C(380, 20) / C(400, 20)."""
    chance, single = 1 - comb(380, 20) / comb(400, 20), 20 / 400
    noticed = (
        f"a change of 20 of them (5 %) would be noticed with probability {chance:.2f}, of a single one {single:.2f}"
    )
    assert noticed in chances(20, 400)
    code, words = checked(run, base, base / "lrp", "--again", "3")
    assert code == 0
    assert "3 of " in words
    assert "would be noticed with probability" in words


def test_what_was_not_drawn_is_not_explained(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, suite = Path(shutil.copytree(base / "lrp", tmp_path / "copy")), open_suite(str(base / "suite"))
    change_a_relevance(folder)
    reseal(folder)
    key = next(open_run(folder).relevances("p00")).key
    for drawn in ([item for item in suite.items if item.key != key], [item for item in suite.items if item.key == key]):
        monkeypatch.setattr("random.SystemRandom.sample", lambda _, items, count, drawn=drawn: drawn)
        troubles, _ = verify_results(folder, str(base / "suite"))
        assert len(troubles) == len(drawn) % 2 if len(drawn) == 1 else not troubles


def test_a_run_without_the_baselines_is_refused(base: Path, tmp_path: Path) -> None:
    suite = open_suite(str(base / "suite"))
    bare = replace(suite, sheet=replace(suite.sheet, baselines={}))
    bare.sheet.__dict__["hash"] = suite.sheet.hash  # what a forger would write
    play_suite(bare, ["lrp"], tmp_path / "bare")
    troubles, _ = verify_results(tmp_path / "bare", str(base / "suite"))
    assert troubles == ["the models and methods are not those of the suite and its baselines"]


def test_other_networks_are_refused(base: Path, tmp_path: Path) -> None:
    suite = open_suite(str(base / "suite"))
    other = Path(shutil.copytree(base / "suite", tmp_path / "other"))
    shutil.rmtree(other / "models/net")
    planted_corpus.tiny_network(other / "models/net", "linear")
    play_suite(replace(suite, folder=other), ["lrp"], tmp_path / "run")
    troubles, _ = verify_results(tmp_path / "run", str(base / "suite"))
    assert troubles == ["the models and methods are not those of the suite and its baselines"]


def test_a_ranking_does_not_believe_a_stored_judgement(base: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(base / "lrp", tmp_path / "copy"))
    path, receipt = folder / "judged/p00.parquet", folder / "judged/p00.json"
    table = pyarrow.parquet.read_table(path)
    part = unsealed(receipt)["parts"][0]
    ones = pyarrow.array([1.0] * table.num_rows, table.schema.field(part).type)
    forged = table.set_column(table.schema.get_field_index(part), table.schema.field(part), ones)
    pyarrow.parquet.write_table(forged, path)
    receipt.write_bytes(sealed(unsealed(receipt) | {"sha256": sha256(path.read_bytes())}))
    assert judge(open_run(folder), "p00").tally(part, "random").hits == table.num_rows / 3  # believed elsewhere
    assert [place[:4] for place in ranking([folder])] == [place[:4] for place in ranking([base / "lrp"])]


def test_a_missing_document_is_refused(run: Runner, base: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(base / "lrp", tmp_path / "copy"))
    path = folder / "items/s00.parquet"
    items = ItemFile(path).in_order()
    path.write_bytes(items_bytes(items[:-1]))
    code, words = checked(run, base, folder)
    assert (code, "items/s00.parquet: the checksum does not fit" in words) == (1, True)
    plan = unsealed(folder / "run.json")
    plan["sets"][0] |= {"sha256": sha256(path.read_bytes()), "items": len(items) - 1}
    (folder / "run.json").write_bytes(sealed(plan))
    code, words = checked(run, base, folder)
    assert (code, words.count("\n")) == (2, 1)  # a plan that does not fit its own files is no run


def renamed(folder: Path, suite_hash: str) -> Path:
    """The run says that it was played on the suite with this hash."""
    plan = unsealed(folder / "run.json")
    plan["sets"][0]["record"]["hash"] = suite_hash
    (folder / "run.json").write_bytes(sealed(plan))
    return folder


def test_another_suites_hash_is_refused(run: Runner, base: Path, tmp_path: Path) -> None:
    folder = renamed(Path(shutil.copytree(base / "lrp", tmp_path / "copy")), "0" * 64)
    code, words = checked(run, base, folder)
    assert (code, "made on another suite" in words) == (1, True)


def test_a_suite_is_looked_up_among_ours_by_its_hash(run: Runner, base: Path, tmp_path: Path) -> None:
    done = run("league", "verify", str(base / "lrp"))
    assert (done.returncode, "none of ours: give --suite" in done.stderr) == (2, True)
    folder = renamed(Path(shutil.copytree(base / "lrp", tmp_path / "copy")), open_suite("planted").sheet.hash)
    done = run("league", "verify", str(folder))
    assert (done.returncode, "the documents are not those of the suite" in done.stdout) == (1, True)


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
    assert run("league", "table", str(base / "lrp"), str(renamed(folder, "0" * 64))).returncode == 2


def test_wrong_names_are_one_line(run: Runner, tmp_path: Path) -> None:
    assert "no suite is called 'nothing'" in run("league", "run", "nothing", "-m", "lrp").stderr
    assert run("league", "verify", str(tmp_path)).stderr.count("\n") == 1
    assert "again must be" in run("league", "verify", str(tmp_path), "--again", "0").stderr


@pytest.mark.parametrize("name", names())
def test_the_suites_that_come_with_us(run: Runner, name: str, tmp_path: Path) -> None:
    suite = open_suite(name)
    assert suite.sheet.name == name
    assert SuiteSheet(**asdict(suite.sheet)).hash == suite.sheet.hash
    play_suite(suite, ["lrp"], tmp_path / "out")
    done = run("league", "verify", str(tmp_path / "out"))
    assert done.returncode == 0, done.stdout


def test_there_are_three_suites() -> None:
    assert names() == ["docstrings", "grammar", "planted"]
