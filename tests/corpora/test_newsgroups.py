"""20 newsgroups: what is stripped, what is dropped, and how the official test set is halved."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whichword.corpora import counts_line, read_corpus
from whichword.corpora.newsgroups import raw_post, stripped, without_footer, without_header, without_quotes
from whichword.errors import InputError

DATA = pytest.mark.skipif("WHICHWORD_DATA" not in os.environ, reason="WHICHWORD_DATA is not set")

POST = """From: a@b.c
Subject: engines

In article <1@x> someone writes:
> old words
| older words
My own words, at last.
He said: nothing.

More of mine.
--
A. Signature
"""


def test_header_footer_and_quotes_are_removed():
    assert stripped(POST) == "My own words, at last.\n\nMore of mine."


def test_a_footer_needs_a_line_above_it():
    assert without_footer("\n\nwords\nmore\n") == "\n\nwords\nmore\n"
    assert without_footer("words\n \n\nsignature\n\n\n") == "words\n "
    assert without_footer("words\n---\n") == "words"


PIECES = [
    "From: x",
    "",
    " ",
    "--",
    "-- ",
    ">a",
    " >a",
    "|",
    "In article",
    "x In article",
    "he writes:",
    "wrote:",
    "a-b",
]
POSTS = st.lists(st.sampled_from([*PIECES, "text \r", "\u2028", "says: x", "Quoted from y"]), max_size=12)


@given(POSTS.map("\n".join))
@settings(max_examples=500, deadline=None)
def test_the_rules_are_those_of_scikit_learn(post):
    theirs = pytest.importorskip("sklearn.datasets._twenty_newsgroups")
    assert without_header(post) == theirs.strip_newsgroup_header(post)
    assert without_footer(post) == theirs.strip_newsgroup_footer(post)
    assert without_quotes(post) == theirs.strip_newsgroup_quoting(post)


@pytest.fixture
def folder(tmp_path):
    for part, posts in (("train", 6), ("test", 20)):
        for group in ("sci.med", "alt.atheism"):
            place = tmp_path / f"20news-bydate-{part}" / group
            place.mkdir(parents=True)
            for number in range(posts):
                text = f"Subject: x\n\n{group} number {number} here. \xc9 is one letter.\n"
                (place / str(number)).write_bytes(text.encode("latin-1"))
    (tmp_path / "20news-bydate-train/sci.med/99").write_text("Subject: nothing\n\n> only a quotation\n")
    return tmp_path


def test_reading(folder):
    corpus = read_corpus("20newsgroups", folder)
    assert corpus.classes == ("alt.atheism", "sci.med")
    assert [len(part) for part in (corpus.train, corpus.heldout, corpus.test)] == [12, 20, 20]
    assert counts_line(corpus.record) == "53 accepted + 0 rejected = 53 seen; dropped: 1 empty posts"
    assert corpus.train[0].words == ("alt.atheism", "number", "0", "here", ".", "É", "is", "one", "letter", ".")
    assert corpus.train[0].starts == (0, 5)
    assert "Subject" not in {word for document in corpus.test for word in document.words}


def test_the_official_test_set_is_halved_by_the_seed(folder):
    one, same, other = (read_corpus("20newsgroups", folder, seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert {d.key for d in one.test} != {d.key for d in other.test}
    assert {d.key for d in one.test + one.heldout} == {d.key for d in other.test + other.heldout}


def test_missing_folders_are_said_in_one_line(tmp_path):
    with pytest.raises(InputError, match=r"^corpus 20newsgroups is not in .*: no 20news-bydate-train and .*fetch it"):
        read_corpus("20newsgroups", tmp_path)


def test_parts_must_have_the_same_groups(folder):
    (folder / "20news-bydate-test/sci.space").mkdir()
    with pytest.raises(InputError, match="its groups are not those of"):
        read_corpus("20newsgroups", folder)


@pytest.mark.data
@DATA
def test_the_real_posts():
    corpus = read_corpus("20newsgroups")
    assert len(corpus.classes) == 20
    assert (len(corpus.train), len(corpus.heldout) + len(corpus.test)) == (11_314 - 300, 7_532 - 215)
    assert abs(len(corpus.heldout) - len(corpus.test)) <= 1
    assert counts_line(corpus.record) == "18846 accepted + 0 rejected = 18846 seen; dropped: 515 empty posts"


@pytest.mark.data
@DATA
def test_real_posts_are_stripped_as_scikit_learn_does():
    theirs = pytest.importorskip("sklearn.datasets._twenty_newsgroups")
    paths = sorted(Path(os.environ["WHICHWORD_DATA"]).glob("20news-bydate-*/*/*"))[::7]
    assert len(paths) > 2_000
    for path in paths:
        post = theirs.strip_newsgroup_footer(theirs.strip_newsgroup_header(raw_post(path)))
        assert stripped(raw_post(path)) == theirs.strip_newsgroup_quoting(post), path


def test_a_post_may_have_any_line_ends(tmp_path):
    (tmp_path / "lf").write_bytes(b"From: a\n\nSome text.\nMore.\n")
    (tmp_path / "crlf").write_bytes(b"From: a\r\n\r\nSome text.\r\nMore.\r\n")
    (tmp_path / "mixed").write_bytes(b"From: a\n\nSome text.\r\n")
    assert raw_post(tmp_path / "lf") == raw_post(tmp_path / "crlf")
    assert raw_post(tmp_path / "mixed") == "From: a\n\nSome text.\r\n"
