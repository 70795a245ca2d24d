"""A game counts a model's mistakes apart: a model without mistakes is no worse for that."""

from pathlib import Path

import pytest
from synthetic_run import Recipe, make_run

from whichword.extras.audit.gate import FAILED, PASSED, SKIPPED, GateSettings, gate, is_green

MISTAKES = "hit_feat_wrong"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A model that is always right, one that is right by chance, one that never is; the same documents."""
    base = tmp_path_factory.mktemp("parts")
    made = {}
    for name, right in (("right", True), ("chance", None), ("wrong", False)):
        recipe = Recipe(
            documents=60, methods=("omit_1", "lrp"), game="agreement", classes=("singular", "plural"), right=right
        )
        made[name] = make_run(base / name, recipe)
    return made


def outcomes(new: Path, old: Path) -> dict[str, str]:
    settings = GateSettings(("lrp",), {"lrp": 0.0})
    return {check.name: check.outcome for check in gate(new, old, settings)}


def test_a_model_that_makes_no_mistakes_passes(runs: dict[str, Path]) -> None:
    assert is_green(gate(runs["right"], runs["right"]))
    outcome = outcomes(runs["right"], runs["right"])
    assert outcome[f"lrp is still right ({MISTAKES})"] == SKIPPED
    assert outcome[f"lrp >= .00 ({MISTAKES})"] == SKIPPED
    assert outcome["lrp is still right (hit_target)"] == PASSED


def test_mistakes_that_are_no_longer_made_are_not_lost(runs: dict[str, Path]) -> None:
    outcome = outcomes(runs["right"], runs["chance"])
    assert outcome[f"documents that count ({MISTAKES})"] == PASSED
    assert outcome[f"lrp is still right ({MISTAKES})"] == SKIPPED


def test_new_mistakes_are(runs: dict[str, Path]) -> None:
    assert outcomes(runs["chance"], runs["right"])["documents that count (hit_target)"] == FAILED


def test_without_a_document_in_the_first_part_nothing_is_green(runs: dict[str, Path]) -> None:
    for old in runs.values():
        outcome = outcomes(runs["wrong"], old)
        assert outcome["lrp is still right (hit_target)"] == FAILED
        assert outcome["lrp >= .00 (hit_target)"] == FAILED
