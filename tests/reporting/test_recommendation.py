"""The verdict in words and as data."""

import json
import re
from dataclasses import replace

import html5lib
from made_tables import case_table, joined

from whichword.games import GAMES
from whichword.reporting.table import Table
from whichword.reporting.verdict import recommend
from whichword.statistics.tests import Interval

HOSTILE = '<script>&"\x1b[2J|%\\_{'
CLEAR = {"lrp": 0.9, "omit_1": 0.5, "random": 0.2}


def advice_of(table: Table):
    (advice,) = recommend(table).advice
    return advice


def test_decided():
    advice = advice_of(case_table([CLEAR]))
    assert (advice.status, advice.method, advice.needed) == ("decided", "lrp", "")
    assert advice.headline.startswith("Use lrp: shown to be the best of 2 methods on 1,000 documents; 100 documents")
    assert advice.reasons[0] == "This rests on hybrid."
    assert advice.reasons[1] == (
        "hybrid: lrp is right on 90 % of 1000 documents (95 % interval 88 % to 92 %; chance is 20 %)."
    )
    assert any(line.startswith("Avoid omit_1: at least 3") for line in advice.reasons)


def test_a_tie_is_decided_by_cost():
    shares, seconds = {"smoothgrad": 0.901, "grad": 0.9, "idle": 0.2}, {"smoothgrad": 0.4, "grad": 0.01}
    advice = advice_of(case_table([shares], seconds=seconds))
    assert (advice.status, advice.method) == ("tied", "grad")
    assert "the cheapest of 2 methods shown to be within 5 points of the best" in advice.headline
    assert "Not shown to be worse than the best: smoothgrad, grad." in advice.reasons
    assert "would probably single out one method" in advice.needed


def test_cannot_tell_yet_names_no_method():
    advice = advice_of(case_table([{f"m{i}": 0.56 for i in range(19)}], 100, chance=0.54))
    assert (advice.status, advice.method) == ("undecided", None)
    assert advice.headline == ("Cannot tell yet: no method is shown to beat chance and the baselines on 100 documents.")
    (bound,) = [line for line in advice.reasons if "points above chance and the baselines" in line]
    low, high = (int(part) for part in re.findall(r"-?\d+(?= and|(?= points above))", bound))
    assert low < 0 < 2 < high, bound
    assert bound.startswith("m0 is between ")
    assert "Use" not in str(recommend(case_table([{"m": 0.56}], 100, chance=0.54)))


def test_methods_that_are_not_told_apart():
    advice = advice_of(case_table([{"lrp": 0.9, "occ_1": 0.9, "random": 0.2}], 60, available=60))
    assert advice.headline.startswith("Cannot tell yet: 2 methods are not told apart on 60 documents")
    assert advice.needed.endswith("--game 'hybrid[rounds=5]' makes more of the same texts.")


def test_a_small_part_weighs_little():
    large, small = {"lrp": 0.95, "limsse": 0.85}, {"lrp": 0.3, "limsse": 0.8}
    advice = advice_of(case_table([large, small], [2283, 39], game="agreement"))
    assert advice.method == "lrp"
    assert len([line for line in advice.reasons if "is right on" in line]) == 2


def test_nothing_to_judge():
    assert advice_of(case_table([{"last": 0.7}])).headline == "Cannot tell yet: only baselines played."
    assert advice_of(case_table([CLEAR], 0)).headline == "Cannot tell yet: no document counts."


def test_games_that_contradict_each_other_are_no_choice():
    other = {"lrp": 0.5, "omit_1": 0.9, "random": 0.2}
    advice = advice_of(joined(case_table([CLEAR]), case_table([other], game="manual")))
    assert (advice.method, advice.games) == (None, ("hybrid", "manual"))


def test_a_game_that_tells_nothing_has_no_say():
    table = joined(case_table([CLEAR]), case_table([{"lrp": 0.2, "omit_1": 0.3, "random": 0.2}], 10, game="manual"))
    assert advice_of(table).method == "lrp"


def test_the_verdict_as_json():
    (line,) = case_table([CLEAR]).to("verdict").splitlines()
    verdict = json.loads(line)
    assert (verdict["status"], verdict["choice"], verdict["group"]) == ("decided", "lrp", ["lrp"])
    assert (verdict["avoid"], verdict["needed"]["documents"]) == (["omit_1"], None)
    assert (verdict["model"], verdict["corpus"], verdict["games"]) == ("lstm", "made", ["hybrid"])


def test_the_words_say_what_games_cannot_tell():
    words = str(recommend(case_table([CLEAR])))
    assert GAMES["hybrid"].caveats[0] in words
    assert GAMES["agreement"].caveats[0] not in words


def test_hostile_names_stay_text():
    recommendation = recommend(case_table([CLEAR], model=HOSTILE))
    assert "\x1b" not in str(recommendation)
    page = html5lib.parse(recommendation._repr_html_(), treebuilder="etree", namespaceHTMLElements=False)
    assert not list(page.iter("script"))


def test_what_had_no_time_is_left_open():
    table = case_table([{**CLEAR, "occ_1": 0.4}])
    unnamed = {"status": "undecided", "choice": None, "good": ("lrp",), "open": ("occ_1",), "needed": None}
    cases = [replace(case, decision=replace(case.decision, **unnamed)) for case in table.cases]
    advice = advice_of(replace(table, cases=tuple(cases)))
    assert advice.method is None
    assert advice.headline == (
        "Cannot tell yet: of 2 methods compared on 1,000 documents, lrp is shown to be within 5 points of the best "
        "(too little is known of 1 other method)."
    )
    assert advice.needed.startswith("More time would tell of the others")
    more = [replace(case, decision=replace(case.decision, needed=380, good=())) for case in cases]
    words = advice_of(replace(table, cases=tuple(more))).needed
    assert words == "About 380 documents would probably lead to a choice among the methods that had the time."


def test_without_a_group_all_sentences_are_about_one_method():
    """The one that is nearest to being shown above chance, not one that was lucky on fewer documents."""
    table = case_table([{"lrp": 0.56, "omit_1": 0.55, "random": 0.5}], 100, chance=0.5)
    (case,) = table.cases
    over = {"lrp": Interval(-0.3, 0.4), "omit_1": Interval(-0.1, 0.2)}
    advice = advice_of(replace(table, cases=(replace(case, decision=replace(case.decision, over=over)),)))
    assert any(reason.startswith("hybrid: omit_1 is right on 55 %") for reason in advice.reasons)
    assert any(reason.startswith("omit_1 is between -10 and 20 points") for reason in advice.reasons)
