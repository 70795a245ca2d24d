"""Words in the terminal stay words."""

import io
import math

from rich.color import Color
from rich.console import Console

from whichword.render import terminal
from whichword.render.heatmap import COLOUR_BLIND, WordCell, heatmap


def printed(text) -> str:
    sink = io.StringIO()
    Console(file=sink, force_terminal=True, color_system="truecolor", width=200, legacy_windows=False).print(text)
    return sink.getvalue()


def test_words_are_escaped_and_markup_is_text():
    text = terminal.heatmap(heatmap(["[bold]x", "\x1b[31m", "c"], [0, 0, 0]))
    assert text.plain == r"[bold]x \x1b[31m c"
    assert "\x1b" not in printed(text)


def test_line_ends_stay_and_other_controls_are_spelled_out():
    words = ["a", "b", "c", "d"]
    text = terminal.heatmap(heatmap(words, [1, 0, 0, 0], text="\na\r\n\n b\tc\x1b\u202ed \n"))
    assert text.plain == "\na\n\n b\\tc\\x1b\\u202ed \n"
    assert [text.plain[span.start : span.end] for span in text.spans] == ["a"]
    assert "\x1b[0m\n" in printed(text)


def test_words_side_by_side():
    assert terminal.heatmap(heatmap(["do", "n't"], [1, 0], text="don't")).plain == "don't"


def test_styles():
    [span] = terminal.heatmap([WordCell("a", 1.0, 0.0, 0.5, bold=True, underlined=True, italic=True)]).spans
    style = span.style
    assert (style.bold, style.underline, style.italic) == (True, True, True)
    assert style.bgcolor == Color.from_rgb(0, 68, 0)
    assert style.color == Color.from_rgb(255, 255, 255)


def test_light_page_and_other_palette():
    cells = [WordCell("a", -1.0, 1.0, 0.0, bold=False, underlined=False, italic=False)]
    [span] = terminal.heatmap(cells, COLOUR_BLIND, dark=False).spans
    assert span.style.bgcolor == Color.from_rgb(196, 83, 0)
    assert span.style.color == Color.from_rgb(0, 0, 0)
    assert span.style.bold is None
    [faint] = terminal.heatmap([WordCell("a", 1.0, 0.0, 0.2, False, False, False)], dark=False).spans
    assert faint.style.bgcolor == Color.from_rgb(204, 231, 204)


def test_not_finite_is_named_and_uncoloured():
    text = terminal.heatmap(heatmap(["a", "b"], [math.nan, 0.0]))
    assert text.plain == "a{nan} b"
    assert all(span.style.bgcolor is None for span in text.spans)


def test_stacked_aligns_names():
    text = terminal.stacked({"lrp": heatmap(["a"], [0]), "omit_1\x1b": heatmap(["b"], [0])})
    assert text.plain.split("\n") == ["lrp         a", r"omit_1\x1b  b"]


def test_only_names_are_dim():
    text = terminal.stacked({"lrp": heatmap(["a"], [1])})
    assert str(text.style) == ""
    assert text.plain[text.spans[0].start : text.spans[0].end] == "lrp  "
    assert "\x1b[2mlrp  \x1b[0m" in printed(text)
    assert "2;38" not in printed(text)  # dim, then a colour


def test_stacked_without_rows_is_empty():
    assert terminal.stacked({}).plain == ""


SHADES = [1.0, 0.5, 0.2, 0.01, -1.0, -0.4]


def test_256_colours_have_shades_that_rich_need_not_round():
    cells = heatmap(list("abcdef"), SHADES, rmax=0)
    backgrounds = [span.style.bgcolor for span in terminal.heatmap(cells, colours="256").spans]
    assert [colour.triplet for colour in backgrounds] == [
        (0, 175, 0),
        (0, 135, 0),
        (0, 95, 0),
        (175, 0, 0),
        (135, 0, 0),
    ]
    sink = io.StringIO()
    console = Console(file=sink, force_terminal=True, color_system="256", width=200, legacy_windows=False)
    console.print(terminal.heatmap(cells, colours=console.color_system))
    assert all(f"48;5;{number}m" in sink.getvalue() for number in (34, 28, 22, 124, 88))


def test_without_colours_signs_tell():
    text = terminal.stacked({"lrp": heatmap(list("abcdef"), SHADES, rmax=0)}, colours=None)
    assert text.plain == "lrp  a{+++!} b{++} c{+} d e{---} f{--}"
    assert all(span.style.bgcolor is None for span in text.spans if span.style != "dim")
    assert terminal.heatmap(heatmap(["a"], [math.nan]), colours="standard").plain == "a{nan}"
