"""Where words stand in their text: words and gaps are the whole text, parts and heads are slices of it."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from whichword.errors import InputError
from whichword.text import tokenize
from whichword.text.places import gaps, head, parts, places, spans
from whichword.types import Document, Item, Text

PIECES = [*"ab.,'\"()<&\\ \n\t\r\u2028\u202e\u0301é😀", "don't", "..."]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def rebuilt(document) -> str:
    between = gaps(document)
    assert len(between) == len(document.words) + 1
    return "".join(gap + word for gap, word in zip(between, (*document.words, ""), strict=True))


@settings(deadline=None)
@given(TEXTS)
@example("")
@example(" \n ")
@example("a aa aaa a")
def test_words_and_gaps_are_the_text(text):
    written = Text(tokenize(text)[0], text)
    assert rebuilt(written) == written.text == text
    assert [text[start:stop] for start, stop in spans(written)] == list(written.words)
    assert not "".join(gaps(written)).strip()


@pytest.mark.parametrize("kind", [lambda words: Document("k", words, "x"), lambda words: Item("k", words)])
def test_words_alone_are_joined_by_spaces(kind):
    written = kind(("to", "be", ",", "or"))
    assert written.text == "to be , or"
    assert places(written) == [0, 3, 6, 8]


def test_a_word_that_does_not_stand_in_the_text_is_refused():
    with pytest.raises(InputError, match="'b' does not stand in the text after character 3"):
        places(Text(("b", "a", "b"), "b a"))


@settings(deadline=None)
@given(TEXTS)
def test_parts_are_slices_between_their_words(text):
    words, starts = tokenize(text)
    cut = parts(Text(words, text), starts or (0,))
    assert [word for part in cut for word in part.words] == list(words)
    assert all(part.text == part.text.strip() and part.text in text for part in cut)
    assert [gap for part in cut for gap in gaps(part)[1:-1]] == [
        gap for t, gap in enumerate(gaps(Text(words, text))[:-1]) if t not in starts
    ]


def test_a_part_without_a_word_is_left_out():
    written = Text(("a", "b"), "<a>, b!")
    assert parts(written, (0, 1, 1, 2)) == [Text(("a",), "a"), Text(("b",), "b")]
    assert parts(Text((), " "), (0,)) == []


@pytest.mark.parametrize(
    ("size", "expected"), [(None, " a, b \n"), (3, " a, b \n"), (9, " a, b \n"), (2, " a,"), (1, " a"), (0, "")]
)
def test_head_ends_with_its_last_word(size, expected):
    assert head(Text(("a", ",", "b"), " a, b \n"), size) == expected


def test_words_that_were_joined_by_spaces_stand_where_they_were_put() -> None:
    for words in (("a", "", "b"), ("a", " ", " b"), ("", "", ""), (" ",), ("a",), ()):
        joined = Text(words, " ".join(words))
        between = ["", *[" "] * (len(words) - 1), ""] if words else [""]
        assert gaps(joined) == between
        assert [joined.text[start:end] for start, end in spans(joined)] == list(words)
