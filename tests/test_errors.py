"""The kinds of errors that a user can cause: each is one line, an `InputError`, and public."""

from collections.abc import Callable
from pathlib import Path

import pytest

import whichword


def _shapeless(texts: list[str]) -> list[float]:
    return [1.0]


def _damaged(folder: Path) -> object:
    (folder / "run.json").write_text("{}")
    return whichword.open_run(folder)


CAUSES: dict[str, Callable[[Path], object]] = {
    "FileError": whichword.open_run,
    "SettingError": lambda folder: whichword.Training(dropout=2.0),
    "NotDefinedError": lambda folder: whichword.explain(_constant(), "a b", methods="lrp"),
    "ModelFailedError": lambda folder: whichword.explain(whichword.wrap(_shapeless, classes=["a", "b"]), "a b"),
    "DamagedError": _damaged,
}


def _constant() -> object:
    return whichword.wrap(lambda texts: [[0.5, 0.5]] * len(texts), classes=["a", "b"])


@pytest.mark.parametrize("name", CAUSES)
def test_every_kind_is_raised_by_its_cause(name: str, tmp_path: Path) -> None:
    kind = getattr(whichword, name)
    assert issubclass(kind, whichword.InputError)
    with pytest.raises(kind) as refused:
        CAUSES[name](tmp_path)
    assert type(refused.value) is kind
    assert "\n" not in str(refused.value)


def test_an_operation_without_a_rule_is_an_input_error() -> None:
    assert issubclass(whichword.NoRuleError, whichword.InputError)
