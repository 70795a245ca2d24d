"""A model that gives no answer in the middle of a run: asked again, then counted, and the run goes on."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from foreign_players import MOOD

import whichword
from whichword.errors import FailedCallError, InputError
from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.playing.progress import Evaluated
from whichword.playing.verify import digest, verify
from whichword.reporting import table
from whichword.reporting.figures import figure
from whichword.reporting.page.page import report_page
from whichword.rounds.rounds import play_within
from whichword.runs.run import open_run, remarks
from whichword.scoring.outcomes import outcomes_of
from whichword.scoring.run import judge
from whichword.workers.tasks import Hands

Playing = Callable[..., Evaluated]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Playing:
    """A run of the service in a mood."""
    monkeypatch.setenv(MOOD, str(tmp_path / "mood.json"))

    def playing(name: str = "run", **mood: object) -> Evaluated:
        (tmp_path / "mood.json").write_text(json.dumps(mood))
        once = Play(("m",), ("planted",), ("hybrid[sentences=3]",), ("omit_1", "limsse_ms_p", "random"), 12)
        return evaluate(Spec({"m": "foreign_players:service"}, (once,), shard_words=3_000), tmp_path / name)

    return playing


def test_documents_fail_the_run_goes_on_and_a_resume_asks_again(play: Playing) -> None:
    whole = play("whole").run
    items = whole.items("s00")
    word = next(word for item in items for word in item.words if word.startswith(("apple", "brick", "cloud", "drum")))
    failing = [item.key for item in items if word in item.words]
    assert 0 < len(failing) < len(items)
    first = play(fails=word)
    run = first.run
    assert run.shortfall("p00").failed == len(failing)
    assert set(run.predictions("p00")) == {item.key for item in items} - set(failing)
    failed = {row.key: row.note for row in run.relevances("p00") if row.status == "failed"}
    assert failed == dict.fromkeys(failing, "Service failed 3 times: ConnectionError: the service")
    judged = judge(run, "p00")
    assert list(judged.keys) == [item.key for item in items if item.key not in failing]
    in_whole = judge(whole, "p00")
    rows = [in_whole.keys.index(key) for key in judged.keys]
    assert (judged.rmax == in_whole.rmax[rows]).all()
    assert verify(run.folder).sound
    told = f"failed: {len(failing)} documents (the model gave no answer; run the command"
    assert remarks(run, run.plan.pairings[0])[0].startswith(told)
    assert f"m: {told}" in table([run.folder]).to("text")
    assert told in report_page([run.folder, whole.folder])
    with pytest.raises(InputError, match=f"document {failing[0]} failed: m gave no answer"):
        figure(run, failing[0])
    again = play()
    assert 0 < again.computed <= first.computed
    assert again.run.shortfall("p00").failed == 0
    assert digest(again.run) == digest(whole)
    assert play().computed == 0


def test_decisions_are_made_of_documents_that_were_answered(play: Playing) -> None:
    run = play(fails="drum1").run
    judged, items = judge(run, "p00"), run.items("s00")
    assert 0 < len(judged.keys) < len(items)
    outcomes, counted = outcomes_of(judged, items), ~np.isnan(judged.hits["hybrid"]).all(axis=1)
    sources = {item.key: tuple(dict.fromkeys(item.sources or (item.key,))) for item in items}
    numbers: dict[str, set[int]] = {}
    for key, texts in zip(np.array(judged.keys)[counted], outcomes.sources, strict=True):
        for name, number in zip(sources[key], texts, strict=True):
            numbers.setdefault(name, set()).add(number)
    assert all(len(several) == 1 for several in numbers.values())  # a text has one number, whatever failed before it
    assert len(set().union(*numbers.values())) == len(numbers)


def test_what_failed_in_a_round_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MOOD, str(tmp_path / "mood.json"))
    (tmp_path / "mood.json").write_text(json.dumps({"fails": "drum0"}))
    once = Play(("m",), ("planted",), ("hybrid[sentences=3]",), ("omit_1", "limsse_ms_p", "last"), 20)
    spec, folder = Spec({"m": "foreign_players:service"}, (once,)), tmp_path / "run"
    (folder / "rounds").mkdir(parents=True)  # as if rounds had been begun: all are played in the time there is
    play_within(spec, folder, Hands(1), None, 120.0, True, 0.05)
    run = open_run(folder)
    (pairing,) = run.plan.pairings
    failing = {item.key for item in run.items(pairing.set) if "drum0" in item.words}
    assert run.shortfall(pairing.id).failed == len(failing) > 0
    assert not failing & set(run.predictions(pairing.id))
    assert f"failed: {len(failing)} documents" in table([folder]).to("text")
    assert report_page([folder])


def test_a_call_that_is_answered_the_second_time_leaves_no_trace(play: Playing) -> None:
    assert digest(play("quiet").run) == digest(play("flaky", every=3).run)


def test_a_service_that_is_down_from_the_start_is_one_line(play: Playing) -> None:
    with pytest.raises(InputError, match=r"^Service failed 3 times: ConnectionError: the service$"):
        play(fails="a")


def test_how_often_and_how_long(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("whichword.models.blackbox.time.sleep", pauses.append)

    def down(texts: list[str]) -> list[list[float]]:
        raise OSError("down")

    with pytest.raises(FailedCallError, match="down failed 4 times: OSError: down"):
        whichword.wrap(down, classes=["a", "b"], tries=4, pause=0.5)
    assert pauses == [0.5, 1.0, 2.0]
    with pytest.raises(InputError, match="tries must be 1 or more"):
        whichword.wrap(down, classes=["a", "b"], tries=0)
