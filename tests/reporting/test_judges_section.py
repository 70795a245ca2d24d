"""Judges in words, as a section of the report, and pooled: on runs made of dice."""

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from synthetic_run import Recipe, make_run

from whichword.cli import main
from whichword.errors import InputError
from whichword.reporting.judges import Panel, agreement, panels
from whichword.reporting.judges_text import AGREE_FORMATS, consequence, correlations, light, noise_svg
from whichword.reporting.page.page import report_page
from whichword.reporting.page.sections import Headline, JudgesSection, Seated, with_judges
from whichword.reporting.table import judgements, points
from whichword.reporting.tabulate import table
from whichword.runs.run import open_run
from whichword.scoring.outcomes import Degraded
from whichword.statistics.judges import Ballot, concord


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The agreement game has three parts: three judges of one model."""
    return make_run(
        tmp_path_factory.mktemp("judges") / "run",
        Recipe(documents=150, game="agreement", classes=("singular", "plural")),
    )


def command(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    before, sys.argv = sys.argv, ["whichword", *words]
    try:
        main()
    except SystemExit as end:
        captured = capsys.readouterr()
        return int(end.code or 0), captured.out, captured.err
    finally:
        sys.argv = before
    raise AssertionError("the command did not end")


def test_judges_are_the_parts_of_the_games(run: Path) -> None:
    (panel,) = agreement([run])
    assert len(panel.concord.judges) == 3
    assert len(panel.concord.correlations) == 3
    assert len(panel.concord.losses) == 6
    assert "random" not in panel.concord.methods
    (chosen,) = agreement([run], lambda method: method.startswith("grad") or method == "lrp")
    assert {method[:4] for method in chosen.concord.methods} <= {"grad", "lrp"}
    assert 3 <= len(chosen.concord.methods) < len(panel.concord.methods)


def test_the_consequence_comes_first_in_words_and_figures(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = command(capsys, "agree", str(run))
    (panel,) = agreement([run])
    assert code == 0
    assert out.startswith(consequence(panel))
    for pair in panel.concord.correlations:
        assert f"{pair.first} and {pair.second}: {points(pair.value)} [" in out
    assert len(out.splitlines()) == 2 + 3
    code, out, _ = command(capsys, "agree", str(run), "--format", "json")
    assert json.loads(out)[0]["concord"]["correlations"][0]["value"] == panel.concord.correlations[0].value
    assert AGREE_FORMATS["markdown"]([panel]).count("\n| ") == 1 + 3


def test_wrong_input_of_agree(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(capsys, "agree", str(run), "--format", "tex")[::2] == (
        2,
        "whichword: no format is called 'tex'; known: text, markdown, json\n",
    )
    lonely = make_run(tmp_path / "one", Recipe(documents=30))
    code, _, err = command(capsys, "agree", str(lonely))
    assert code == 2
    assert "no model has two judges" in err


def test_the_report_has_the_section(run: Path) -> None:
    page = report_page([run])
    (panel,) = panels([("run", open_run(run), judgements(open_run(run)))])
    assert page.index(consequence(panel)[:40]) > page.index('id="results"')  # parts of one game are one judge
    section = page[page.index('<section id="judges">') : page.index('<section id="difference">')]
    assert section.count("<svg") == 1  # what noise does
    for judges, correlation in correlations(panel):
        assert f"<td>{judges}</td><td>{correlation}</td>" in section
    assert len(page) < 30_000_000


SKILLS = np.linspace(0.2, 0.9, 6)


def panel(few: int, skills: np.ndarray, able: tuple[str, ...] = ("few", "many"), name: str = "m") -> Panel:
    """Two judges made of dice: one with ``few`` documents that finds methods as good as ``skills``, one of 400."""
    dice, methods = np.random.default_rng(0), tuple(f"{name}{number}" for number in range(len(SKILLS)))
    ballots = [
        Ballot(
            judge, methods, (dice.random((count, len(methods))) < truth).astype(float), tuple(map(str, range(count)))
        )
        for judge, count, truth in (("few", few, skills), ("many", 400, SKILLS))
    ]
    return Panel("run", "model", concord(ballots), {}, able, able, {})


def test_a_contradiction_is_said_only_where_it_is_shown() -> None:
    equal = panel(39, np.full(6, 0.5))
    assert equal.concord.losses[0].interval.low > 0.02  # the winner by lot is worse by the other judge, for sure
    assert not equal.contradictions
    assert "2 judges agree in part" in consequence(equal)
    assert "m5, best there, is not shown to be much worse by few" in consequence(equal)
    opposite = panel(200, SKILLS[::-1])
    told = consequence(opposite)
    assert re.search(
        r"contradict each other: m5, best by many, loses \.\d\d by few, and m0, best there, loses \.\d\d by many", told
    )
    assert not panel(200, SKILLS[::-1], able=("few",)).contradictions  # noise does not make the other fall
    assert "2 judges agree (" in consequence(panel(200, SKILLS))
    assert consequence(panel(200, SKILLS)).endswith("the verdict does not rest on one game.")


def test_parts_of_one_game_are_one_judge() -> None:
    """As in the demo, where 39 wrong predictions are a part of the game: whatever it shows, it contradicts nobody."""
    one = dict.fromkeys(("few", "many"), "agreement")
    for skills, words in ((SKILLS, "rank methods alike"), (SKILLS[::-1], "do not all rank methods alike")):
        judges = panel(200, skills)
        parts = replace(judges, games=one)
        assert len(judges.families) == 2
        assert (parts.families, parts.setbacks, parts.contradictions) == (("agreement",), [], [])
        assert consequence(parts).startswith(f"model: the 2 parts of agreement {words} (rank correlation ")
    assert judges.contradictions


def test_only_other_games_are_asked_whether_they_agree() -> None:
    """Two parts of one game that are opposite, and another game that agrees with one of them."""
    whole = replace(panel(200, SKILLS[::-1]), games={"few": "agreement", "many": "agreement"})
    told = whole.concord
    third = [replace(pair, second="other", value=0.9) for pair in told.correlations]
    joined = replace(
        whole, concord=replace(told, judges=(*told.judges, "other"), correlations=(*told.correlations, *third))
    )
    assert joined.families == ("agreement", "other")
    assert [pair.second for pair in joined.across] == ["other"]


def test_contradictions_come_first_in_the_report() -> None:
    """Of models that several games judged, which a has not."""
    lines = [Seated(name, 2 - (name == "a"), name == "c", f"{name}: its line", ()) for name in "abcd"]
    headline = with_judges(Headline("", None, "", ("verdict",)), JudgesSection(tuple(lines), ()))
    assert headline.lines == ("c: its line", "b: its line", "verdict")


def test_names_in_the_figure_are_escaped() -> None:
    hostile = '<script>alert("x")</script>'
    figure = noise_svg({hostile: Degraded(hostile, (0.0, 1.0), (0.9, 0.1), True, "")})
    assert "<script" not in figure
    assert "&lt;script" in figure


def test_a_report_of_one_judge_says_how_to_get_more(tmp_path: Path) -> None:
    page = report_page([make_run(tmp_path / "one", Recipe(documents=30))])
    assert "evaluate with several games" in page


def test_lights() -> None:
    assert [light(share) for share in (0.0, 0.049, 0.05, 0.19, 0.2, 1.0)] == ["green"] * 2 + ["yellow"] * 2 + [
        "red"
    ] * 2


def test_an_unknown_scorer_is_one_line(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = command(capsys, "table", str(run), "--scorer", "magic")
    assert code == 2
    assert "no scorer is called 'magic'; known: hit, mass, reciprocal_rank, precision" in err
    with pytest.raises(InputError):
        table([run], scorers=["magic"])
