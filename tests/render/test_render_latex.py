"""Rows of coloured boxes."""

import math

import pytest

from whichword.render import latex
from whichword.render.heatmap import COLOUR_BLIND, WordCell, heatmap


def test_words_and_boxes():
    cells = [
        WordCell("50%", 1.0, 0.0, 0.5, bold=True, underlined=True, italic=False),
        WordCell("oov", 0.0, 0.0, 0.0, bold=False, underlined=False, italic=True, gap=" "),
        WordCell("no", -1.0, 1.0, 0.0, bold=False, underlined=False, italic=False, gap=" "),
    ]
    assert latex.heatmap(cells) == (
        r"\colorbox[RGB]{128,196,128}{\strut \textbf{\underline{50\%}}} "
        r"\textit{oov} \colorbox[RGB]{236,0,0}{\strut no}"
    )
    assert r"\colorbox[RGB]{196,83,0}{\strut no}" in latex.heatmap(cells, COLOUR_BLIND)


def test_gaps_are_nothing_one_space_or_a_paragraph():
    text = "\n\n do n't\t.\r\nYes\n \nno\n\n"
    words = ["do", "n", "'", "t", ".", "Yes", "no"]
    assert latex.heatmap(heatmap(words, [1, 1, 0, 0, 0, 0, 0], text=text)) == (
        r"\colorbox[RGB]{23,148,23}{\strut do} \colorbox[RGB]{23,148,23}{\strut n}\textquotesingle{}t . Yes\par no"
    )


def test_what_else_stands_in_a_gap_is_escaped():
    assert latex.heatmap(heatmap(["a", "b"], [0, 0], text="% a\\ &b $")) == r"\% a\textbackslash{} \&b \$"


def test_a_paragraph_stays_inside_its_row():
    rows = latex.stacked({"lrp": heatmap(["a", "b"], [0, 0], text="a\n\n\nb\n\n")}).splitlines()
    assert rows[1] == r"$\mathrm{lrp}$ & a\par b \\"


def test_not_finite_is_named():
    assert (
        latex.heatmap(heatmap(["a", "b"], [math.nan, -math.inf])) == r"a\textsuperscript{nan} b\textsuperscript{-{}inf}"
    )


def test_stacked():
    text = latex.stacked({"lrp": heatmap(["a"], [0.0]), "my_own": heatmap(["b"], [0.0])})
    assert text.splitlines()[1:3] == [r"$\mathrm{lrp}$ & a \\", r"\texttt{my\_own} & b \\"]
    assert text.count("{") == text.count("}")
    assert text.startswith("{\\setlength{\\fboxsep}{1pt}\\begin{tabular}{@{}lp{0.8\\textwidth}@{}}\n")
    assert text.endswith("\\end{tabular}}\n")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("grad_1_s_l2", r"$\mathrm{grad}^\mathrm{L2}_{1 s}$"),
        ("grad_int_p_dot", r"$\mathrm{grad}^\mathrm{dot}_{\int p}$"),
        ("omit_3", r"$\mathrm{omit}_3$"),
        ("occ_7", r"$\mathrm{occ}_7$"),
        ("limsse_bb", r"$\mathrm{limsse}^\mathrm{bb}$"),
        ("limsse_ms_s", r"$\mathrm{limsse}^\mathrm{ms}_s$"),
        ("limsse_ms_p", r"$\mathrm{limsse}^\mathrm{ms}_p$"),
        ("random", r"$\mathrm{random}$"),
        ("a_b", r"\texttt{a\_b}"),
    ],
)
def test_method_names_as_in_the_paper(name, shown):
    assert latex.method(name) == shown
