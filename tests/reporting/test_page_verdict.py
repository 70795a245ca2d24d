"""The sentence on top of a report."""

from dataclasses import replace

import numpy as np
from synthetic_run import Recipe, make_run

from whichword.experiment.reading import MethodCost, open_run
from whichword.reporting.page_verdict import cards, headline
from whichword.reporting.recommendation import recommend
from whichword.reporting.table import Column, Table, TableCell, columns_of
from whichword.statistics import Played, verdict
from whichword.types import Tally


def column(model, share, documents=100, chance=0.2, tied=()):
    """Methods that hit the first ``share`` of the documents."""
    hits = {name: np.arange(documents) < round(part * documents) for name, part in share.items()}
    cells = {
        name: TableCell(Tally(float(found.sum()), documents), MethodCost(1.0 / documents, 1.0), "", name in tied)
        for name, found in hits.items()
    }
    settled = verdict({name: Played(found.astype(float), 0.01) for name, found in hits.items()}, chance)
    return Column("run", model, "lstm", "made", "hybrid", "hybrid", chance, cells, {}, settled)


def said(*columns):
    table = Table(columns)
    return headline(table, recommend(table))


def test_one_comparison():
    found = said(column("one", {"lrp": 0.9, "omit_1": 0.5, "random": 0.2}, tied=("lrp",)))
    assert (found.before, found.method) == ("Use", "lrp")
    assert found.after == "best, or not significantly worse than the best, in 1 of 1 comparison"
    assert found.lines == ()


def test_the_method_that_leads_most_often():
    found = said(
        column("one", {"lrp": 0.9, "omit_1": 0.5, "decomp": 0.2}, tied=("lrp",)),
        column("two", {"lrp": 0.5, "omit_1": 0.9, "decomp": 0.2}, tied=("omit_1",)),
        column("three", {"lrp": 0.8, "omit_1": 0.8, "decomp": 0.2}, tied=("lrp", "omit_1")),
        column("four", {"lrp": 0.5, "omit_1": 0.9, "decomp": 0.2}, tied=("omit_1",)),
    )
    assert found.method == "omit_1"
    assert found.after.endswith("in 3 of 4 comparisons")
    assert found.lines[0].startswith("First choice by model, 4 in all: ")
    assert found.lines[1] == "Not safely above chance in half of the comparisons or more: decomp."


def test_nothing_to_recommend():
    found = said(column("one", {"lrp": 0.2, "omit_1": 0.2, "random": 0.2}, tied=("lrp", "omit_1")))
    assert found.method == ""
    assert found.before == "No method can be trusted here."


def test_too_few_documents_decide_nothing():
    found = said(
        column("one", {"lrp": 0.9, "omit_1": 0.5}, tied=("lrp",)),
        column("two", {"lrp": 0.0, "omit_1": 1.0}, documents=20, tied=("omit_1",)),
    )
    assert found.method == "lrp"
    assert found.lines[-1].startswith("1 of 2 comparisons decide nothing: fewer than 30 documents")


def test_a_card_for_each_piece_of_advice():
    columns = (
        column("two", {"lrp": 0.9, "omit_1": 0.5, "random": 0.2}, tied=("lrp",)),
        column("one", {"lrp": 0.2, "omit_1": 0.2, "random": 0.2}),
    )
    table = Table(columns)
    found = cards(table, recommend(table))
    assert [(card.advice.model, card.advice.method) for card in found] == [("one", None), ("two", "lrp")]
    assert found[1].figures == ("90 % right", "interval 83 % to 94 %", "chance 20 %", "100 documents per second")
    assert found[0].figures[0].startswith("no method beats chance")


def test_a_card_speaks_of_a_column_in_which_its_method_leads():
    parts = [
        column("one", {"lrp": 0.9, "omit_1": 0.5}, tied=("lrp",)),
        column("one", {"lrp": 0.5, "omit_1": 0.8}, tied=("omit_1",)),
        column("one", {"lrp": 0.5, "omit_1": 0.7}, tied=("omit_1",)),
    ]
    table = Table(tuple(replace(one, part=f"part{i}") for i, one in enumerate(parts)))
    card = cards(table, recommend(table))[0]
    assert card.advice.method == "omit_1"
    assert card.figures[0] == "80 % right (part1)"


def test_on_a_run(tmp_path):
    run = open_run(make_run(tmp_path, Recipe(documents=300, methods=("lrp", "omit_1", "decomp"))))
    table = Table(tuple(columns_of(run, "run")))
    assert headline(table, recommend(table)).method == "decomp"
    assert len(cards(table, recommend(table))) == 1
