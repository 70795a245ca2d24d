"""The examples run as they stand, are short, and what they add is at once part of the tables."""

import subprocess
import sys
from pathlib import Path

import pytest

from whichword import METHODS

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_and_is_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf8").splitlines()) < 30
    done = subprocess.run([sys.executable, "-W", "error", path], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_one_for_each_recipe_is_there() -> None:
    recipes = ("a_method", "a_network", "a_model", "a_corpus", "a_game", "an_executor", "a_command", "a_section")
    assert {f"add_{name}" for name in recipes} <= {path.stem for path in EXAMPLES}


CHECK = """
import runpy, numpy as np, whichword
space = runpy.run_path({path!r})
model, words = space.get("network") or space["model"], ["a", "very", "good", "film", "a"]
alone = whichword.explain(model, [words], "all")[0]
batch = whichword.explain(model, [["film"], words, []], "all")[1]
assert {expected!r} in (*whichword.METHODS.names(), *whichword.NETWORKS.names(), model.about.name)
for name, values in alone.relevance.items():
    assert values.shape == (5,) and np.isfinite(values).all(), name
    largest = np.abs(values).max()
    assert np.abs(batch.relevance[name] - values).max() <= 1e-4 * largest, name
print(len(alone.relevance))
"""


PLAY = """
import runpy, sys
from pathlib import Path
from whichword.playing.make import evaluate
from whichword.planning.spec import Play, Spec
from whichword.reporting import table
from whichword.reporting.page.page import report_page
runpy.run_path({path!r})["network"].save(Path("cnn"))
play = Play(models=("cnn",), corpora=("grammar[sentences=300]",), methods=("lrp", "last"), limit=40,
            games=("negation[words=a the]",))
evaluate(Spec(models={{"cnn": Path("cnn")}}, plays=(play,)), Path("run"))
(column,) = table(["run"]).columns
assert (column.part, column.documents > 20, 0 < column.chance < 1) == ("negation", True, True)
assert "words of negation" in report_page(["run"])
"""


def test_a_game_that_was_added_is_played_and_reported(tmp_path: Path) -> None:
    path = next(path for path in EXAMPLES if path.stem == "add_a_game")
    code = [sys.executable, "-W", "error", "-c", PLAY.format(path=str(path))]
    done = subprocess.run(code, capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("stem", "added"), [("add_a_method", "rarity"), ("add_a_network", "pairs")])
def test_what_was_added_keeps_the_contract(stem: str, added: str) -> None:
    path = next(path for path in EXAMPLES if path.stem == stem)
    code = CHECK.format(path=str(path), expected=added)
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.strip().splitlines()[-1]) >= 20


def test_a_model_that_was_added_has_its_methods_and_says_what_it_lacks() -> None:
    path = next(path for path in EXAMPLES if path.stem == "add_a_model")
    code = CHECK.format(path=str(path), expected="spelling")
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    *_, lacking, answered = done.stdout.strip().splitlines()
    assert lacking == "lrp: n/a, its operations have no relevance rules"
    assert int(answered) == len(METHODS) - 3  # deeplift and decomp neither
