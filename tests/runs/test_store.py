"""Sealed files, atomic commits, and shards that are done only when verified."""

import random
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from faults import count, size
from planted_corpus import tiny_network

from whichword.errors import DamagedError, InputError
from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.playing.verify import digest, verify
from whichword.runs.run import Run, open_run
from whichword.runs.sealed import PARTS, commit, sealed, sha256, sweep, unsealed
from whichword.runs.store import Store


def test_a_sealed_file_gives_back_its_body_and_any_flipped_bit_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "sealed.json"
    whole = sealed({"a": [1, 2.5, "ü"], "b": None})
    path.write_bytes(whole)
    assert unsealed(path) == {"a": [1, 2.5, "ü"], "b": None}
    unnoticed = 0
    for place in range(len(whole)):
        for bit in range(8):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :])
            try:
                unnoticed += unsealed(path) != {"a": [1, 2.5, "ü"], "b": None}
            except DamagedError:
                continue
    assert unnoticed == 0


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"body": 1, "sha256": ""}', '{"body": {"x": NaN}, "sha256": ""}'])
def test_what_is_no_sealed_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "x").write_text(text)
    with pytest.raises(DamagedError):
        unsealed(tmp_path / "x")


def test_a_commit_that_is_cut_short_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(tmp_path, "deep/file", b"old")

    def fail(*_: object) -> None:
        raise OSError("no power")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="no power"):
        commit(tmp_path, "deep/file", b"new")
    assert (tmp_path / "deep/file").read_bytes() == b"old"
    assert len(list((tmp_path / PARTS).iterdir())) == 1
    sweep(tmp_path)
    assert not (tmp_path / PARTS).exists()


def test_a_file_appears_by_its_rename_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(tmp_path, "file", b"old")

    def fail(*_: object) -> None:
        raise OSError("killed before the rename")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="before the rename"):
        commit(tmp_path, "file", b"new")
    assert (tmp_path / "file").read_bytes() == b"old"


@pytest.mark.parametrize("promised", ["the planned rows", "the rows that are there"])
def test_a_shorter_file_is_noticed_even_where_its_checksum_fits(copied: Path, promised: str) -> None:
    """As if a writer had vouched for less than was planned."""
    shard = next(iter(Store.open(copied).plan.shards))
    path, receipt = copied / f"shards/{shard}.relevances.parquet", copied / f"shards/{shard}.json"
    table = pq.read_table(path)
    pq.write_table(table.slice(0, table.num_rows - 1), path)
    body = unsealed(receipt)
    body["files"]["relevances"]["sha256"] = sha256(path.read_bytes())
    body["files"]["relevances"]["rows"] -= promised == "the rows that are there"
    receipt.write_bytes(sealed(body))
    assert verify(copied).damaged_shards == 1


def test_a_sound_run_verifies(made: Run) -> None:
    findings = verify(made.folder)
    assert findings.sound
    assert findings.shards >= 8
    assert not findings.unplanned


def shard_files(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "shards").rglob("*") if path.is_file())


def damages(folder: Path, dice: random.Random) -> None:
    """One random damage to one random file of a random shard."""
    path = dice.choice(shard_files(folder))
    data = path.read_bytes()
    kind = dice.choice(["truncate", "flip", "empty", "remove", "swap"])
    if kind == "truncate":
        path.write_bytes(data[: dice.randrange(len(data))])
    elif kind == "flip":
        place = dice.randrange(len(data))
        path.write_bytes(data[:place] + bytes([data[place] ^ 1 << dice.randrange(8)]) + data[place + 1 :])
    elif kind == "empty":
        path.write_bytes(b"")
    elif kind == "remove":
        path.unlink()
    else:
        other = dice.choice([one for one in shard_files(folder) if one != path and one.suffixes == path.suffixes])
        spare = path.with_suffix(".spare")
        shutil.move(path, spare)
        shutil.move(other, path)
        shutil.move(spare, other)


def harmless(folder: Path, sound: Path) -> bool:
    """A flipped bit in a receipt's white space changes nothing that is read."""
    return all(unsealed(sound / p.relative_to(folder)) == _body(p) for p in shard_files(folder) if p.suffix == ".json")


def _body(path: Path) -> object:
    try:
        return unsealed(path)
    except DamagedError:
        return None


@pytest.mark.parametrize("seed", range(size("damages to shards")))
def test_every_damage_to_a_shard_is_noticed(copied: Path, made: Run, seed: int) -> None:
    damages(copied, random.Random(seed))
    same = all(
        (copied / p.relative_to(made.folder)).exists()
        and (copied / p.relative_to(made.folder)).read_bytes() == p.read_bytes()
        for p in shard_files(made.folder)
        if p.suffix == ".parquet"
    )
    assert not verify(copied).sound or (same and harmless(copied, made.folder))
    count("damages", 1)


def judged_damages(folder: Path, dice: random.Random) -> None:
    """One random damage to one file of judged/: cut, flipped, emptied, removed, exchanged with another's."""
    path = dice.choice(sorted((folder / "judged").iterdir()))
    data, place = path.read_bytes(), dice.randrange(path.stat().st_size)
    other = next(entry for entry in (folder / "judged").glob(f"*{path.suffix}") if entry != path)
    changed = [
        data[:place],
        data[:place] + bytes([data[place] ^ 1 << dice.randrange(8)]) + data[place + 1 :],
        b"",
        other.read_bytes(),
        None,
    ][dice.randrange(5)]
    path.unlink() if changed is None else path.write_bytes(changed)


