"""Claims are decided as their words say, on results whose truth is known."""

from pathlib import Path

import pytest
from experiments.paper.claims import Claim
from experiments.paper.discussion import CLAIMS
from experiments.paper.evidence import Measured, Printed, paired, unpaired
from experiments.paper.outcomes import every, mixed, mostly
from experiments.paper.published import read_published
from experiments.paper.trials import Alike, Better, Drop, NearTop, NotWorse, Steadier, Top
from made_up import column, share

from whichword.statistics.tests import wilson

ROWS = {"lrp": "lrp", "occ_1": "occ_1", "limsse_bb": "limsse_bb[samples=3000]", "random": "random"}
PUBLISHED = Path(__file__).parents[2] / "experiments" / "paper" / "published.csv"


def evidence(**columns: dict[str, int]) -> Measured:
    made = {
        name: column(name, {ROWS[method]: share(hits) for method, hits in figures.items()})
        for name, figures in columns.items()
    }
    return Measured(made, ROWS)


def states(trial, found) -> list[str]:
    return [outcome.state for outcome in trial.outcomes(found)]


@pytest.mark.parametrize(
    ("quantifier", "given", "status"),
    [
        (every, ["yes", "yes"], "confirmed"),
        (every, ["yes", "missing"], "undecided"),
        (every, ["yes", "open"], "undecided"),
        (every, ["missing", "no"], "refuted"),
        (every, [], "undecided"),
        (mostly, ["yes", "yes", "no"], "confirmed"),
        (mostly, ["yes", "yes", "missing", "missing"], "undecided"),
        (mostly, ["no", "no", "yes", "yes"], "refuted"),
        (mostly, ["no", "open", "yes"], "undecided"),
        (mixed, ["yes", "no", "missing"], "confirmed"),
        (mixed, ["no", "no"], "refuted"),
        (mixed, ["yes", "yes"], "refuted"),
        (mixed, ["yes", "missing"], "undecided"),
    ],
)
def test_quantifiers(quantifier, given: list[str], status: str) -> None:
    assert quantifier(given) == status


def test_better_is_significant_and_has_a_direction() -> None:
    found = evidence(C01={"lrp": 800, "occ_1": 700}, C02={"lrp": 700, "occ_1": 800}, C03={"lrp": 700, "occ_1": 701})
    trial = Better((("lrp", "occ_1"),), ("C01", "C02", "C03", "C04"))
    assert states(trial, found) == ["yes", "no", "open", "missing"]


def test_better_corrects_for_the_number_of_tests() -> None:
    """Seven documents in one direction: p = .016, which is no longer significant as one of four tests."""
    one = {"lrp": 707, "occ_1": 700}
    assert states(Better((("lrp", "occ_1"),), ("C01",)), evidence(C01=one)) == ["yes"]
    four = evidence(C01=one, C02=one, C03=one, C04=one)
    assert states(Better((("lrp", "occ_1"),), ("C01", "C02", "C03", "C04")), four) == ["open"] * 4


def test_not_worse_and_alike_go_by_the_interval() -> None:
    pair = (("lrp", "occ_1"),)
    found = evidence(C01={"lrp": 690, "occ_1": 700}, C02={"lrp": 600, "occ_1": 700}, C03={"lrp": 650, "occ_1": 700})
    assert states(NotWorse(pair, ("C01", "C02", "C03")), found) == ["yes", "no", "open"]
    assert states(Alike(pair, ("C01", "C02", "C03")), found) == ["yes", "no", "no"]
    ahead = evidence(C01={"lrp": 900, "occ_1": 700})
    assert states(NotWorse(pair, ("C01",)), ahead) == ["yes"]
    assert states(Alike(pair, ("C01",)), ahead) == ["no"]


def test_near_top_takes_the_best_of_its_methods() -> None:
    found = evidence(C01={"lrp": 900, "occ_1": 890, "limsse_bb": 500}, C02={"lrp": 900, "occ_1": 700, "limsse_bb": 600})
    trial = NearTop(("occ_1", "limsse_bb"), ("C01", "C02", "C05"))
    assert states(trial, found) == ["yes", "no", "missing"]
    assert [outcome.where for outcome in trial.outcomes(found)] == ["C01 occ_1 - lrp", "C02 occ_1 - lrp", "C05"]
    assert states(NearTop(("occ_1",), ("C01", "C02"), far=True), found) == ["no", "yes"]


def test_top_is_best_or_tied() -> None:
    found = evidence(C01={"lrp": 900, "occ_1": 800}, C02={"lrp": 699, "occ_1": 700}, C03={"lrp": 600, "occ_1": 700})
    assert states(Top(("lrp",), ("C01", "C02", "C03")), found) == ["yes", "yes", "no"]


def test_drop_compares_other_documents() -> None:
    found = evidence(C01={"lrp": 900}, C02={"lrp": 500}, C03={"lrp": 850}, C04={"lrp": 800})
    trial = Drop("lrp", (("C01", "C02"), ("C01", "C03"), ("C01", "C04"), ("C01", "C09")))
    assert states(trial, found) == ["yes", "no", "open", "missing"]


def test_steadier_asks_for_all_columns() -> None:
    names = tuple(f"C{i:02d}" for i in range(1, 7))
    good = {name: {"lrp": 800, "occ_1": 700 + 5 * i} for i, name in enumerate(names)}
    trial = Steadier(("lrp",), names)
    assert states(trial, evidence(**good)) == ["yes"]
    turned = {name: {"lrp": each["occ_1"], "occ_1": each["lrp"]} for name, each in good.items()}
    assert states(trial, evidence(**turned)) == ["no"]
    del good["C03"]
    assert states(trial, evidence(**good)) == ["missing"]


def test_baselines_are_no_candidates() -> None:
    found = Measured({"C01": column("C01", {"lrp": share(500), "random": share(900), "occ_1": share(100)})}, ROWS)
    assert states(Top(("lrp",), ("C01",)), found) == ["yes"]


def test_paired_difference() -> None:
    found = paired(30, 10, 100)
    assert found.value == pytest.approx(0.2)
    assert found.low < 0.2 < found.high
    assert found.low > 0  # 30 against 10 is significant
    assert found.p == pytest.approx(0.0022, abs=1e-4)
    same = paired(0, 0, 100)
    assert same.value == 0
    assert -0.02 < same.low <= 0 <= same.high < 0.02


def test_unpaired_difference_is_newcombes() -> None:
    """Newcombe 1998, table II: 56/70 - 48/80 has the interval .0524 to .3339 by his method 10."""
    found = unpaired(56 / 70, wilson(56, 70), 48 / 80, wilson(48, 80))
    assert (found.low, found.high) == (pytest.approx(0.0524, abs=1e-4), pytest.approx(0.3339, abs=1e-4))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.key)
def test_the_papers_own_figures_bear_out_its_claims(claim: Claim) -> None:
    assert claim.decide(Printed(read_published(PUBLISHED))).status == "confirmed"


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.key)
def test_nothing_is_decided_without_results(claim: Claim) -> None:
    decision = claim.decide(Measured({}, ROWS))
    assert decision.status == "undecided"
    assert {outcome.state for outcome in decision.outcomes} == {"missing"}


def test_keys_are_distinct() -> None:
    assert len({claim.key for claim in CLAIMS}) == len(CLAIMS)
