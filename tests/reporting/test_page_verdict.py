"""The sentence on top of a report."""

from dataclasses import replace

import pytest
from made_tables import case_table, joined
from synthetic_run import Recipe, make_run

import whichword
from whichword.reporting import table
from whichword.reporting.page.page import report_page
from whichword.reporting.page.sections import cards, headline
from whichword.reporting.verdict import recommend

CLEAR = {"lrp": 0.9, "omit_1": 0.5, "random": 0.2}
OTHER = {"lrp": 0.5, "omit_1": 0.9, "random": 0.2}
NOTHING = {"lrp": 0.2, "omit_1": 0.2, "random": 0.2}


def top(*tables):
    return headline(recommend(joined(*tables)))


def test_one_model():
    shown = top(case_table([CLEAR]))
    assert (shown.before, shown.method) == ("Use", "lrp")
    assert shown.after == "shown to be the best of 2 methods on 1,000 documents"


def test_cannot_tell_is_a_headline_of_its_own():
    shown = top(case_table([NOTHING], 100))
    assert (shown.before, shown.method) == ("Cannot tell yet.", "")
    assert shown.after == "No method is shown to beat chance and the baselines on 100 documents."


def test_what_had_no_time_stands_in_the_headline():
    (case,) = (table := case_table([CLEAR])).cases
    unnamed = {"status": "undecided", "choice": None, "good": ("lrp",), "open": ("omit_1",)}
    shown = top(replace(table, cases=(replace(case, decision=replace(case.decision, **unnamed)),)))
    assert (shown.before, shown.method) == ("Cannot tell yet.", "")
    assert shown.after == (
        "Of 1 method compared on 1,000 documents, lrp is shown to be within 5 points of the best "
        "(too little is known of 1 other method)."
    )


def test_models_are_merged_only_where_one_method_is_good_for_all():
    same = top(case_table([CLEAR], model="one"), case_table([CLEAR], model="two"))
    assert (same.before, same.method) == ("Use", "lrp")
    assert same.after == "shown to be within 5 points of the best for each of 2 models"
    apart = top(case_table([CLEAR], model="one"), case_table([OTHER], model="two"))
    assert (apart.before, apart.method) == ("It depends on the model.", "")
    assert apart.lines == ("By model, 2 in all: lrp for 1, omit_1 for 1.",)


def test_it_depends_on_the_model_only_where_no_method_can_be_good_for_all():
    level = case_table([{"lrp": 0.6, "omit_1": 0.6, "random": 0.2}], 50, model="two")
    shown = top(case_table([CLEAR], model="one"), level)
    assert (shown.before, shown.method) == ("No one answer for all models yet.", "")  # lrp may be the best of both
    assert top(case_table([CLEAR], model="one"), case_table([OTHER], model="two")).before == "It depends on the model."


def test_a_model_that_shows_nothing_keeps_the_others_from_speaking_for_it():
    mixed = top(case_table([CLEAR], model="one"), case_table([NOTHING], 100, model="two"))
    assert mixed.method == ""
    assert "Cannot tell yet: two on made." in mixed.lines
    nothing = top(*(case_table([NOTHING], 100, model=model) for model in ("one", "two")))
    assert nothing.before == "Cannot tell yet."


def test_a_card_for_each_model():
    made = joined(case_table([CLEAR], model="two"), case_table([NOTHING], 100, model="one"))
    first, second = cards(made, recommend(made))
    assert [(card.advice.model, card.advice.method) for card in (first, second)] == [("one", None), ("two", "lrp")]
    assert second.figures == ("90 % right", "interval 88 % to 92 %", "chance 20 %", "100 documents per second")
    assert first.figures[0].startswith("No method is shown to beat chance")


def test_a_card_speaks_of_the_largest_part_in_which_its_method_leads():
    made = case_table([OTHER, CLEAR, CLEAR], [100, 400, 900])
    (card,) = cards(made, recommend(made))
    assert (card.advice.method, card.figures[0]) == ("lrp", "90 % right (part2)")


def test_on_a_run(tmp_path):
    run = make_run(tmp_path / "run", Recipe(documents=600, methods=("lrp", "omit_1", "decomp")))
    assert headline(recommend(table([run]))).method == "decomp"
    page = report_page([run])
    assert '<span class="answer">decomp</span>' in page
    tiny = make_run(tmp_path / "tiny", Recipe(documents=12, methods=("lrp", "omit_1")))
    page = report_page([tiny])
    assert "<h1>Cannot tell yet.</h1>" in page
    assert '<p class="choice">Cannot tell yet</p>' in page


def test_a_run_or_its_folder_or_several_of_either(tmp_path):
    folder = make_run(tmp_path / "run", Recipe())
    run = whichword.open_run(folder)
    expected = whichword.recommend(whichword.table([folder]))
    for given in (run, folder, str(folder), [run]):
        assert whichword.recommend(whichword.table(given)) == expected
    assert whichword.report(run, tmp_path / "report.html").is_file()
    with pytest.raises(whichword.InputError, match=r"whichword\.table\(run\)"):
        whichword.recommend(run)
