"""Every corpus gives its documents the text as it was written, with all their words in it; keys are of the content."""

import json

import pyarrow
import pytest
from pyarrow import parquet

from whichword.corpora import read_corpus
from whichword.corpora.building import lines_document, one_sentence, text_document
from whichword.text import content_key
from whichword.text.places import gaps

TEXT = ' "I don\'t know," he said.\r\n\n\tSo\u00a0be it… (why?) '


@pytest.mark.parametrize("make", [text_document, one_sentence])
def test_a_document_has_its_text_and_the_key_is_of_it(make):
    document = make(TEXT, "x")
    assert document.text == TEXT
    assert document.key == content_key(TEXT, "x")
    assert gaps(document)[:6] == [" ", "", " ", "", " ", ""]
    assert not "".join(gaps(document)).strip()


def test_lines_are_joined_by_line_ends():
    document = lines_document(["One line.", "The  other."], "x")
    assert document.text == "One line.\nThe  other."
    assert document.key == content_key(document.text, "x")
    assert gaps(document) == ["", " ", "", "\n", "  ", "", ""]


@pytest.mark.parametrize("name", ["docstrings", "grammar[sentences=60]"])
def test_words_cover_the_text_of_the_built_in_corpora(name):
    corpus = read_corpus(name)
    for document in (*corpus.train, *corpus.heldout, *corpus.test):
        assert set("".join(gaps(document))) <= {" ", "\n"}
        assert document.key.split("-")[0] == content_key(document.text, document.label)


def test_generated_words_are_joined_by_spaces():
    assert all(document.text == " ".join(document.words) for document in read_corpus("grammar[sentences=60]").test)


def written(tmp_path, kind):
    rows = [{"text": TEXT, "label": "x"}, {"text": "b", "label": "y"}]
    path = tmp_path / f"r.{kind}"
    if kind == "parquet":
        parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    elif kind == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        quoted = TEXT.replace('"', '""')
        path.write_bytes(f'text,label\n"{quoted}",x\nb,y\n'.encode())
    return path


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_files_of_ones_own(tmp_path, kind):
    corpus = read_corpus(f"{written(tmp_path, kind)}[train=100,heldout=0,test=0]")
    assert sorted(document.text for document in corpus.train) == sorted([TEXT, "b"])


def test_reviews(tmp_path):
    for part in ("train", "test"):
        rows = [{"label": 1, "text": "It's good.<br /><br />Really,  good. "}, {"label": 0, "text": "bad"}]
        (tmp_path / f"imdb_{part}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert [document.text for document in read_corpus("imdb", tmp_path).test] == [
        "It's good.\n\nReally,  good. ",
        "bad",
    ]
    stars = [{"text": f" {n}  stars ", "stars": n} for n in (1, 2, 4, 5) for _ in range(5)]
    (tmp_path / "yelp_academic_dataset_review.json").write_text("".join(json.dumps(row) + "\n" for row in stars))
    assert {document.text for document in read_corpus("yelp", tmp_path).train} == {
        f" {n}  stars " for n in (1, 2, 4, 5)
    }


def test_posts(tmp_path):
    for part in ("train", "test"):
        for group in ("sci.med", "sci.space"):
            folder = tmp_path / f"20news-bydate-{part}" / group
            folder.mkdir(parents=True)
            (folder / "7").write_bytes(b"From: a\n\nMy  own\n\twords,\xe9 then.\n\n--\nme\n")
    posts = read_corpus("20newsgroups", tmp_path)
    assert {document.text for document in posts.train} == {"My  own\n\twords,é then.\n"}
    (tmp_path / "user_evaluation/sci.med").mkdir(parents=True)
    (tmp_path / "user_evaluation/sci.med/7.json").write_text('{"article": "7", "words": [["own", 1]]}')
    (document,) = read_corpus("manual", tmp_path).test
    assert document.text == "From: a\n\nMy  own\n\twords,é then.\n\n--\nme\n"
    assert [document.words[t] for t in document.relevant] == ["own"]


def test_agreement_sentences_are_their_words(tmp_path):
    header = "sentence\tpos_sentence\tsubj_index\tverb_index\tverb_pos\tn_diff_intervening\n"
    row = "the keys NN are old\tDT NNS NN VBP JJ\t2\t4\tVBP\t1\n"
    (tmp_path / "wiki_agreement.tsv").write_text(header + row)
    (document,) = read_corpus("agreement", tmp_path).test
    assert document.text == "the keys NN"
