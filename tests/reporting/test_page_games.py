"""Reports say of a game what it says of itself, and nothing of a game that is not installed any more."""

from dataclasses import dataclass, replace

import pytest
from synthetic_run import Recipe, make_run

from whichword.games import GAMES, Game, HybridGame, Part
from whichword.reporting import recommend, table
from whichword.reporting.figures import figure
from whichword.reporting.page.page import report_page
from whichword.runs.run import open_run

RECIPE = Recipe(documents=40, methods=("omit_1", "lrp"), game="fragments")
CAVEAT = "It knows <nothing> of signs."


@dataclass(frozen=True)
class Fragments(HybridGame):
    counts = (Part("hybrid", "own fragments", "words <of> the class"),)
    rules = "One hits by a word of the class."
    caveats = (CAVEAT,)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Made and judged while the game was installed."""
    monkeypatch.setitem(GAMES._entries, "fragments", Fragments())
    monkeypatch.setitem(make_run.__globals__["_ITEMS"], "fragments", make_run.__globals__["_ITEMS"]["hybrid"])
    return make_run(tmp_path / "run", RECIPE)


def test_a_game_speaks_for_itself(run):
    page = report_page([run])
    assert "<dt>fragments</dt><dd>One hits by a word of the class.</dd>" in page
    assert "<li>It knows &lt;nothing&gt; of signs.</li>" in page
    assert '"label":"own fragments [hybrid]","truth":"words \\u003cof\\u003e the class"' in page
    assert CAVEAT in recommend(table([run])).limits


def test_a_game_that_is_gone_is_no_error(run, monkeypatch):
    before = table([run]).to("csv")
    monkeypatch.delitem(GAMES._entries, "fragments")
    assert "fragments" not in GAMES
    assert table([run]).to("csv") == before
    assert CAVEAT not in recommend(table([run])).limits
    page = report_page([run])
    assert '"label":"hybrid","truth":"words that the game rewards"' in page
    item = open_run(run).items("s00")[0]
    [cells, *_] = figure(open_run(run), item.key, ["lrp"]).rows.values()
    assert [cell.word for cell in cells] == list(item.words)
    assert not any(cell.underlined for cell in cells)


def test_two_settings_of_one_game_say_their_caveat_once(tmp_path):
    runs = [make_run(tmp_path / name, replace(RECIPE, game="hybrid")) for name in "ab"]
    caveats = [limit for limit in recommend(table(runs)).limits if limit in GAMES["hybrid"].caveats]
    assert caveats == list(GAMES["hybrid"].caveats)


def test_a_game_has_to_say_what_it_rewards():
    with pytest.raises(TypeError, match="rewarded"):
        type("Nothing", (Game,), {"counts": ()})()
