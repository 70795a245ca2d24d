"""A tiny table of 2026 from building to page: stopped and resumed, nothing done twice, no path of this machine kept."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("sklearn", reason="needs scikit-learn")

from experiments.columns import read_results
from experiments.modern.again import again, compared, recount
from experiments.modern.keeping import keep_right
from experiments.modern.page import blocks, read_stored
from experiments.modern.spec import Folders, Modern, read_modern
from experiments.modern.steps import play_all
from experiments.paper.blocks import markdown

import whichword
from whichword.corpora import read_corpus
from whichword.errors import InputError
from whichword.planning.spec import Spec
from whichword.playing.make import Evaluated, evaluate

TINY = """
seed = 0
results = "results"
[methods]
exact = ["grad_1_s_dot", "omit_1", "lrp"]
all = ["grad_1_s_dot", "omit_1", "lrp", "omit_7", "grad_1_s_l2", "random"]

[model.linear]
build = "linear"
corpus = "{data}/films.jsonl[train=60,heldout=0,test=40]"
title = "known"

[model.again]
like = "linear"
title = "known, again"
seed = 3

[sitting.M01]
table = "Small"
model = "linear"
corpus = "{data}/films.jsonl[train=60,heldout=0,test=40]"
games = ["hybrid[segments=2]"]
methods = ["all"]
documents = 15