@pytest.mark.parametrize("seed", range(size("damages to judgements")))
def test_every_damage_to_a_judgement_is_noticed_and_mended(copied: Path, made: Run, spec: Spec, seed: int) -> None:
    judged_damages(copied, random.Random(seed))
    receipts = [(made.folder / "judged" / f"p{n:02d}.json", copied / "judged" / f"p{n:02d}.json") for n in (0, 1)]
    unchanged = all(_body(was) == _body(now) for was, now in receipts)  # a bit of white space says nothing else
    assert not verify(copied).sound or unchanged
    count("damages", 1)
    if seed < 3:
        evaluate(spec, copied)
        assert verify(copied).sound


def test_a_judgement_of_other_columns_is_noticed_even_where_its_checksum_fits(copied: Path) -> None:
    path, receipt = copied / "judged/p00.parquet", copied / "judged/p00.json"
    pq.write_table(pq.read_table(path).drop_columns(["tie"]), path)
    receipt.write_bytes(sealed(unsealed(receipt) | {"sha256": sha256(path.read_bytes())}))
    assert verify(copied).damaged == ("judged/p00.parquet: not the planned columns",)


def test_a_judgement_that_was_not_made_yet_is_missing(copied: Path) -> None:
    for end in ("json", "parquet"):
        (copied / f"judged/p01.{end}").unlink()
    assert verify(copied).missing == ("judged/p01.json: the judgement is missing",)


def test_damaged_shards_are_made_again_and_nothing_else(copied: Path, made: Run, spec: Spec) -> None:
    store = Store.open(copied)
    names = list(store.plan.shards)
    (copied / f"shards/{names[0]}.relevances.parquet").write_bytes(b"PAR1")
    (copied / f"shards/{names[1]}.json").unlink()
    for end in ("json", "relevances.parquet", "predictions.parquet"):  # two whole shards, exchanged
        one, two = (copied / f"shards/{names[i]}.{end}" for i in (2, 3))
        shutil.move(one, tmp := one.with_suffix(".spare"))
        shutil.move(two, one)
        shutil.move(tmp, two)
    (copied / "shards/p00/99999.relevances.parquet").write_bytes(b"strange")
    (copied / "items/s00.parquet").write_bytes(b"damaged")
    findings = verify(copied)
    assert findings.damaged_shards == 4
    assert findings.unplanned == ("shards/p00/99999.relevances.parquet",)
    assert any("items/s00.parquet" in damage for damage in findings.damaged)
    again = evaluate(spec, copied)
    assert (again.computed, again.reused) == (4, len(names) - 4)
    assert verify(copied).sound
    assert digest(again.run) == digest(made)


def test_a_run_of_another_model_cannot_lend_its_shards(tmp_path: Path) -> None:
    """Same items, same methods, same names: only the receipt's run tells them apart."""
    plays = (Play(("cnn",), ("planted",), methods=("lrp",), limit=6),)
    for seed in (0, 1):
        model = tiny_network(tmp_path / f"cnn{seed}", "cnn", seed)
        evaluate(Spec({"cnn": model}, plays), tmp_path / f"run{seed}")
    shutil.rmtree(tmp_path / "run0/shards")
    shutil.copytree(tmp_path / "run1/shards", tmp_path / "run0/shards")
    assert verify(tmp_path / "run1").sound
    assert verify(tmp_path / "run0").damaged_shards == 1


def test_a_shard_of_another_pairing_is_noticed(copied: Path, spec: Spec) -> None:
    plan = Store.open(copied).plan
    cnn, qgru = plan.pairings
    for end in ("json", "relevances.parquet", "predictions.parquet"):
        shutil.copy(copied / f"shards/{qgru.shards[0].name}.{end}", copied / f"shards/{cnn.shards[0].name}.{end}")
    assert verify(copied).damaged_shards == 1
    assert evaluate(spec, copied).computed == 1


def test_a_damaged_plan_is_refused_and_can_be_built_again(copied: Path, made: Run, spec: Spec) -> None:
    plan = copied / "run.json"
    plan.write_bytes(plan.read_bytes().replace(b'"seed": 0', b'"seed": 1'))
    for call in (open_run, Store.open, verify):
        with pytest.raises(InputError, match=r"run\.json: the checksum does not fit"):
            call(copied)
    with pytest.raises(InputError, match="remove it"):
        evaluate(spec, copied)
    plan.unlink()
    again = evaluate(spec, copied)
    assert again.computed == 0
    assert digest(again.run) == digest(made)


def test_an_unfinished_run_is_not_read(copied: Path) -> None:
    shard = next(iter(Store.open(copied).plan.shards))
    (copied / f"shards/{shard}.json").unlink()
    with pytest.raises(InputError, match=r"1 of \d+ shards are not done"):
        open_run(copied)


def test_damage_after_opening_is_noticed_while_reading(copied: Path) -> None:
    run = open_run(copied)
    shard = next(iter(run.plan.shards))
    path = copied / f"shards/{shard}.relevances.parquet"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(InputError, match="the checksum does not fit"):
        list(run.relevances("p00"))
