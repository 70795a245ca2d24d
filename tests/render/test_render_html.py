"""The page's text equals the words, whatever they hold."""

import math
import random

import html5lib
import pytest

from whichword.render import html
from whichword.render.heatmap import WordCell, heatmap
from whichword.render.palette import COLOUR_BLIND, PAPER

PAYLOADS = [
    "<script>alert(1)</script>",
    "</span></div><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)',
    "' style='x",
    "<!--",
    "]]>",
    "&lt;script&gt;",
    "&#60;",
    "&notit;",
    "<![CDATA[",
    "<svg/onload=alert(1)>",
    "</title><textarea>",
    "{{7*7}}",
    "\u202egnp.exe",
    "\r\n",
    "\x0c",
    "",
    " ",
    "\ufeff",
    "\x85",
]
PIECES = [
    *PAYLOADS,
    "<",
    ">",
    "&",
    '"',
    "'",
    "/",
    "=",
    "`",
    "a",
    "é",
    "语",
    "\x00",
    "\x1b",
    "\x80",
    "\ud800",
    "\u2028",
    "\U0001f600",
]


def texts(markup: str) -> list[str]:
    """The text of each span, by a real parser that must find nothing but the spans."""
    tree = html5lib.parseFragment(markup, namespaceHTMLElements=False)
    [division] = list(tree)
    assert division.tag == "div"
    assert {child.tag for child in division} <= {"span"}
    assert all(len(child) == 0 for child in division)
    assert {name for child in division for name in child.attrib} <= {"style", "title", "dir"}
    return ["".join(child.itertext()) for child in division]


def cell(word: str, **changes) -> WordCell:
    return WordCell(
        **{
            "word": word,
            "phi": 0.0,
            "red": 0.0,
            "green": 0.0,
            "bold": False,
            "underlined": False,
            "italic": False,
            **changes,
        }
    )


def test_ten_thousand_hostile_words_round_trip():
    draw = random.Random(20180715)
    words = PAYLOADS + ["".join(draw.choices(PIECES, k=draw.randint(1, 4))) for _ in range(10_000)]
    relevances = [draw.uniform(-1, 1) for _ in words]
    shown = [word.replace("\x00", "\ufffd").replace("\ud800", "\ufffd") for word in words]
    assert texts(html.heatmap(heatmap(words, relevances))) == shown


def test_one_word_in_full():
    markup = html.heatmap([cell("a<b", phi=0.25, green=0.5, bold=True, underlined=True, italic=True)])
    assert (
        '<span title="0.25" style="background:rgba(0,137,0,0.500);font-weight:bold;text-decoration:underline;'
        'font-style:italic">a&lt;b</span>'
    ) in markup


def test_plain_word_has_no_style():
    assert html.heatmap([cell("a"), cell("b")]).endswith('<span title="0">a</span> <span title="0">b</span></div>')


def test_against_is_red_and_palettes_differ():
    against = [cell("a", phi=-1.0, red=0.25)]
    assert "rgba(236,0,0,0.250)" in html.heatmap(against, PAPER)
    assert "rgba(196,83,0,0.250)" in html.heatmap(against, COLOUR_BLIND)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_not_finite_is_outlined_and_named(value):
    markup = html.heatmap(heatmap(["a"], [value]))
    assert f'title="{value:g}"' in markup
    assert 'style="outline:1px dashed">a<' in markup
    assert "background" not in markup


def test_only_bidi_controls_are_isolated():
    assert '<span dir="auto"' in html.heatmap([cell("\u202ex")])
    assert "<span title" in html.heatmap([cell("שלום")])


def test_stacked_rows_names_and_remarks_are_text():
    markup = html.stacked({"<m>": [cell("a")], "lrp": [cell("b")]}, remarks={"<m>": "<r>"})
    tree = html5lib.parseFragment(markup, namespaceHTMLElements=False)
    assert [head.text for head in tree.iter("th")] == ["<m>", "lrp"]
    assert [span.text for span in tree.iter("span")] == ["a", "b"]
    assert [note.text for note in tree.iter("small")] == ["<r>"]
    assert markup.count("<tr>") == 2
    assert "".join(tree.itertext()) == "<m>a<r>lrpb"  # and nothing else


def test_stacked_passes_the_palette_on():
    assert "rgba(0,122,190,0.500)" in html.stacked({"m": [cell("a", green=0.5)]}, COLOUR_BLIND)


def test_layout_of_the_flow():
    opening = '<div class="whichword-heatmap" dir="auto" style="white-space:pre-wrap;line-height:1.7">'
    assert html.heatmap([]) == f"{opening}</div>"
