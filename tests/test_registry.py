"""Names, settings, did-you-mean, plug-ins."""

import os
import subprocess
import sys
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path

import pytest
from plug_in import plug_in

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


def test_a_name_that_is_taken_is_refused_and_stays_what_it_was() -> None:
    registry = table()
    registry._origins["alpha"] = replace(registry._origins["alpha"], module="package.first", file=None)
    with pytest.raises(
        InputError, match=r"^thing 'alpha' is taken: package\.first has it, \S*test_registry would take"
    ):
        registry.register("alpha", Entry("other"))
    assert registry["alpha"] == Entry("a")


def test_a_module_that_is_run_again_enters_the_same_anew() -> None:
    """As in a notebook, where a cell with a class is changed."""
    source = "from dataclasses import dataclass\n@THINGS.register('mine')\n@dataclass(frozen=True)\nclass Mine:\n"
    things: Registry[object] = Registry("thing", "whichword.tests")
    for size in (1, 2):
        exec(f"{source}    size: int = {size}", {"THINGS": things, "__name__": "__main__"})
        assert things["mine"].size == size  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="__main__ has it, __main__ would take it"):
        exec("class Other: ...\nTHINGS.register('mine', Other())", {"THINGS": things, "__name__": "__main__"})


def test_a_name_that_has_a_meaning_already_is_refused() -> None:
    registry = table()
    registry.register("several", Entry("x"), family="group")
    registry.aliases({"first": "alpha"}.get)
    for name, family, why in [
        ("size_3", "", "has it, as one of size_"),
        ("first", "", "is taken: it means alpha, "),
        ("group", "", "is taken: it stands for several, "),
        ("new", "alpha", "is taken: it stands for several, "),
        ("alpha[size=4]", "", "a name has no brackets"),
    ]:
        with pytest.raises(InputError, match=why.replace("[", "[[]")):
            registry.register(name, Entry("x"), family=family)
    assert registry.names() == ["alpha", "beta"]


TAKEN = {
    "methods": ("METHODS", "lrp", "method 'lrp' is taken: whichword.methods.propagation has it"),
    "games": ("GAMES", "hybrid", "game 'hybrid' is taken: whichword.games.hybrid has it"),
    "models": ("MODELS", "hf", "model loader 'hf' is taken: whichword.models.loaders_foreign has it"),
    "corpora": ("CORPORA", "grammar", "corpus 'grammar' is taken: whichword.corpora.grammar has it"),
    "networks": ("NETWORKS", "cnn", "network 'cnn' is taken: whichword.networks has it"),
}
ALSO = [
    ("methods", "METHODS", "integrated_gradients", "method 'integrated_gradients' is taken: it means grad_int_s_dot"),
    ("methods", "METHODS", "occ_12", "method 'occ_12' is taken: whichword.methods.perturbation has it, as one of occ_"),
    ("methods", "METHODS", "all", "method 'all' is taken: it stands for several"),
    ("methods", "METHODS", "lime", "method 'lime' is taken: "),
]
ASK = """
import whichword
for _ in range(2):
    try:
        whichword.{0}.names()
    except whichword.InputError as error:
        print(error)
"""


def with_package(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    places = [str(Path(sys.modules["whichword"].__file__ or "").parents[1]), str(site)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(places)}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=120, env=environment)


@pytest.mark.parametrize(
    ("group", "table", "name", "words"), [*((group, *rest) for group, rest in TAKEN.items()), *ALSO]
)
def test_an_installed_package_cannot_take_a_name(group: str, table: str, name: str, words: str, tmp_path: Path) -> None:
    """By a real entry point; whoever asks again is told again."""
    plug_in(tmp_path, "my_package", "class Mine:\n    pass\n", **{group: f"{name} = my_package:Mine"})
    done = with_package(tmp_path, "-W", "error", "-c", ASK.format(table))
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first == second
    assert first.startswith(words)
    assert "my_package" in first


def test_an_installed_package_that_does_not_load_is_one_line(tmp_path: Path) -> None:
    plug_in(tmp_path, "my_package", "1 / 0", methods="mine = my_package:Mine")
    done = with_package(tmp_path, "-m", "whichword", "methods")
    line = "whichword: plug-in mine of my_package does not load: ZeroDivisionError: division by zero\n"
    assert (done.returncode, done.stderr) == (2, line)
