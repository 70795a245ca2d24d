"""Words are slices of their text, NLTK's words, and the vocabulary is a strict text file."""

import re
import subprocess
import sys
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nltk.tokenize import NLTKWordTokenizer
from nltk.tokenize.punkt import PunktSentenceTokenizer, PunktTokenizer

from whichword.errors import InputError
from whichword.text import (
    Vocabulary,
    content_key,
    distinct_keys,
    sentence_model,
    split_sentences,
    tokenize,
    words,
)

ANY = st.text(max_size=80)
# Pieces that NLTK's rules are about, so that short examples meet many of them.
PIECES = ["n't", "'s", "'ll", "''", "``", "--", "cannot", "wanna", "'tis", "more'n", "d'ye", "...", "Mr. ", 'so." ']
AWKWARD = st.lists(
    st.sampled_from([*"ab1S.,:;'\"`()[]{}<>?!*-@$%&#»”’«“‘„–—/_é \n\t\u2028\x1c\x85\u0000 .", *PIECES]),
    max_size=25,
).map("".join)


@given(st.one_of(ANY, AWKWARD))
@example('He said "no." \u2028Then\x1c he left.')
@example("'' \"\"''' ``\"")
@settings(max_examples=300, deadline=None)
def test_words_cover_all_text_in_order(text):
    found = words(text)
    assert all(token.word == text[token.start : token.end] and token.word for token in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
    covered = {place for token in found for place in range(token.start, token.end)}
    assert covered == {place for place, character in enumerate(text) if not character.isspace()}
    assert tokenize(text)[0] == tuple(token.word for token in found)


@given(st.one_of(ANY, AWKWARD))
@settings(max_examples=300, deadline=None)
def test_sentences_cover_all_text_and_start_at_words(text):
    spans = split_sentences(text)
    assert all(text[start:end] == text[start:end].strip() != "" for start, end in spans)
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())
    found, starts = tokenize(text)
    assert len(starts) == len(spans)
    assert list(starts) == sorted(set(starts))
    assert all(start < len(found) for start in starts)
    assert starts[:1] == ((0,) if found else ())


@cache
def punkt():
    """NLTK's own, with the patterns it comes with."""
    return PunktTokenizer("english") if "tab" in sentence_model() else PunktSentenceTokenizer()


@given(
    st.lists(
        st.sampled_from(
            ["Mr. ", "Smith", "e.g. ", "U.S. ", "end. ", "It ", "is ", 'so." ', "!? ", "... ", "3.5 ", "\n"]
        )
    )
)
@settings(max_examples=300, deadline=None)
def test_sentences_are_those_of_punkt(pieces):
    text = "".join(pieces)
    theirs = [text[start:end].strip() for start, end in punkt().span_tokenize(text)]
    assert [text[start:end] for start, end in split_sentences(text)] == [sentence for sentence in theirs if sentence]


def test_a_text_without_words_has_no_sentence():
    assert tokenize(" \n\u2028 ") == ((), ())


def as_nltk(sentence):
    """NLTK's own words; a rewritten quote is given its original characters by counting along the text."""
    found, rest = [], sentence
    for token in NLTKWordTokenizer().tokenize(sentence):
        rest = rest.lstrip()
        size = next(len(old) for old in (token, '"', "''") if rest.startswith(old))
        found.append(rest[:size])
        rest = rest[size:]
    return tuple(found)


# NLTK cuts a's' differently before a space and before a line end; here both are white space. And NLTK from 3.10 on
# does not call the control characters 1c to 1f white space, as Python does.
QUIRK = re.compile(r"('[smd]|'ll|'re|'ve|n't)'|[\x1c-\x1f]", re.IGNORECASE)


@given(AWKWARD)
@example("See Mr. Smith's (re-)view: it's 3,000.5 \"good\", isn't it?\n")
@example("My source (I cannot say who) is Columbus.\n\n)")
@example('He said: "I gotta go." ”')
@settings(max_examples=700, deadline=None)
def test_words_of_a_sentence_are_those_of_nltk(text):
    for start, end in split_sentences(text):
        if not QUIRK.search(text[start:end]):
            found = tuple(token.word for token in words(text) if start <= token.start < end)
            assert found == as_nltk(text[start:end])


