"""--shard i/n, and the parts united."""

import shutil
from pathlib import Path

import pytest

from whichword.errors import InputError
from whichword.planning.spec import Spec
from whichword.playing.make import evaluate
from whichword.playing.merge import merge
from whichword.playing.verify import digest, verify
from whichword.runs.run import Run
from whichword.runs.sealed import unsealed
from whichword.workers.tasks import RunPart, read_part


def test_a_part_is_read_from_its_spelling() -> None:
    assert (read_part("2/5"), read_part(" 1/1 ")) == (RunPart(2, 5), RunPart(1, 1))


@pytest.mark.parametrize(
    ("spelling", "complaint"),
    [
        ("0/5", "counted from 1 to 5"),
        ("6/5", "counted from 1 to 5"),
        ("1/0", "counted from 1 to 0"),
        ("2", "--shard is i/n"),
        ("/5", "--shard is i/n"),
        ("1/-2", "--shard is i/n"),
        ("1/²", "--shard is i/n"),
        ("1/" + "9" * 5000, "--shard is i/n"),
        ("auto", "--shard is i/n"),
    ],
)
def test_other_spellings_are_refused(spelling: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        read_part(spelling)


def test_parts_share_the_shards_out() -> None:
    shards = [str(i) for i in range(10)]
    parts = [RunPart(number, 3).of(shards) for number in (1, 2, 3)]
    assert sorted(name for part in parts for name in part) == shards
    assert sorted(map(len, parts)) == [3, 3, 4]


@pytest.fixture(scope="module")
def parts(spec: Spec, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The run in three parts, made apart."""
    base = tmp_path_factory.mktemp("parts")
    for number in (1, 2, 3):
        done = evaluate(spec, base / str(number), part=RunPart(number, 3))
        assert done.computed == len(RunPart(number, 3).of(list(done.run.plan.shards)))
        assert evaluate(spec, base / str(number), part=RunPart(number, 3)).computed == 0
    return [base / str(number) for number in (1, 2, 3)]


def test_three_parts_make_the_run(parts: list[Path], made: Run, tmp_path: Path) -> None:
    merged = merge(parts, tmp_path / "run")
    assert merged.taken == len(made.plan.shards)
    assert digest(merged.run) == digest(made)
    assert verify(tmp_path / "run").sound
    judged = [(folder / "judged/p00.parquet").read_bytes() for folder in (tmp_path / "run", made.folder)]
    assert judged[0] == judged[1]
    assert merge(parts[:1], tmp_path / "run").taken == 0


def test_what_is_missing_is_named_kept_and_may_come_later(parts: list[Path], made: Run, tmp_path: Path) -> None:
    lacking = RunPart(2, 3).of(list(made.plan.shards))
    with pytest.raises(InputError) as caught:
        merge([parts[0], parts[2]], tmp_path / "run")
    told = (
        f"{len(lacking)} of {len(made.plan.shards)} shards are in no part: {', '.join(lacking)}; what is there is kept"
    )
    assert str(caught.value).startswith(told)
    merged = merge([parts[1]], tmp_path / "run")
    assert merged.taken == len(lacking)
    assert digest(merged.run) == digest(made)


def test_the_missing_part_may_also_be_made_in_place(parts: list[Path], made: Run, spec: Spec, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="are in no part"):
        merge(parts[1:], tmp_path / "run")
    done = evaluate(spec, tmp_path / "run")
    assert done.computed == len(RunPart(1, 3).of(list(made.plan.shards)))
    assert digest(done.run) == digest(made)


def test_a_damaged_shard_is_named_with_its_file(parts: list[Path], made: Run, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    shutil.copytree(parts[0], damaged)
    first = next(iter(made.plan.shards))
    (damaged / f"shards/{first}.relevances.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match=rf"1 of \d+ .* {first} \({damaged}: shards/{first}.relevances.parquet: the"):
        merge([damaged, *parts[1:]], tmp_path / "run")


def test_a_part_of_another_run_is_named_with_what_differs(parts: list[Path], spec: Spec, tmp_path: Path) -> None:
    other = Spec(spec.models, spec.plays, seed=1, shard_words=spec.shard_words)
    evaluate(other, tmp_path / "other", part=RunPart(1, 30))
    with pytest.raises(InputError, match=r"other is no part of the run of .*1: seed \(was 0, is 1\)"):
        merge([parts[0], tmp_path / "other"], tmp_path / "run")
    assert not (tmp_path / "run").exists()
    with pytest.raises(InputError, match="is no part of the run of"):
        merge(parts, tmp_path / "other")


def test_the_plan_of_a_part_is_that_of_the_run(parts: list[Path], made: Run) -> None:
    assert [unsealed(part / "run.json") for part in parts] == [unsealed(made.folder / "run.json")] * 3
