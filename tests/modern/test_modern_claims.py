"""Tests against chance and from column to column decide as they say; what was committed can be shown."""

from pathlib import Path
from typing import Any

import experiments.modern
import pytest
from experiments.columns import ColumnResult
from experiments.modern.claims import CARRIED, CLAIMS
from experiments.modern.spec import read_modern
from experiments.modern.trials import Carries, Chance, Convergent, Seated
from experiments.paper.evidence import Measured
from made_up import column, share

FILE = Path(experiments.modern.__file__).parent / "modern.toml"


def measured(**columns: dict[str, int]) -> Measured:
    results: dict[str, ColumnResult] = {
        name: column(name, {method: share(hits) for method, hits in figures.items()})
        for name, figures in columns.items()
    }
    return Measured(results, {method: method for result in results.values() for method in result.figures})


@pytest.mark.parametrize(("hits", "state"), [(300, "yes"), (500, "open"), (700, "no")])
def test_chance_is_compared_with_the_interval(hits: int, state: str) -> None:
    (outcome,) = Chance(("a",), ("M01",)).outcomes(measured(M01={"a": hits, "random": 500}))
    assert outcome.state == state
    assert "chance .50" in outcome.numbers


def test_a_verdict_carries_if_the_winner_stays_near_the_top() -> None:
    evidence = measured(M01={"a": 900, "b": 800}, M02={"a": 700, "b": 710}, M03={"a": 500, "b": 900})
    near, far, missing = Carries((("M01", "M02"), ("M01", "M03"), ("M01", "M09"))).outcomes(evidence)
    assert (near.state, far.state, missing.state) == ("yes", "no", "missing")
    assert far.where == "M01 to M03 a - b"


def panel(*correlations: tuple[str, str, float, float]) -> dict[str, Any]:
    pairs = [
        {"first": first, "second": second, "value": (low + high) / 2, "interval": {"low": low, "high": high}}
        for first, second, low, high in correlations
    ]
    return {"narrow": {"correlations": pairs}, "concord": {"correlations": []}}


def test_judges_rank_alike_if_the_interval_says_so() -> None:
    seated = panel(
        ("deletion: comprehensiveness", "hybrid", 0.2, 0.9),
        ("hybrid", "deletion: sufficiency", -0.4, 0.5),
        ("hybrid", "rationales", -0.9, -0.1),
    )
    evidence = Seated({}, {}, {"J01": seated})
    first, second = Convergent("hybrid", "deletion", ("J01",)).outcomes(evidence)
    (third,) = Convergent("hybrid", "rationales", ("J01",)).outcomes(evidence)
    (fourth,) = Convergent("hybrid", "deletion", ("J02",)).outcomes(evidence)
    assert [outcome.state for outcome in (first, second, third, fourth)] == ["yes", "open", "no", "missing"]
    assert first.numbers == ".55 [.20 .90]"


def test_what_is_missing_is_never_confirmed() -> None:
    nothing = Measured({}, {})
    assert {claim.decide(nothing).status for claim in CLAIMS} == {"undecided"}


def test_claims_and_pairs_name_columns_that_are_in_the_file() -> None:
    modern = read_modern(FILE)
    names = {name for _, *pair in CARRIED for name in pair}
    for claim in CLAIMS:
        names |= {outcome.where.split()[0] for outcome in claim.decide(Measured({}, {})).outcomes}
    assert names <= set(modern.sittings)
