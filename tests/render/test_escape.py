"""Each sink's escape function against an independent reader of that sink."""

import csv
import io
import json
import re
import unicodedata

import html5lib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whichword.render import escape

ANY_TEXT = st.text(st.characters(), max_size=20)  # surrogates included


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("<b>", "&lt;b&gt;"),
        ("&amp;", "&amp;amp;"),
        ("\"'", "&quot;&#39;"),
        ("a\rb", "a&#13;b"),
        ("a\x00b\ud800c\udfff", "a\ufffdb\ufffdc\ufffd"),
        ("plain é 语 \u202e", "plain é 语 \u202e"),
    ],
)
def test_html(text, safe):
    assert escape.html(text) == safe


@given(ANY_TEXT)
def test_html_attribute_round_trip(text):
    tree = html5lib.parseFragment(f'<i title="{escape.html(text)}"></i>', namespaceHTMLElements=False)
    assert len(tree) == 1
    assert tree[0].get("title") == re.sub("[\x00\ud800-\udfff]", "\ufffd", text)


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        (r"\end{x}", r"\textbackslash{}end\{x\}"),
        ("$&#%_", r"\$\&\#\%\_"),
        ("^~", r"\textasciicircum{}\textasciitilde{}"),
        ("<|>", r"\textless{}\textbar{}\textgreater{}"),
        ("\"'`", r"\textquotedbl{}\textquotesingle{}\textasciigrave{}"),
        ("--", "-{}-{}"),
        (",,?`!`", r",{},{}?{}\textasciigrave{}!{}\textasciigrave{}"),
        ("[*]", "{[}{*}{]}"),
        ("a\n\nb", r"a\textbackslash{}n\textbackslash{}nb"),
    ],
)
def test_latex(text, safe):
    assert escape.latex(text) == safe


@given(ANY_TEXT)
def test_latex_is_balanced_on_one_line_and_has_only_known_commands(text):
    out = escape.latex(text)
    commands = ("textbackslash", "textasciicircum", "textasciitilde", "textless", "textgreater", "textbar")
    commands += ("textquotedbl", "textquotesingle", "textasciigrave")
    for command in commands:
        out = out.replace(f"\\{command}{{}}", "")
    for mark in "{}$&#%_":
        out = out.replace(f"\\{mark}", "")
    for group in ("{}", "{[}", "{]}", "{*}"):
        out = out.replace(group, "")
    assert not set(out) & set("\\{}$&#%_^~\n\r")


@pytest.mark.parametrize("start", list("=+-@\t\r\n＝＋－＠"))
def test_csv_formula_gets_an_apostrophe(start):
    assert escape.csv_cell(start + "1").strip('"') == "'" + start + "1"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("plain", "plain"),
        ("", ""),
        ("a,b", '"a,b"'),
        ('say "x"', '"say ""x"""'),
        ("a\nb", '"a\nb"'),
        ("a\rb", '"a\rb"'),
        ("a=1", "a=1"),
        ('=1,"', '"\'=1,"""'),
    ],
)
def test_csv_cell(text, cell):
    assert escape.csv_cell(text) == cell


@given(st.lists(ANY_TEXT, min_size=2, max_size=4))
def test_csv_round_trip(texts):
    [row] = csv.reader(io.StringIO(escape.csv_row(texts), newline=""), strict=True)
    assert len(row) == len(texts)
    for text, cell in zip(texts, row, strict=True):
        assert cell in (text, "'" + text)
        assert not cell.startswith(tuple("=+-@\t\r"))


def test_csv_row_leaves_numbers_alone():
    assert escape.csv_row([-0.5, 3, None, np.float64(-0.5), "-0.5"]) == "-0.5,3,,-0.5,'-0.5\r\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", r"\x1b[31m"),
        ("\x9b31m", r"\x9b31m"),
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("\x7f\x00", r"\x7f\x00"),
        ("\u202eabc\u2066", r"\u202eabc\u2066"),
        ("\u200b\ufeff", r"\u200b\ufeff"),
        ("\u2028\u2029", r"\u2028\u2029"),
        ("\ud83d", r"\ud83d"),
        ("\U000e0041", r"\U000e0041"),
        ("نمی\u200cخواهم 👩\u200d🔬 é", "نمی\u200cخواهم 👩\u200d🔬 é"),
    ],
)
def test_terminal(text, shown):
    assert escape.terminal(text) == shown


@given(ANY_TEXT)
def test_terminal_hides_nothing(text):
    shown = escape.terminal(text)
    assert not {unicodedata.category(mark) for mark in shown if mark not in "\u200c\u200d"} & {
        "Cc",
        "Cf",
        "Cs",
        "Zl",
        "Zp",
    }


def test_markdown():
    assert escape.markdown("a|b <i>*x*</i> &amp;\n") == r"a\|b &lt;i&gt;\*x\*&lt;/i&gt; &amp;amp;\\n"


@given(st.dictionaries(ANY_TEXT, ANY_TEXT, max_size=3))
def test_script_ends_no_element_and_reads_back(value):
    text = escape.script(value)
    assert json.loads(text) == value
    assert not set(text) & set("<>&\u2028\u2029")


def test_script():
    assert escape.script({"a": ["</script>", 1]}) == '{"a":["\\u003c/script\\u003e",1]}'
    with pytest.raises(ValueError, match="JSON"):
        escape.script([float("nan")])


@pytest.mark.parametrize("sink", [escape.html, escape.latex, escape.csv_cell, escape.terminal, escape.markdown])
def test_letters_and_digits_are_left_alone(sink):
    plain = "XYZ abcdefghijklmnopqrstuvwxyz 0123456789 é 语"
    assert sink(plain) == plain


def test_every_mark_of_markdown_is_escaped():
    for mark in r"\`*_{}[]()#+-.!|~^=:$@":
        assert escape.markdown(mark) == "\\" + mark


def test_script_leaves_letters_alone():
    assert escape.script("XYZ") == '"XYZ"'
