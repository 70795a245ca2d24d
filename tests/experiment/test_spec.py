"""Specs: exactly typed, unknown keys refused with the nearest known one."""

from pathlib import Path

import pytest

from whichword.errors import InputError
from whichword.experiment.spec import Play, Spec, labelled, read_spec

GOOD = """
seed = 3
limit = 50
methods = ["lrp", "omit_1"]

[models]
a = "nets/a"
b = "nets/b"

[[play]]
corpora = ["docstrings"]

[[play]]
models = ["b"]
corpora = ["grammar", "other"]
games = ["agreement"]
methods = ["all"]
limit = 7
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "spec.toml"
    path.write_text(text)
    return path


def test_a_spec_is_read_with_its_inherited_settings_and_relative_paths(tmp_path: Path) -> None:
    spec = read_spec(written(tmp_path, GOOD))
    assert spec == Spec(
        models={"a": tmp_path / "nets/a", "b": tmp_path / "nets/b"},
        plays=(
            Play(("a", "b"), ("docstrings",), (), ("lrp", "omit_1"), 50),
            Play(("b",), ("grammar", "other"), ("agreement",), ("all",), 7),
        ),
        seed=3,
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("seed = 3", "seeed = 3"), "no setting is called 'seeed'; did you mean seed"),
        (("seed = 3", 'seed = "3"'), "seed must be a whole number, not '3'"),
        (("seed = 3", "seed = true"), "seed must be a whole number, not True"),
        (('methods = ["all"]', "methods = [1]"), "[[play]] 2: methods must be a list of names"),
        (("games = [", "game = ["), "[[play]] 2: no setting is called 'game'; did you mean games?"),
        (('corpora = ["docstrings"]', ""), "[[play]] 1: corpora is missing"),
        (('models = ["b"]', 'models = ["bb"]'), "no model is called 'bb'; did you mean b?"),
        (("limit = 7", "limit = 0"), "limit must be at least 1, not 0"),
        (("limit = 7", "shard = 7"), "[[play]] 2: no setting is called 'shard'"),
        (('a = "nets/a"', "a = 1"), "[models] must map names to folders"),
        (("[[play]]", "[play]"), "not TOML"),
        (("seed = 3", "budget = 0"), "budget must be at least 1, not 0"),
        (("seed = 3", "seed = "), "not TOML"),
    ],
)
def test_whatever_is_not_exactly_right_is_refused_by_name(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    path = written(tmp_path, GOOD.replace(*change))
    with pytest.raises(InputError) as caught:
        read_spec(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert said in str(caught.value)


def test_a_missing_file_and_other_bytes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_spec(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not TOML"):
        read_spec(tmp_path / "bytes.toml")


def test_labels_take_as_many_parents_as_they_need() -> None:
    assert list(labelled([Path("x/lstm"), Path("x/cnn")])) == ["lstm", "cnn"]
    assert list(labelled([Path("x/lstm"), Path("y/lstm")])) == ["x/lstm", "y/lstm"]
    with pytest.raises(InputError, match="twice"):
        labelled([Path("x/lstm"), Path("x/lstm")])
