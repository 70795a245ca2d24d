"""The time a call will take is known, and can be refused, before it is spent."""

import sys
import time
from pathlib import Path

import pytest
from fast_cases import documents, make, targets

from whichword.errors import InputError
from whichword.methods import Questions, plan
from whichword.networks import Network
from whichword.planning import costs
from whichword.planning.costs import explaining as estimate
from whichword.planning.costs import within

QUADRATIC, LINEAR = ["omit_1", "occ_3"], ["grad_int_s_dot", "lrp", "limsse_bb"]


@pytest.fixture(scope="module")
def lstm() -> Network:
    return make("lstm")


@pytest.mark.parametrize("kind", ["lstm", "gru", "cnn", "qlstm"])
def test_only_perturbation_of_recurrent_networks_grows_with_the_square(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A word is said to take a second: what counts is how it is scaled up."""
    monkeypatch.setattr(costs.Trial, "fill", lambda self, known, *_: known)
    network = make(kind)
    chosen = plan(QUADRATIC + LINEAR, network)
    short, long = estimate(network, [2000], chosen), estimate(network, [200000, 0], chosen)
    grown = {name: pytest.approx(long[name] / short[name], rel=0.02) for name in chosen.labels}
    assert grown == dict.fromkeys(LINEAR, 100) | dict.fromkeys(QUADRATIC, 100 if kind in ("cnn", "qlstm") else 10000)


def test_the_estimate_is_about_right(lstm: Network) -> None:
    batch = documents((300, 200))
    chosen = plan(QUADRATIC, lstm)
    questions = Questions(batch, targets(batch), ("a", "b"))
    chosen.answer(lstm, questions)
    start = time.perf_counter()
    chosen.answer(lstm, questions)
    spent = time.perf_counter() - start
    assert spent / 4 < sum(estimate(lstm, [300, 200], chosen).values()) < spent * 4


def test_nothing_costs_nothing(lstm: Network) -> None:
    chosen = plan(LINEAR, lstm)
    assert estimate(lstm, [], chosen) == estimate(lstm, [0, 0], chosen) == dict.fromkeys(LINEAR, 0.0)


def test_a_refusal_names_the_costly_methods() -> None:
    within({"lrp": 2.0, "omit_1": 7.0}, 10.0)
    with pytest.raises(InputError, match=r"about 2.0 hours, more than 10.0 seconds \(most of it: omit_1 2.0 hours"):
        within({"lrp": 3.0, "omit_1": 7200.0}, 10.0)


def test_the_command_refuses_before_it_begins(
    lstm: Network, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from whichword.cli import main  # the estimate itself needs none of what the command line loads

    lstm.save(tmp_path / "model")
    call = ["whichword", "explain", str(tmp_path / "model"), "word1 " * 3000, "-m", "omit_1", "--json", "--budget"]
    monkeypatch.setattr(sys, "argv", [*call, "0.001"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert "omit_1" in printed.err
    assert "more than 0.001 seconds" in printed.err
    monkeypatch.setattr(sys, "argv", [*call[:3], "word1 word2", *call[4:], "60"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    assert "omit_1" in capsys.readouterr().out
