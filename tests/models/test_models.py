"""Where models come from: spellings, loaders, labels, identities."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from planted_corpus import CLASSES, tiny_network
from plug_in import child, plug_in

from whichword import models
from whichword.errors import InputError
from whichword.models import MODELS
from whichword.models.loaders_foreign import OwnFolder
from whichword.networks import Config, Network
from whichword.runs.run import Run
from whichword.text import Vocabulary
from whichword.types import About, Text

FORMS = "a model is a folder that whichword train wrote, hf:FOLDER, lm:FOLDER, package.module:function, other:FOLDER"


@dataclass(frozen=True)
class Prefixed(OwnFolder):
    """other:FOLDER, and anything with two colons."""

    form = "other:FOLDER"

    def opens(self, spelling: str) -> bool:
        return spelling.startswith("other:")

    def label(self, spelling: str) -> str:
        return spelling.rsplit("/", 1)[-1]


@pytest.fixture
def prefixed() -> Iterator[None]:
    MODELS.register("other", Prefixed())
    yield
    MODELS._entries.pop("other")


def test_a_folder_of_ours_says_what_it_is(tmp_path: Path) -> None:
    facts = {"embedding": "4", "hidden": "5", "vocabulary": "42 words"}
    assert models.load(tiny_network(tmp_path / "cnn", "cnn")).about == About("cnn", CLASSES, "float32", "cpu", facts)
    both = Network(Config("lstm", ("no", "yes"), 3, 2, True), Vocabulary(("a",))).double().requires_grad_(False)
    both.save(tmp_path / "both")
    about = models.load(str(tmp_path / "both")).about
    assert (about.name, about.dtype, about.classes) == ("bilstm", "float64", ("no", "yes"))


def test_it_reads_a_word_as_a_piece(tmp_path: Path) -> None:
    model = models.load(tiny_network(tmp_path / "cnn", "cnn"))
    reading = model.read(Text(("w1", "strange", "w1"), "w1 strange w1"))
    assert reading.ids[0] == reading.ids[2] != reading.ids[1]
    assert list(reading.unknown) == [False, True, False]
    assert list(reading.word) == [0, 1, 2]
    assert (reading.text, reading.seen) == ("w1 strange w1", 3)


@pytest.mark.parametrize("file", ["config.json", "vocabulary.txt", "weights.safetensors"])
def test_every_file_is_in_the_identity_under_its_name(tmp_path: Path, file: str) -> None:
    folder = tiny_network(tmp_path / "cnn", "cnn")
    before = models.identity(folder)
    (folder / file).write_bytes((folder / file).read_bytes() + b"\n")
    after = models.identity(folder)
    assert set(before) == set(after) == {"config", "vocabulary", "weights"}
    assert [name for name in before if before[name] != after[name]] == [file.split(".")[0]]


def test_what_nobody_opens_is_refused_with_the_loaders_and_what_is_near(tmp_path: Path, prefixed: None) -> None:
    import whichword.models.loaders_foreign  # noqa: F401  # a loader whose spellings nobody types is not offered

    tiny_network(tmp_path / "docstrings-cnn", "cnn")
    (tmp_path / "docstring-cn").mkdir()  # near too, but no model
    for call in (models.load, models.identity):
        with pytest.raises(InputError) as caught:
            call(str(tmp_path / "docstring-cnn"))
        assert str(caught.value) == (
            f"no model loader opens '{tmp_path}/docstring-cnn' ({FORMS}); did you mean {tmp_path}/docstrings-cnn?"
        )
    with pytest.raises(InputError, match=rf"\({FORMS}\); did you mean other:x\?"):
        models.load("othr:x")
    with pytest.raises(InputError, match=rf"'nothing/like/it' \({FORMS}\)$"):
        models.labelled(["nothing/like/it"])


def test_a_half_of_a_folder_is_refused_by_what_is_missing(tmp_path: Path) -> None:
    folder = tiny_network(tmp_path / "cnn", "cnn")
    (folder / "vocabulary.txt").unlink()
    for call in (models.load, models.identity):
        with pytest.raises(InputError, match=r"vocabulary\.txt"):
            call(folder)


def test_a_config_that_is_none_has_an_identity_but_no_network(tmp_path: Path) -> None:
    folder = tiny_network(tmp_path / "cnn", "cnn")
    for text in ("{", "[]", '{"kind": 3}', '{"kind": "none"}'):
        (folder / "config.json").write_text(text)
        assert set(models.identity(folder)) == {"config", "vocabulary", "weights"}
        with pytest.raises(InputError):
            models.load(folder)


def test_labels_take_as_many_parents_as_they_need(tmp_path: Path, prefixed: None) -> None:
    for name in ("x/lstm", "x/cnn", "y/lstm"):
        tiny_network(tmp_path / name, "cnn")
    x, cnn, y = (str(tmp_path / name) for name in ("x/lstm", "x/cnn", "y/lstm"))
    assert models.labelled([x, cnn]) == {"lstm": x, "cnn": cnn}
    assert models.labelled([Path(x), y]) == {"x/lstm": x, "y/lstm": y}
    assert list(models.labelled([cnn, "other:hub/lstm"])) == ["cnn", "lstm"]
    assert list(models.labelled([x, "other:hub/lstm"])) == ["x/lstm", "other:hub/lstm"]
    assert list(models.labelled(["other:a/b/c", "other:d/b/c"])) == ["other:a/b/c", "other:d/b/c"]
    for pair in ([x, x], [x, f"{tmp_path}/x/../x/lstm/"], ["other:a", "other:a"]):
        with pytest.raises(InputError, match="twice"):
            models.labelled(pair)


def test_spellings_that_differ_in_a_stroke_are_told_apart() -> None:
    assert models.distinct_labels(["x:a", "x:a/"], lambda text: "a") == {"x:a": "x:a", "x:a/": "x:a/"}


def test_the_current_folder_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tiny_network(tmp_path / "lstm", "lstm"))
    assert models.labelled(["."]) == {"lstm": "."}


BARE = """
import sys, types
bare = types.ModuleType("whichword")  # the package without what it offers to everybody, which needs torch
bare.__path__ = [sys.argv[1]]
sys.modules["whichword"] = bare
import whichword.models
from whichword.playing.verify import digest, verify
from whichword.runs.run import open_run
from whichword.reporting import table
from whichword.reporting.page.page import report_page
print(whichword.models.labelled([sys.argv[3]]), verify(__import__("pathlib").Path(sys.argv[2])).sound)
print(len(digest(open_run(sys.argv[2]))), len(table([sys.argv[2]]).columns), len(report_page([sys.argv[2]])) > 1000)
print("torch" in sys.modules)
"""


def test_neither_labels_nor_reading_a_run_need_torch(tmp_path: Path, made: Run) -> None:
    (tmp_path / "bare.py").write_text(BARE)
    folder = tiny_network(tmp_path / "cnn", "cnn")
    package = Path(models.__file__).parents[1]
    lines = child(str(tmp_path / "bare.py"), package, made.folder, folder).splitlines()
    assert lines == [f"{{'cnn': '{folder}'}} True", "64 2 True", "False"]


ONE_FILE = """
from whichword import models

class Half:
    \"\"\"half:FOLDER, a loader in one file.\"\"\"
    def opens(self, spelling):
        return spelling.startswith("half:")
    def load(self, spelling):
        return models.load(spelling.removeprefix("half:"))
    def identity(self, spelling):
        return models.identity(spelling.removeprefix("half:"))
    def label(self, spelling):
        return "half"

half = Half()
"""


def test_a_loader_is_one_file_and_its_spellings_work_everywhere(tmp_path: Path) -> None:
    """By entry point: command line, spec, run, web."""
    site = plug_in(tmp_path / "site", "half_loader", ONE_FILE, models="half = half_loader:half")
    spelling = f"half:{tiny_network(tmp_path / 'cnn', 'cnn')}"
    lines = child("everywhere.py", spelling, tmp_path, path=site).splitlines()
    assert json.loads(lines[-2]) == [["half", spelling, "cnn"], ["m", spelling, "cnn"]]
    assert json.loads(lines[-1]) == ["half"]
