"""The page's text equals the words, whatever they hold."""

import math
import random

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whichword.render import html
from whichword.render.heatmap import COLOUR_BLIND, PAPER, WordCell, heatmap
from whichword.text import tokenize

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
    assert {child.tag for child in division} <= {"span", "bdi"}
    assert all(len(child) == 0 for child in division)
    assert {name for child in division for name in child.attrib} <= {"style", "title", "dir"}
    return ["".join(child.itertext()) for child in division.iter("span")]


def whole(markup: str) -> str:
    """All text of the heat map."""
    return "".join(html5lib.parseFragment(markup, namespaceHTMLElements=False).itertext())


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


HOSTILE = st.lists(st.sampled_from([piece for piece in PIECES if not set(piece) & {"\x00", "\ud800"}]), max_size=30)
WHITE = st.sampled_from(["", " ", "\n", "\n\n", "\t", "\r\n", "\u2028", "\u3000", " \x0b "])


@given(HOSTILE, WHITE, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_text_of_a_heat_map_is_the_text_as_it_was_written(pieces, white, draw):
    text = white + "".join(piece + draw.choice(["", white]) for piece in pieces)
    words = tokenize(text)[0]
    markup = html.heatmap(heatmap(words, [draw.uniform(-1, 1) for _ in words], text=text))
    assert texts(markup) == list(words)
    assert whole(markup) == (text if words else "")


@given(st.lists(st.tuples(st.sampled_from(PAYLOADS), st.text(max_size=5)), min_size=1, max_size=8), st.text(max_size=5))
@settings(deadline=None)
def test_whatever_stands_between_the_words_is_text(pairs, tail):
    """Words need not cover their text: then gaps hold anything."""
    text = "".join(gap + word for word, gap in pairs) + tail
    words = [word for word, _ in pairs]
    markup = html.heatmap(heatmap(words, [0.0] * len(words), text=text))
    assert texts(markup) == words
    assert whole(markup) == (text or " ".join(words)).replace("\x00", "\ufffd")


def test_a_gap_with_bidi_controls_is_kept_to_itself():
    assert html.heatmap([cell("a", gap="\u202e<", tail="\u2066")]).endswith(
        '<bdi>\u202e&lt;</bdi><span title="0">a</span><bdi>\u2066</bdi></div>'
    )


def test_one_word_in_full():
    markup = html.heatmap([cell("a<b", phi=0.25, green=0.5, bold=True, underlined=True, italic=True)])
    assert (
        '<span title="0.25" style="background:rgba(0,137,0,0.500);font-weight:bold;text-decoration:underline;'
        'font-style:italic">a&lt;b</span>'
    ) in markup


def test_plain_word_has_no_style():
    assert html.heatmap([cell("a"), cell("b", gap=" ")]).endswith(
        '<span title="0">a</span> <span title="0">b</span></div>'
    )


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
