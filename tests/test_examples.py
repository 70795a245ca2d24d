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


def test_all_four_are_there() -> None:
    assert {"add_a_method", "add_a_network", "add_a_corpus", "add_a_model"} <= {path.stem for path in EXAMPLES}


CHECK = """
import runpy, numpy as np, whichword
space = runpy.run_path({path!r})
model, words = space[{variable!r}], ["a", "very", "good", "film", "a"]
alone = whichword.explain(model, [words], "all")[0]
batch = whichword.explain(model, [["film"], words, []], "all")[1]
assert {added!r} in (*whichword.METHODS.names(), *whichword.NETWORKS.names(), model.about.name)
for name, values in alone.relevance.items():
    assert values.shape == (5,) and np.isfinite(values).all(), name
    largest = np.abs(values).max()
    assert np.abs(batch.relevance[name] - values).max() <= 1e-4 * largest, name
print(*alone.relevance)
"""


@pytest.mark.parametrize(
    ("stem", "variable", "added", "lacking"),
    [
        ("add_a_method", "network", "rarity", {"decomp"}),
        ("add_a_network", "network", "pairs", {"decomp"}),
        ("add_a_model", "model", "spelling", {"decomp", "lrp", "deeplift"}),
    ],
)
def test_what_was_added_keeps_the_contract(stem: str, variable: str, added: str, lacking: set[str]) -> None:
    path = next(path for path in EXAMPLES if path.stem == stem)
    code = CHECK.format(path=str(path), variable=variable, added=added)
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    answered = set(done.stdout.strip().splitlines()[-1].split())
    assert answered >= set(METHODS.names()) - lacking
    assert not answered & lacking


def test_the_model_says_what_it_cannot_have() -> None:
    path = next(path for path in EXAMPLES if path.stem == "add_a_model")
    done = subprocess.run([sys.executable, "-W", "error", path], capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines()[-1] == "lrp: n/a, its operations have no relevance rules"
