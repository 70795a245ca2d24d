"""The root API: loaded when it is first used, listed, and never hidden by a submodule."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import whichword

NAMES = [
    "examine",
    "explain",
    "load",
    "train",
    "evaluate",
    "open_run",
    "table",
    "recommend",
    "report",
    "read_corpus",
    "Explanation",
    "InputError",
    "DamagedError",
    "FileError",
    "ModelFailedError",
    "NoRuleError",
    "NotDefinedError",
    "SettingError",
    "Network",
    "METHODS",
    "NETWORKS",
    "CORPORA",
    "GAMES",
    "EXECUTORS",
    "Training",
    "Spec",
    "Play",
    "MODELS",
    "wrap",
    "account",
    "trust",
    "digest",
    "verify",
]
IMPORT_ALL = """
import sys
from importlib import import_module
import whichword
for name in sys.argv[1:]:
    import_module(name)
for name, home in whichword._HOMES.items():
    module, attribute = home.split(":")
    assert getattr(whichword, name) is getattr(sys.modules[module], attribute), name
    print(name)
"""
SLOW = ("torch", "numpy", "pyarrow", "scipy", "msgspec")


def test_the_table_has_every_public_name() -> None:
    assert sorted(NAMES) == sorted(whichword._HOMES)
    assert sorted(whichword.__all__) == sorted([*NAMES, "__version__"])
    assert set(whichword.__all__) <= set(dir(whichword))


@pytest.mark.parametrize("module", ["whichword", "whichword.cli", "whichword.training"])
def test_an_import_loads_nothing_slow(module: str) -> None:
    code = f"import sys, {module}; print([name for name in {SLOW} if name in sys.modules])"
    assert subprocess.check_output([sys.executable, "-W", "error", "-c", code], text=True, timeout=60) == "[]\n"


def test_no_submodule_hides_a_public_name() -> None:
    """In a process of its own, because here some names may be loaded already."""
    root = Path(whichword.__file__).parent
    modules = [".".join(("whichword", *path.relative_to(root).with_suffix("").parts)) for path in root.rglob("*.py")]
    assert len(modules) > 150
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, *(name.removesuffix(".__init__") for name in modules)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_what_the_table_says(name: str) -> None:
    module, attribute = whichword._HOMES[name].split(":")
    assert getattr(whichword, name) is getattr(import_module(module), attribute)
    assert "whichword" in getattr(whichword, name).__module__


def test_a_misspelt_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'whichword' has no attribute 'explian'"):
        whichword.explian  # noqa: B018
    with pytest.raises(AttributeError, match=r"module 'whichword\.training' has no attribute 'trian'"):
        import_module("whichword.training").trian  # noqa: B018


def test_report_returns_where_it_wrote(run_folder, tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = whichword.report(run_folder, tmp_path / "one.html")
    assert path == tmp_path / "one.html"
    assert path.read_text("utf8") == whichword.report([run_folder], str(tmp_path / "two.html")).read_text("utf8")
