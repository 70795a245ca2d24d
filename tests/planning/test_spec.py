"""Specs: exactly typed, unknown keys refused with the nearest known one."""

from pathlib import Path

import pytest

from whichword.errors import InputError
from whichword.planning.spec import Play, Spec, read_spec

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
        models={"a": str(tmp_path / "nets/a"), "b": str(tmp_path / "nets/b")},
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
        (("seed = 3", 'seed = "3"'), "seed must be a whole number, not text"),
        (("seed = 3", "seed = true"), "seed must be a whole number, not true or false"),
        (('methods = ["all"]', "methods = [1]"), "[[play]] 2: methods[0] must be text, not a whole number"),
        (("games = [", "game = ["), "[[play]] 2: no setting is called 'game'; did you mean games?"),
        (('corpora = ["docstrings"]', ""), "[[play]] 1: corpora is missing"),
        (('models = ["b"]', 'models = ["bb"]'), "no model is called 'bb'; did you mean b?"),
        (("limit = 7", "limit = 0"), "limit must be at least 1, not 0"),
        (("limit = 7", "shard_words = 7"), "[[play]] 2: no setting is called 'shard_words'"),
        (('a = "nets/a"', "a = 1"), "models[...] must be text, not a whole number"),
        (("[[play]]", "[play]"), "not TOML"),
        (("seed = 3", "batch_words = 0"), "batch_words must be at least 1, not 0"),
        (("seed = 3", "budget = 0"), "batch_words must be at least 1, not 0"),
        (("seed = 3", "shard = 5\nshard_words = 5"), "shard is what shard_words was called before: give one of them"),
        (("limit = 50", 'classes = ["a"]'), "classes must be a table, not a list"),
        (("limit = 50", "classes = {a = 1}"), "classes[...] must be text, not a whole number"),
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


def test_sizes_have_their_old_names_too(tmp_path: Path) -> None:
    now = read_spec(written(tmp_path, GOOD.replace("seed = 3", "batch_words = 70\nshard_words = 900")))
    before = read_spec(written(tmp_path, GOOD.replace("seed = 3", "budget = 70\nshard = 900")))
    assert (now.batch_words, now.shard_words) == (70, 900)
    assert before == now


def test_classes_are_inherited_by_plays_that_name_none(tmp_path: Path) -> None:
    text = GOOD.replace("limit = 50", 'classes = {neg = "0", pos = "1"}').replace("limit = 7", 'classes = {bad = "0"}')
    first, second = read_spec(written(tmp_path, text)).plays
    assert first.classes == {"neg": "0", "pos": "1"}
    assert second.classes == {"bad": "0"}


def test_folders_are_relative_to_the_file_and_what_is_no_folder_stays_as_it_is(tmp_path: Path) -> None:
    for name in ("nets/a", "odd:name"):
        (tmp_path / name).mkdir(parents=True)
    lines = {"plain": "nets/none", "prefixed": "hf:nets/a", "hub": "hf:nets/none", "code": "pack.mod:make"}
    models = "".join(f'{label} = "{spelling}"\n' for label, spelling in (lines | {"colon": "odd:name"}).items())
    spec = read_spec(written(tmp_path, f'[models]\n{models}[[play]]\ncorpora = ["x"]\n'))
    assert spec.models == {
        "plain": str(tmp_path / "nets/none"),
        "prefixed": f"hf:{tmp_path / 'nets/a'}",
        "hub": "hf:nets/none",
        "code": "pack.mod:make",
        "colon": str(tmp_path / "odd:name"),
    }


def test_a_path_is_a_spelling_too() -> None:
    assert Spec({"a": Path("nets/a")}, (Play(("a",), ("x",)),)).models == {"a": "nets/a"}  # type: ignore[dict-item]
