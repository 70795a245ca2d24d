"""The human lists: which words of a post they make relevant."""

import json
import os

import pytest

from whichword.corpora import counts_line, read_corpus
from whichword.corpora.newsgroups import relevant
from whichword.errors import InputError

DATA = pytest.mark.skipif("WHICHWORD_DATA" not in os.environ, reason="WHICHWORD_DATA is not set")


def test_a_listed_word_is_a_prefix_or_a_suffix_of_a_relevant_one():
    assert relevant(("X-Rays", "rays", "ray", "raystack", "arrays", "x"), ["rays"]) == (0, 1, 3, 4)
    assert relevant(("a", "b"), []) == ()


@pytest.fixture
def folder(tmp_path):
    for group in ("sci.med", "sci.space"):
        (tmp_path / "20news-bydate-test" / group).mkdir(parents=True)
    post = "Subject: Doctors\n\n> quoted doctor\nThe doctor. Again\n" + "word " * 1_000 + "doctor"
    (tmp_path / "20news-bydate-test/sci.med/7").write_text(post)
    lists = tmp_path / "user_evaluation/sci.med"
    lists.mkdir(parents=True)
    (lists / "7.json").write_text(json.dumps({"article": "7", "words": [["Doctor", 1.0], ["gain", 0.5]]}))
    return tmp_path


def test_the_post_is_read_as_it_stands_and_only_its_first_thousand_words_count(folder):
    corpus = read_corpus("manual", folder)
    assert corpus.classes == ("sci.med", "sci.space")
    assert (corpus.train, corpus.heldout) == ((), ())
    (document,) = corpus.test
    assert document.words[:10] == (
        "Subject",
        ":",
        "Doctors",
        ">",
        "quoted",
        "doctor",
        "The",
        "doctor.",
        "Again",
        "word",
    )
    assert document.relevant == (2, 5, 7, 8)
    assert (document.label, document.starts, document.facts) == ("sci.med", (0,), {"post": "7"})
    (cut,) = read_corpus("manual[sentences=true]", folder).test
    assert cut.words[6:9] == ("The", "doctor", ".")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", r"7\.json:1: not JSON"),
        ('{"article": "8", "words": []}', r'7\.json:1: not {"article": "7"'),
        ('{"article": "7", "words": [["a"]]}', r"\['a'\] is not \[word, weight\]"),
        ('{"article": "7", "words": [["", 1.0]]}', r"is not \[word, weight\]"),
        ("[]", "not {"),
    ],
)
def test_a_broken_list_is_refused(folder, content, message):
    (folder / "user_evaluation/sci.med/7.json").write_text(content)
    with pytest.raises(InputError, match=message):
        read_corpus("manual", folder)
    assert "0 accepted + 1 rejected = 1 seen" in counts_line(read_corpus("manual[strict=false]", folder).record)


def test_a_list_without_its_post_is_refused(folder):
    (folder / "20news-bydate-test/sci.med/7").unlink()
    with pytest.raises(InputError, match="there is no post"):
        read_corpus("manual", folder)


@pytest.mark.data
@DATA
def test_the_188_real_lists():
    corpus = read_corpus("manual")
    assert [sum(d.label == group for d in corpus.test) for group in ("sci.electronics", "sci.med")] == [100, 88]
    assert len(corpus.classes) == 20
    chance = sum(len(d.relevant) / min(len(d.words), 1_000) for d in corpus.test) / 188
    assert chance == pytest.approx(0.079, abs=5e-4)
