"""What a method does not say of itself: a base class has it, and a class without that base gets it."""

from dataclasses import dataclass
from typing import Any

import pytest

from whichword.errors import InputError
from whichword.methods import METHODS, Method
from whichword.methods.method import teams

FACTS = [name for name in vars(Method) if not name.startswith("_") and name != "explain"]


@dataclass(frozen=True)
class Plain:
    """A stranger's, without the base."""

    random = True
    size: int = 1

    def explain(self, model: Any, questions: Any) -> Any:
        return questions.zeros() + self.size


@dataclass(frozen=True)
class Based(Method):
    random = True
    size: int = 1


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    for table in ("_entries", "_families"):
        monkeypatch.setattr(METHODS, table, dict(getattr(METHODS, table)))
    METHODS.register("plain")(Plain)
    METHODS.register("based")(Based)


def test_without_the_base_everything_is_as_with_it(registered: None) -> None:
    plain, based = METHODS["plain[size=2]"], METHODS["based[size=2]"]
    assert len(FACTS) == 17
    for name in FACTS:
        mine, its = getattr(plain, name), getattr(based, name)
        assert getattr(mine, "__func__", mine) == getattr(its, "__func__", its), name
    assert plain.random
    assert not plain.adds_up
    assert plain.refuses(None) is None
    assert type(plain) is Plain
    assert teams(["plain", "based"]) == (("plain",), ("based",))


def test_every_method_of_ours_has_the_base() -> None:
    labels = [name for family in ("", "contestants") for name in METHODS.names(family)]
    assert all(isinstance(METHODS[label], Method) for label in (*labels, "omit_12"))


@pytest.mark.parametrize("thing", [len, object(), type("Bare", (), {"explain": len})])
def test_what_is_no_method_is_refused(thing: Any, registered: None) -> None:
    with pytest.raises(InputError, match="is no method"):
        METHODS.register("thing", thing)
    assert "thing" not in METHODS
