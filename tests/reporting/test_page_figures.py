"""Figures from a run: the words are all there, in order, in every format."""

import sys
import xml.etree.ElementTree as ElementTree
from itertools import groupby, pairwise

import numpy as np
import pytest
from synthetic_run import Recipe, make_run

from whichword.errors import InputError
from whichword.render.heatmap import COLOUR_BLIND, PAPER, heatmap
from whichword.reporting.figures import DRAWINGS, SPACE, WIDTH, figure, placed, width
from whichword.runs.run import open_run

SVG = "{http://www.w3.org/2000/svg}"
WORDS = ("plain", "<b>", "&amp;", "\x07bell", "语言", "a_b", "\u202eodd", "x" * 70)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    recipe = Recipe(documents=8, methods=("lrp", "omit_1", "decomp"), words=WORDS, broken="omit_1", length=40)
    return open_run(make_run(tmp_path_factory.mktemp("run"), recipe))


def test_rows_are_the_runs_relevances(run):
    found = figure(run, "key00003", ["decomp", "lrp"])
    item = run.items("s00")[3]
    assert list(found.rows) == ["decomp", "lrp"]
    assert [cell.word for cell in found.rows["lrp"]] == list(item.words)
    values = next(one.values for one in run.relevances("p00") if (one.key, one.method) == (item.key, "lrp"))
    assert [cell.phi for cell in found.rows["lrp"]] == pytest.approx(values.tolist())
    assert [cell.bold for cell in found.rows["lrp"]].index(True) == int(np.argmax(values))
    said = run.predictions("p00")[item.key]
    assert [cell.underlined for cell in found.rows["lrp"]] == [label == said.predicted for label in item.labels]
    assert [cell.italic for cell in found.rows["lrp"]] == list(said.unknown)


def test_all_methods_unless_some_are_named(run):
    assert list(figure(run, "key00000").rows) == ["lrp", "omit_1", "decomp", "random", "last"]


def test_svg_is_xml_with_every_word_inside_the_picture(run):
    made = figure(run, "key00005", ["lrp", "omit_1"])
    root = ElementTree.fromstring(DRAWINGS["svg"](made, PAPER))
    texts = [node.text for node in root.iter(f"{SVG}text")]
    words = [cell.word for cell in made.rows["lrp"]]
    spelled = {"\x07bell": "\\x07bell", "\u202eodd": "\\u202eodd"}
    shown = [spelled.get(word, word) for word in words]
    marked = [
        text + (f"{{{cell.remark}}}" if cell.remark else "")
        for text, cell in zip(shown, made.rows["omit_1"], strict=True)
    ]
    assert texts == ["lrp", *shown, "omit_1", *marked]
    for node in root.iter(f"{SVG}text"):
        assert float(node.get("x")) + float(node.get("textLength")) <= WIDTH or len(node.text) > 60
        assert float(node.get("y")) <= float(root.get("height"))


GAPS = ("", " ", "\n", "\n\n\n", "«")


def test_svg_has_the_texts_lines_and_no_space_where_there_is_none(tmp_path):
    recipe = Recipe(documents=3, methods=("lrp",), words=("a", "bb"), length=30, gaps=GAPS)
    run = open_run(make_run(tmp_path / "run", recipe))
    for item in run.items("s00"):
        root = ElementTree.fromstring(DRAWINGS["svg"](figure(run, item.key, ["lrp"]), PAPER))
        _, *nodes = root.iter(f"{SVG}text")
        by_line = {y: list(group) for y, group in groupby(nodes, key=lambda node: node.get("y"))}
        lines = [line.replace(" ", "") for line in item.text.split("\n") if line.strip()]
        assert ["".join(node.text for node in group) for group in by_line.values()] == lines
        _, *boxes = [
            {name: float(box.get(name, "0").strip("%")) for name in ("x", "y", "width")}
            for box in root.iter(f"{SVG}rect")
        ]
        for box, following in pairwise(boxes):  # no box covers a part of the one before
            assert box["y"] < following["y"] or box["x"] + box["width"] <= following["x"] + 0.11


def test_an_empty_line_is_left_where_the_text_has_one():
    cells = heatmap(["a", "b", "c"], [0, 0, 0], text="\n\na\nb\n\n\n\nc\n")
    assert [(word.piece.text, word.line) for word in placed(cells, 10.0, 99.0)] == [("a", 0), ("b", 1), ("c", 3)]


def test_words_without_a_gap_stay_on_one_line_if_they_fit_there():
    cells = heatmap(["www", "do", "n't"], [0, 0, 0], text="www don't")
    full, glued = width("www") + SPACE, width("do") + width("n't")
    places = [(word.x, word.line) for word in placed(cells, 0.0, full + glued - 1)]
    assert places == [(0.0, 0), (0.0, 1), (width("do"), 1)]
    assert [word.line for word in placed(cells, 0.0, full + glued)] == [0, 0, 0]
    assert [word.line for word in placed(cells, 0.0, glued - 1)] == [0, 1, 2]


def test_svg_boxes_have_the_palettes_colours(run):
    made = figure(run, "key00001", ["lrp"])
    paper, other = (DRAWINGS["svg"](made, palette) for palette in (PAPER, COLOUR_BLIND))
    assert paper != other
    strongest = max(cell.green for cell in made.rows["lrp"])
    blended = [round(strongest * hue + (1 - strongest) * 255) for hue in PAPER.positive]
    assert f"rgb({','.join(map(str, blended))})" in paper


def test_latex(run):
    text = DRAWINGS["latex"](figure(run, "key00001", ["lrp"]), PAPER)
    assert text.startswith("% document key00001, lstm predicts ")
    assert r"\begin{tabular}" in text
    assert r"$\mathrm{lrp}$ & " in text


def test_png(run):
    pytest.importorskip("resvg_py")
    data = DRAWINGS["png"](figure(run, "key00001", ["lrp"]), PAPER)
    assert data.startswith(b"\x89PNG\r\n")
    assert int.from_bytes(data[16:20], "big") == 2 * WIDTH


def test_png_without_its_extra_is_one_clear_line(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(InputError, match=r"pip install .*\[figures\]"):
        DRAWINGS["png"](figure(run, "key00001", ["lrp"]), PAPER)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"document": "absent"}, "no document has the key"),
        ({"document": ""}, "no document has the key"),
        ({"document": "key"}, "8 documents have keys that begin with"),
        ({"document": "key00001", "methods": ["lrb"]}, "'lrb' is no method"),
        ({"document": "key00001", "model": "gru"}, "no model 'gru'"),
        ({"document": "key00001", "part": "hit_target"}, "no part 'hit_target'"),
    ],
)
def test_what_is_not_there_is_said(run, asked, said):
    with pytest.raises(InputError, match=said):
        figure(run, **asked)


def test_unknown_format():
    with pytest.raises(InputError, match="did you mean svg"):
        DRAWINGS["svgz"]


def test_command_line(run, tmp_path):
    from typer.testing import CliRunner

    import whichword.cli.commands
    from whichword.cli.app import app

    assert whichword.cli.commands
    call = ["figure", str(run.folder), "--document", "key00002", "-m", "lrp", "--format"]
    said = CliRunner().invoke(app, [*call, "latex"])
    assert said.exit_code == 0
    assert r"\begin{tabular}" in said.output
    written = CliRunner().invoke(app, [*call, "svg", "--out", str(tmp_path / "f.svg")])
    assert written.exit_code == 0
    assert (tmp_path / "f.svg").read_text("utf8").startswith("<svg")
