"""The table in every format, from columns made by hand."""

import csv
import io
import json
from collections.abc import Mapping
from types import MappingProxyType

import html5lib
import numpy as np
import pytest

from whichword.reporting.formats import FORMATS
from whichword.reporting.table import Column, Table, TableCell
from whichword.runs.run import MethodCost
from whichword.statistics import paper_marks, tie_group
from whichword.types import Tally

HOSTILE = '<script>&"\x1b[2J|%\\_{'


def column(  # a column whose methods hit the first n of ``total`` documents
    hits: dict[str, int],
    total: int = 100,
    model: str = "lstm",
    game: str = "hybrid",
    part: str = "hybrid",
    corpus: str = "docs",
    run: str = "run",
    undefined: Mapping[str, str] = MappingProxyType({}),
    chance: float = 0.2,
) -> Column:
    vectors = {name: np.r_[np.ones(n), np.zeros(total - n)] for name, n in hits.items()}
    real = {name: v for name, v in vectors.items() if name not in ("random", "last")}
    group = tie_group(real) if total and real else None
    marks = paper_marks({name: n / total if total else None for name, n in hits.items()})
    cells = {
        name: TableCell(
            Tally(float(n), total, 7, 0, 3 if name == "occ_1" else 0),
            MethodCost(2.0 / (total + 7), 1.0 / (total + 7)),
            marks[name],
            group is not None and name in group.members,
            group.p.get(name) if group else None,
        )
        for name, n in hits.items()
    }
    return Column(run, model, "lstm", corpus, game, part, chance if total else None, cells, undefined)


@pytest.fixture
def table() -> Table:
    first = column({"lrp": 90, "occ_1": 86, "omit_1": 60, "random": 20}, undefined={"decomp": "no gated memory"})
    second = column({"lrp": 70, "occ_1": 91, "omit_1": 60, "decomp": 10, "random": 20}, model=HOSTILE)
    return Table((first, second))


def test_the_paper_s_marks_and_the_tied_group_are_shown(table: Table) -> None:
    lines = {
        line.split()[0]: line for line in FORMATS["text"](table).split("documents per second")[0].split("\n") if line
    }
    assert ".90**= [.83 .94] 90/100" in lines["lrp"]
    assert ".86*=  [.78 .91] 86/100" in lines["occ_1"]
    assert ".60    [.50 .69] 60/100" in lines["omit_1"]
    assert lines["decomp"].split()[1] == "n/a"
    assert lines["documents"].split()[1:] == ["100", "100"]
    assert lines["discarded"].split()[1:] == ["7", "7"]
    assert lines["chance"].split()[1:] == [".20", ".20"]
    assert lines["ties:"].startswith("ties: lstm: occ_1 3;")
    assert lines["n/a:"] == "n/a: lstm: decomp (no gated memory)"
    assert "not finite: none" in FORMATS["text"](table)


def test_the_cost_is_documents_per_second(table: Table) -> None:
    costs = FORMATS["text"](table).split("documents per second\n")[1]
    assert costs.split("\n")[2].split() == ["lrp", "53.5", "53.5"]


def test_a_column_in_which_nothing_counts_has_no_figures() -> None:
    empty = Table((column({"lrp": 0, "random": 0}, total=0),))
    for name in FORMATS:
        assert "nan" not in FORMATS[name](empty).lower(), name


def test_latex_has_the_paper_s_layout(table: Table) -> None:
    lines = FORMATS["latex"](table).split("\n")
    assert r"column & \tiny C01 & \tiny C02 \\\hline" in lines
    assert r"$\mathrm{lrp}$ & \underline{\textbf{.90}}$^{=}$ & .70 \\" in lines
    assert r"$\mathrm{occ}_1$ & \underline{.86}$^{=}$ & \underline{\textbf{.91}}$^{=}$ \\" in lines
    assert r"$\mathrm{decomp}$ & - & .10 \\" in lines
    assert r" & \multicolumn{2}{c}{hybrid} \\" in lines
    assert r"\begin{tabular}{l|cc}" in lines


def test_latex_groups_columns_by_game_corpus_and_part() -> None:
    parts = ("hit_target", "hit_feat")
    made = [column({"lrp": 9}, 10, game="agreement", part=part, model=m) for part in parts for m in ("gru", "lstm")]
    lines = FORMATS["latex"](Table((column({"lrp": 9}, 10), *made))).split("\n")
    assert r"\begin{tabular}{l|c|cc|cc}" in lines
    assert r" & \multicolumn{1}{c}{hybrid} & \multicolumn{4}{c}{agreement} \\" in lines
    subject = r"\shortstack{\tiny subject \\ \tiny {[}hit\_target{]}}"
    heads = (r"\multicolumn{1}{c}{hybrid}", rf"\multicolumn{{2}}{{c}}{{{subject}}}", r"\multicolumn{2}{c}{hit\_feat}")
    assert f" & {' & '.join(heads)} " + r"\\" in lines


def test_csv_and_json_hold_every_cell_with_every_number(table: Table) -> None:
    rows = list(csv.DictReader(io.StringIO(FORMATS["csv"](table), newline="")))
    objects = json.loads(FORMATS["json"](table))
    assert len(rows) == len(objects) == 10
    for row, entry in zip(rows, objects, strict=True):
        assert row.keys() == entry.keys()
        assert row["model"] == entry["model"]
    lrp = objects[0]
    assert (lrp["hits"], lrp["total"], lrp["discarded"], lrp["mark"], lrp["tied"]) == (90, 100, 7, "best", "true")
    assert lrp["low"] < lrp["accuracy"] < lrp["high"]
    assert lrp["documents_per_second"] == pytest.approx(53.5)
    assert lrp["seconds_alone_per_document"] == pytest.approx(2 / 107)
    assert lrp["seconds_together_per_document"] == pytest.approx(1 / 107)
    assert [entry["status"] for entry in objects if entry["method"] == "decomp"] == ["n/a", "ok"]
    assert [entry["reason"] for entry in objects if entry["method"] == "decomp"] == ["no gated memory", None]


def test_hostile_names_stay_text_in_every_format(table: Table) -> None:
    page = html5lib.parse(FORMATS["html"](table), treebuilder="etree", namespaceHTMLElements=False)
    assert not list(page.iter("script"))
    assert HOSTILE in ["".join(cell.itertext()) for cell in page.iter("th")]
    for name in ("text", "markdown", "latex"):
        assert "\x1b" not in FORMATS[name](table), name
    assert "<script>" not in FORMATS["markdown"](table)
    assert r"\textless{}script\textgreater{}\&" in FORMATS["latex"](table)
    widths = {line.count(" | ") for line in FORMATS["markdown"](table).split("\n") if line.startswith("|")}
    assert widths == {2}
    assert HOSTILE in {row["model"] for row in csv.DictReader(io.StringIO(FORMATS["csv"](table), newline=""))}


def test_models_of_several_runs_are_told_apart() -> None:
    two = Table((column({"lrp": 9}, 10, run="one"), column({"lrp": 8}, 10, run="two")))
    assert "one/lstm" in FORMATS["text"](two)
    assert "two/lstm" in FORMATS["text"](two)