[sitting.J01]
model = "linear"
corpus = "{data}/films.jsonl[train=60,heldout=0,test=40]"
games = ["hybrid[segments=2]", "deletion[width=1,cut=12,steps=2,draws=2]"]
methods = ["exact"]
documents = 15
"""


WORDS = {"good": ("fine", "great", "lovely", "bright"), "bad": ("poor", "dull", "awful", "grim")}
OTHERS = ("a", "film", "with", "two", "long", "parts", "and", "music")


def texts(count: int = 150) -> Iterator[dict[str, str]]:
    """Texts of eight words, two of them of the class."""
    draw = random.Random(0)
    for number in range(count):
        label = ("good", "bad")[number % 2]
        words = [*draw.choices(OTHERS, k=5), *draw.choices(WORDS[label], k=2), f"no{number}"]
        draw.shuffle(words)
        yield {"text": " ".join(words), "label": label}


def tiny(folder: Path, body: str = TINY) -> Modern:
    folder.mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{json.dumps(text)}\n" for text in texts())
    (folder / "films.jsonl").write_text(lines, encoding="utf8")
    (folder / "modern.toml").write_text(body, encoding="utf8")
    return read_modern(folder / "modern.toml")


def played(modern: Modern, folder: Path, names: tuple[str, ...] = ()) -> list[str]:
    """Lines of a playing."""
    return list(play_all(modern, Folders(folder, folder, folder / "out"), names, in_this_process, 1))


def in_this_process(spec: Spec, out: Path, workers: int) -> Evaluated:
    return evaluate(spec, out)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> tuple[Modern, Path]:
    folder = tmp_path_factory.mktemp("modern")
    modern = tiny(folder)
    assert played(modern, folder) == ["M01: known", "J01: known"]
    return modern, folder


def test_everything_is_kept_and_nothing_is_done_twice(stored: tuple[Modern, Path]) -> None:
    modern, folder = stored
    files = {path.relative_to(modern.results).as_posix(): path for path in modern.results.rglob("*.json")}
    assert set(files) == {"M01.json", "right/M01.json", "truth/M01.json", "panels/J01.json"}
    before = {name: path.stat().st_mtime_ns for name, path in files.items() if name != "panels/J01.json"}
    played(modern, folder)
    assert before == {name: files[name].stat().st_mtime_ns for name in before}
    assert not any(str(folder) in path.read_text(encoding="utf8") for path in files.values())


def test_the_same_column_from_nothing_has_an_equal_digest(stored: tuple[Modern, Path], tmp_path: Path) -> None:
    modern, folder = stored
    line = again(modern, Folders(folder, folder, tmp_path), "M01", in_this_process, 1)
    assert line.endswith("equal to the one that is kept")
    assert list(tmp_path.iterdir()) == []


def test_stored_relevances_give_the_same_column(stored: tuple[Modern, Path]) -> None:
    modern, folder = stored
    (line,) = recount(modern, Folders(folder, folder, folder / "out"))
    assert line.endswith("equal to the one that is kept")


def test_where_no_run_is_nothing_can_be_counted_again(stored: tuple[Modern, Path], tmp_path: Path) -> None:
    modern, folder = stored
    with pytest.raises(InputError, match="it holds no run of a column"):
        list(recount(modern, Folders(folder, folder, tmp_path)))


def test_another_count_is_named(stored: tuple[Modern, Path]) -> None:
    modern, _ = stored
    fresh = read_results(modern.results)["M01"]
    other = replace(fresh.figures["omit_7"], hits=fresh.figures["omit_7"].hits + 1)
    kept = replace(fresh, figures={**fresh.figures, "omit_7": other})
    assert compared(fresh, kept).endswith("other counts: omit_7")
    slower = replace(fresh.figures["omit_7"], seconds=99.0)
    assert compared(fresh, replace(fresh, figures={**fresh.figures, "omit_7": slower})).endswith("that is kept")


def test_a_column_that_is_not_kept_cannot_be_compared(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="M01: no such column is kept"):
        again(tiny(tmp_path), Folders(tmp_path, tmp_path, tmp_path / "out"), "M01", in_this_process, 1)


def test_exact_methods_have_no_distance_from_the_truth_and_wide_windows_have(stored: tuple[Modern, Path]) -> None:
    modern, _ = stored
    truth = json.loads((modern.results / "truth/M01.json").read_text(encoding="utf8"))
    for method in ("grad_1_s_dot", "omit_1", "lrp"):
        assert truth[method]["cosine"] == pytest.approx(1.0, abs=1e-5)
        assert truth[method]["same word"] == 1.0
    assert truth["omit_7"]["cosine"] < 0.9
    assert truth["grad_1_s_l2"]["same word"] < 0.5


def test_the_page_shows_all_of_it(stored: tuple[Modern, Path]) -> None:
    modern, _ = stored
    page = "\n".join(map(markdown, blocks(read_stored(modern))))
    for title in ("### Claims", "### Small", "### Distance from the truth, M01", "### Judges of known, J01"):
        assert title in page
    right = json.loads((modern.results / "right/M01.json").read_text(encoding="utf8"))
    assert f"| {right['right'] / right['total']:.2f}".replace("0.", ".") in page


def test_texts_that_a_model_does_not_take_are_not_asked_for(
    stored: tuple[Modern, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As a language model whose two verb forms begin alike."""
    modern, folder = stored
    model = whichword.load(str(folder / "out/models/linear"))
    monkeypatch.setattr(type(model), "refusal", lambda self, document: "too dull" * ("dull" in document.words))
    kept = replace(modern, results=tmp_path)
    keep_right(kept, Folders(folder, folder, folder / "out"), modern.sittings["M01"], str(folder / "out/models/linear"))
    total = json.loads((tmp_path / "right/M01.json").read_text(encoding="utf8"))["total"]
    corpus = Folders(folder, folder, folder).fill(modern.sittings["M01"].corpus)
    test = read_corpus(corpus, seed=modern.seed).test
    assert 0 < total == sum("dull" not in document.words for document in test) < len(test)


def test_a_model_that_is_like_another_takes_what_it_does_not_say(tmp_path: Path) -> None:
    modern = tiny(tmp_path)
    again = modern.models["again"]
    assert (again.build, again.seed, again.title) == ("linear", 3, "known, again")
    assert again.settings == modern.models["linear"].settings
    assert modern.models["linear"].seed == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('like = "linear"', 'like = "nobody"'), "again: no model is called nobody"),
        (('model = "linear"', 'model = "nobody"'), "M01: no model is called nobody"),
    ],
)
def test_a_name_that_is_not_there_is_said(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        tiny(tmp_path, TINY.replace(*change))
    with pytest.raises(InputError, match="no column or model is called M77"):
        tiny(tmp_path).chosen(("M77",))
