"""Names, settings, did-you-mean, plug-ins."""

from dataclasses import dataclass
from importlib import metadata

import pytest

from whichword.errors import InputError
from whichword.registry import Registry, fixed


@dataclass(frozen=True)
class Entry:
    kind: str = fixed()
    size: int = 3
    rate: float = 0.5
    way: str = "up"
    limit: int | None = None
    loud: bool = False


def table() -> Registry[Entry]:
    registry: Registry[Entry] = Registry("thing", "whichword.tests")
    registry.register("alpha", Entry("a"))
    registry.register("beta", Entry("b"))
    registry.pattern("size_([1-9][0-9]*)", lambda n: Entry("s", size=int(n)))
    return registry


def test_settings_are_read_by_their_kind() -> None:
    label, entry = table().resolve("alpha[rate=2,limit=7,loud=true,way=7]")
    assert entry == Entry("a", rate=2.0, limit=7, loud=True, way="7")
    assert label == "alpha[limit=7,loud=true,rate=2,way=7]"
    assert table().resolve(label) == (label, entry)


def test_defaults_disappear_from_the_label() -> None:
    assert table().resolve("alpha[size=3,rate=0.5]")[0] == "alpha"
    assert table().resolve("alpha[]")[0] == "alpha"
    assert table().resolve("size_12[way=down]") == ("size_12[way=down]", Entry("s", size=12, way="down"))


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("alpa", "did you mean alpha"),
        ("zzz", "known: alpha, beta"),
        ("alpha[size=two]", "must be a whole number"),
        ("alpha[size=2.5]", "must be a whole number"),
        ("alpha[loud=1]", "must be true or false"),
        ("alpha[size=none]", "setting size must be a whole number of at most 18 digits, not 'none'"),
        ("alpha[limit=some]", "must be a whole number of at most 18 digits or none"),
        ("alpha[limit=2.0]", "must be a whole number"),
        ("alpha[size=1_000]", "must be a whole number"),
        ("alpha[size=\u0663]", "must be a whole number"),
        (f"alpha[size={'9' * 5000}]", "must be a whole number"),
        (f"alpha[rate={'9' * 5000}]", "must be a number"),
        ("alpha[rate=nan]", "setting rate must be a number, not 'nan'"),
        ("alpha[rate=-inf]", "must be a number"),
        ("alpha[rate=1e999]", "must be a number"),
        ("alpha[rate=none]", "must be a number"),
        ("alpha[loud=none]", "must be true or false"),
        ("alpha[size=]", "setting size is empty"),
        ("alpha[way=]", "setting way is empty"),
        ("alpha[size=1,]", "setting '' must be written name=value"),
        ("alpha[size=1,size=2]", "setting size is given twice"),
        ("alpha[kind=c]", "has no setting 'kind'; it has: size, rate, way, limit, loud"),
        ("alpha[[size=1]]", "write name or name"),
        ("", "write name or name"),
    ],
)
def test_bad_spellings(spelling: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        table().resolve(spelling)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert spelling not in table()


def test_an_entry_without_settings() -> None:
    registry: Registry[type] = Registry("class", "whichword.tests")
    registry.register("plain")(dict)
    assert registry["plain"] is dict
    with pytest.raises(InputError, match="class plain has no settings"):
        registry["plain[a=1]"]


def test_plug_ins_are_found_by_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    point = metadata.EntryPoint("gamma", "collections:OrderedDict", "whichword.tests")
    monkeypatch.setattr(metadata, "entry_points", lambda group: [point] if group == "whichword.tests" else [])
    registry: Registry[type] = Registry("class", "whichword.tests")
    assert registry.names() == ["gamma"]
    from collections import OrderedDict

    assert registry["gamma"] is OrderedDict
