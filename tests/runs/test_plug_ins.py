"""Games, networks, loaders and methods from outside are part of what a run depends on: edited ones are noticed."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from plug_in import child, plug_in

GAME = """
from whichword.games import Game, Part
from whichword.games.hybrid import HybridGame

class First(Game):
    \"\"\"Whoever points at word PLACE is right.\"\"\"
    counts = (Part("first"),)

    def items(self, documents, seed):
        return HybridGame(sentences=3).items(documents, seed)

    def rewarded(self, item, predicted):
        return {"first": frozenset({PLACE}) if predicted else None}

PLACE = 0
first = First()
"""
NETWORK = """
from whichword.networks.plain import Linear

class Doubled(Linear):
    \"\"\"h = FACTOR times the sum of the words.\"\"\"
    def forward(self, x, rules=None, dropout=None):
        return FACTOR * super().forward(x, *([] if rules is None else [rules]), dropout=dropout)

FACTOR = 2.0
"""
LOADER = """
from pathlib import Path
from whichword.models import loaders_foreign

class Twin:
    \"\"\"twin:FOLDER opens a folder of ours.\"\"\"
    def opens(self, spelling):
        return spelling.startswith("twin:")

    def load(self, spelling):
        return loaders_foreign.OwnFolder().load(spelling.removeprefix("twin:"))

    def identity(self, spelling):
        return loaders_foreign.OwnFolder().identity(spelling.removeprefix("twin:"))

    def label(self, spelling):
        return "twin"

twin = Twin()
"""
METHOD = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Early:
    \"\"\"phi(t) = -FACTOR t.\"\"\"
    def explain(self, model, questions):
        return -FACTOR * questions.zeros().add(1.0).cumsum(1)

FACTOR = 1.0
"""
MODEL = """
import torch
from planted_corpus import CLASSES, FILLER
from whichword.networks import Config, Network
from whichword.text import Vocabulary
import sys
torch.manual_seed(0)
Network(Config("doubled", CLASSES, 4, 4), Vocabulary(FILLER)).requires_grad_(False).save(sys.argv[1])
"""


def installed(folder: Path) -> Path:
    plug_in(folder, "outer_game", GAME, games="first = outer_game:first")
    plug_in(folder, "outer_network", NETWORK, networks="doubled = outer_network:Doubled")
    plug_in(folder, "outer_loader", LOADER, models="twin = outer_loader:twin")
    plug_in(folder, "outer_method", METHOD, methods="early = outer_method:Early")
    (folder / "make_model.py").write_text(MODEL)
    return folder


def evaluated(base: Path, **more: Any) -> dict[str, Any]:
    body = {"models": {"m": f"twin:{base / 'model'}"}, "game": "first", "methods": ["early", "omit_1"]}
    return dict(
        json.loads(child("evaluating.py", json.dumps(body | {"out": str(base / "run")} | more), path=base / "site"))
    )


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four plug-ins, a model of one of them opened by another, and a run of all, made by two workers."""
    folder = tmp_path_factory.mktemp("plugged")
    child(str(installed(folder / "site") / "make_model.py"), folder / "model", path=folder / "site")
    made = evaluated(folder, workers=2)
    assert made["computed"] > 1
    (folder / "made.json").write_text(json.dumps(made))
    return folder


@pytest.fixture
def copied_base(base: Path, tmp_path: Path) -> Path:
    """A copy whose spellings stay those of the run: it is moved to where the original was, in all but name."""
    shutil.copytree(base / "run", tmp_path / "run")
    shutil.copytree(base / "site", tmp_path / "site")
    (tmp_path / "model").symlink_to(base / "model")
    return tmp_path


def edited(site: Path, module: str, before: str, after: str) -> None:
    text = (site / f"{module}.py").read_text()
    assert before in text
    (site / f"{module}.py").write_text(text.replace(before, after))


def test_all_four_are_in_the_identity_under_their_names(base: Path) -> None:
    identity = json.loads((base / "made.json").read_text())["identity"]
    for name in ("model m: network doubled", "model m: loader twin", "method early"):
        assert len(identity[name]) == 64, name
    assert "method omit_1" not in identity


@pytest.mark.parametrize(
    ("module", "change", "named"),
    [
        ("outer_network", ("FACTOR = 2.0", "FACTOR = 3.0"), "model m: network doubled"),
        ("outer_loader", ('return "twin"', 'return "double"'), "model m: loader twin"),
        ("outer_method", ("FACTOR = 1.0", "FACTOR = 2.0"), "method early"),
    ],
)
def test_an_edited_plug_in_is_refused_by_name(
    copied_base: Path, module: str, change: tuple[str, str], named: str
) -> None:
    edited(copied_base / "site", module, *change)
    error = evaluated(copied_base)["error"]
    assert f"what changed: {named} (was " in error
    assert error.count("(was") == 1


def test_an_edited_game_is_judged_again_and_nothing_is_computed_again(base: Path, copied_base: Path) -> None:
    before = json.loads((base / "made.json").read_text())
    edited(copied_base / "site", "outer_game", "PLACE = 0", "PLACE = 3")
    again = evaluated(copied_base)
    assert again["computed"] == 0
    assert before["hits"]["first"] >= 20  # `early` always points at the first word
    assert again["hits"]["first"] < before["hits"]["first"]


def test_a_base_class_from_outside_counts_too(tmp_path: Path) -> None:
    plug_in(tmp_path, "outer_base", "class Base:\n    pass\n")
    plug_in(tmp_path, "outer_child", "import outer_base\nclass Child(outer_base.Base):\n    pass\n")
    code = tmp_path / "hashes.py"
    code.write_text(
        "import outer_child, whichword\nfrom whichword.models.loaders import foreign_code\n"
        "print(foreign_code(outer_child.Child), repr(foreign_code(whichword.Network)), repr(foreign_code(dict)))\n"
    )
    first = child(str(code), path=tmp_path).split()
    (tmp_path / "outer_base.py").write_text("class Base:\n    x = 1\n")
    second = child(str(code), path=tmp_path).split()
    assert first[0] != second[0]
    assert first[1:] == second[1:] == ["''", "''"]


SCORER = """
from whichword.games.scorers import Scorer

def score(ranking, gold):
    return ranking.layout.sums(gold.inside & (ranking.rank <= PLACES)).clip(max=1.0)

PLACES = 3
among = Scorer("among the first", "is a right word among the first?", score)
"""
SCORED = """
import sys
from whichword import table
column, = [column for column in table([sys.argv[1]], scorers=["among"]).columns if column.part.endswith(".among")]
print({name: cell.accuracy for name, cell in column.cells.items()}["omit_1"])
"""


def test_a_scorer_from_outside_is_a_column_and_an_edited_one_is_asked_again(base: Path, copied_base: Path) -> None:
    """Also on a run that was judged before it was installed."""
    site = plug_in(copied_base / "site", "outer_scorer", SCORER, scorers="among = outer_scorer:among")
    (copied_base / "scored.py").write_text(SCORED)
    first = float(child(str(copied_base / "scored.py"), copied_base / "run", path=site))
    edited(site, "outer_scorer", "PLACES = 3", "PLACES = 1000")
    assert 0 < first < float(child(str(copied_base / "scored.py"), copied_base / "run", path=site)) == 1.0
