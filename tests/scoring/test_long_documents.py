"""Words behind a model's longest input: never the most relevant one, never rewarded, counted and shown."""

from pathlib import Path

import numpy as np
import pytest
from foreign_players import SIGHT

from whichword.games import GAMES
from whichword.games.scorers import Gold, Layout
from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.reporting import table
from whichword.reporting.figures import figure
from whichword.reporting.page.gather import gather
from whichword.reporting.page.page import report_page
from whichword.runs.run import Run, remarks
from whichword.scoring.run import judge

GAME = "hybrid[sentences=3]"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    play = Play(("m",), ("planted",), (GAME,), ("omit_1", "last", "random"), 20)
    return evaluate(Spec({"m": "foreign_players:shortsighted"}, (play,)), tmp_path_factory.mktemp("runs") / "long").run


def test_how_many_words_were_read_is_stored_and_counted(run: Run) -> None:
    items, predictions = run.items("s00"), run.predictions("p00")
    assert {predictions[item.key].seen for item in items} == {SIGHT}
    unread = sum(len(item.words) - SIGHT for item in items)
    assert unread > 0
    told = f"not read: {unread} words of {len(items)} documents (longer than the model reads; they are no part of"
    assert remarks(run, run.plan.pairings[0])[0].startswith(told)


def test_no_method_points_behind_what_was_read(run: Run) -> None:
    judged = judge(run, "p00")
    assert (judged.rmax[:, judged.methods.index("last")] == SIGHT - 1).all()
    assert judged.rmax.max() == SIGHT - 1
    assert not judged.nonfinite.any()


def test_no_word_behind_is_rewarded_and_chance_is_of_what_was_read(run: Run) -> None:
    judged, game = judge(run, "p00"), GAMES[GAME]
    shares, gone = [], 0
    for row, item in enumerate(run.items("s00")):
        right = game.rewarded(item, judged.predicted[row])["hybrid"]
        within = None if right is None else {t for t in right if t < SIGHT}
        hits = judged.hits["hybrid"][row]
        if not within:
            gone += bool(right)
            assert np.isnan(hits).all()
            continue
        shares.append(len(within) / SIGHT)
        assert hits[judged.methods.index("omit_1")] == (judged.rmax[row, judged.methods.index("omit_1")] in within)
        assert hits[judged.methods.index("random")] == pytest.approx(shares[-1])
    assert gone > 0
    assert judged.chance["hybrid"] == pytest.approx(np.mean(shares))


def test_positions_among_the_words_that_were_read() -> None:
    positions = [frozenset({0, 5}), frozenset({5}), frozenset(), None, frozenset({2})]
    gold = Gold.of(Layout.of([3, 3, 3, 3, 3]), positions)
    assert gold.words.tolist() == [0, 14]  # of the first and of the last item
    assert gold.sizes.tolist() == [1, 0, 0, 0, 1]
    assert gold.discarded.tolist() == [False, True, False, True, False]


def test_table_report_and_figure_say_so(run: Run) -> None:
    told = "words of 20 documents (longer than the model reads"
    assert f"m: {remarks(run, run.plan.pairings[0])[0]}" in table([run.folder]).to("text")
    assert told in table([run.folder]).to("json")
    assert told in report_page([run.folder])
    (gathered,) = gather([("run", run)])
    assert all(health.constant == 0 for health in gathered.health if health.method == "last")
    item = max(run.items("s00"), key=lambda item: len(item.words))
    cells = figure(run, item.key).rows["last"]
    assert [t for t, cell in enumerate(cells) if cell.bold] == [SIGHT - 1]
    assert not any(cell.underlined for cell in cells[SIGHT:])


def test_a_judgement_that_is_stored_is_the_one_that_is_made(run: Run, tmp_path: Path) -> None:
    first = judge(run, "p00")
    (run.folder / "judged/p00.json").rename(tmp_path / "away.json")
    again = judge(run, "p00")
    (tmp_path / "away.json").rename(run.folder / "judged/p00.json")
    np.testing.assert_array_equal(first.hits["hybrid"], again.hits["hybrid"])
    np.testing.assert_array_equal(first.rmax, again.rmax)
