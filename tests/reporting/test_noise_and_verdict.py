"""A game whose scores do not fall under noise decides nothing, however clear its winner looks."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from made_tables import case_table, joined
from synthetic_run import Recipe, make_run

from whichword.reporting.table import cases_of, judgements
from whichword.reporting.verdict import recommend
from whichword.runs.run import Run, open_run
from whichword.scoring.outcomes import Degraded, Judged

WHY = "noise alone does as well as the method"
CLEAR = {"lrp": 0.9, "omit_1": 0.5, "random": 0.2}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    recipe = Recipe(documents=400, methods=("omit_1", "lrp"))
    return open_run(make_run(tmp_path_factory.mktemp("runs") / "dice", recipe))


def silent(run: Run, judged: Mapping[str, Judged]) -> str:
    (case,) = cases_of(run, "dice", judged)
    assert case.decision is not None
    assert case.decision.choice == "lrp"
    return case.silent


def test_a_game_that_noise_does_not_move_is_silent(run: Run) -> None:
    (name, judged), *_ = judgements(run).items()
    assert silent(run, {name: judged}) == ""
    (noise,) = judged.degraded.values()
    assert noise.falls
    flat = Degraded(noise.method, noise.levels, (0.8,) * len(noise.levels), falls=False, why=WHY)
    unmoved = replace(judged, degraded=dict.fromkeys(judged.degraded, flat))
    assert silent(run, {name: unmoved}) == f"hybrid cannot judge this model: {WHY}"


def test_no_verdict_rests_on_a_silent_game() -> None:
    words = f"hybrid cannot judge this model: {WHY}"
    clear, other = case_table([CLEAR]), case_table([CLEAR | {"lrp": 0.5, "omit_1": 0.9}], game="manual")
    unmoved = replace(clear, cases=(replace(clear.cases[0], silent=words),))
    (advice,) = recommend(unmoved).advice
    assert (advice.method, advice.headline) == (None, f"Cannot tell yet: {words}.")
    (beside,) = recommend(joined(unmoved, other)).advice
    assert beside.method == "omit_1"
    assert beside.reasons[0] == f"This rests on manual. H{words[1:]}."