def test_quotes_keep_their_characters():
    assert tokenize("Say \"yes\", don't say ``no''. It's over.") == (
        ("Say", '"', "yes", '"', ",", "do", "n't", "say", "``", "no", "''", ".", "It", "'s", "over", "."),
        (0, 12),
    )


def test_sentence_model_is_named():
    assert sentence_model() in ("punkt_tab english", "punkt untrained")


def test_untrained_model_without_nltk_data(tmp_path):
    code = "from whichword.text import *; print(sentence_model(), len(split_sentences('One day. Two days.')))"
    environment = {"NLTK_DATA": str(tmp_path), "HOME": str(tmp_path), "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0] == "punkt untrained 2"


def test_nltk_is_loaded_when_it_is_needed():
    look = "print('nltk' in sys.modules);"
    code = f"import sys; from whichword.text import tokenize; {look} tokenize('a'); {look}"
    environment = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_vocabulary_is_most_frequent_first_and_ties_do_not_depend_on_order():
    documents = [["b", "a", "c", "c"], ["d", "b", ""], ["x\ny", "\ud800", "z\r", "\ufeffz"]]
    built = Vocabulary.build(documents, size=3)
    assert built == Vocabulary.build(documents[::-1], size=3)
    assert built.words == ("b", "c", "a")
    assert Vocabulary.build(documents).words == ("b", "c", "a", "d")
    assert built.ids(["c", "d", "b"]) == [1, 3, 0]
    assert len(built) == 4
    assert "a" in built
    assert "d" not in built


def is_a_line(word):
    return "\n" not in word and not word.endswith("\r") and not word.startswith("\ufeff")


@given(st.lists(st.text(min_size=1, max_size=5).filter(is_a_line), unique=True))
@example(["\ra", "a\ufeff", "\u2028", "\x85", " "])
@settings(deadline=None)
def test_vocabulary_round_trip(tmp_path_factory, kept):
    path = tmp_path_factory.mktemp("vocabulary") / "vocabulary.txt"
    Vocabulary(tuple(kept)).save(path)
    assert Vocabulary.load(path) == Vocabulary(tuple(kept))
    assert path.read_bytes().count(b"\n") == len(kept)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a\nb\na\n", r"v.txt:3: 'a' is also on line 1"),
        (b"a\n\nb\n", r"v.txt:2: an empty line"),
        (b"a\nb\xff\n", r"v.txt:2: not UTF-8"),
        (b"a\nb", r"v.txt:2: the line has no end"),
        (b"a\r\nb\r\n", r"v.txt:1: the line ends with .r.n"),
        (b"a\nb\r\nc\n", r"v.txt:2: the line ends with .r.n"),
        (b"\xef\xbb\xbfa\nb\n", r"v.txt:1: starts with a byte order mark"),
        (None, r"v.txt: cannot be read"),
    ],
)
def test_broken_vocabulary_is_refused_with_its_line(tmp_path, content, message):
    path = tmp_path / "v.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        Vocabulary.load(path)


@pytest.mark.parametrize("bad", [("a", "a"), ("",), ("a\nb",), ("\ud800",), ("a\r",), ("\ufeffa",)])
def test_vocabulary_refuses_words_it_cannot_keep(bad):
    with pytest.raises(InputError, match="vocabulary: word"):
        Vocabulary(bad)


def test_keys_depend_on_content_and_on_where_its_parts_end():
    assert content_key("a", "b") == content_key("a", "b")
    assert len({content_key("ab", "c"), content_key("a", "bc"), content_key("abc"), content_key("abc", "")}) == 4
    assert re.fullmatch("[0-9a-f]{32}", content_key("é"))


def test_repeated_contents_get_distinct_keys():
    assert distinct_keys(["k", "j", "k", "k"]) == ["k", "j", "k-2", "k-3"]
