"""IMDb and Yelp: labels from stars, line breaks, splits."""

import json
import os
from collections import Counter

import pytest

from whichword.corpora import counts_line, read_corpus
from whichword.errors import InputError

DATA = pytest.mark.skipif("WHICHWORD_DATA" not in os.environ, reason="WHICHWORD_DATA is not set")


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def imdb(tmp_path):
    for part in ("train", "test"):
        rows = [{"id": i, "stars": 9, "label": 1, "text": f"Good {i} {part}.<br /><br />Really."} for i in range(40)]
        rows += [{"id": i, "stars": 2, "label": 0, "text": f"Bad {i} {part}."} for i in range(40)]
        write(tmp_path / f"imdb_{part}.jsonl", rows)
    return tmp_path


def test_imdb(imdb):
    corpus = read_corpus("imdb", imdb)
    assert corpus.classes == ("negative", "positive")
    assert Counter(d.label for d in corpus.test) == {"negative": 40, "positive": 40}
    assert corpus.test[0].words == ("Good", "0", "test", ".", "Really", ".")
    assert corpus.test[0].label == "positive"
    assert len(corpus.train) + len(corpus.heldout) == 80
    assert 1 <= len(corpus.heldout) <= 20
    assert counts_line(corpus.record) == "160 accepted + 0 rejected = 160 seen"


def test_imdb_from_the_folders_of_the_archive_is_the_same(imdb, tmp_path_factory):
    other = tmp_path_factory.mktemp("archive")
    for part in ("train", "test"):
        for number, line in enumerate((imdb / f"imdb_{part}.jsonl").read_text().splitlines()):
            row = json.loads(line)
            folder = other / "aclImdb" / part / ("pos" if row["label"] else "neg")
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{number}_{row['stars']}.txt").write_text(row["text"])
    one, two = read_corpus("imdb", imdb), read_corpus("imdb", other)
    for part in ("train", "heldout", "test"):
        assert {(d.key, d.label) for d in getattr(one, part)} == {(d.key, d.label) for d in getattr(two, part)}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"label": 2, "text": "a"}, "label 2 is neither"),
        ({"label": 1, "stars": 3, "text": "a"}, "3 stars do not fit label 1"),
        ({"label": 0, "stars": 5, "text": "a"}, "5 stars do not fit label 0"),
        ({"label": 1}, "no 'text'"),
    ],
)
def test_a_broken_review_is_refused(imdb, row, message):
    write(imdb / "imdb_test.jsonl", [{"label": 1, "text": "fine"}, row])
    with pytest.raises(InputError, match=rf"imdb_test\.jsonl:2: {message}"):
        read_corpus("imdb", imdb)
    assert "1 rejected = 82 seen" in counts_line(read_corpus("imdb[strict=false]", imdb).record)


@pytest.fixture
def yelp(tmp_path):
    rows = [{"stars": 1 + i % 5, "text": f"Review {i}.", "review_id": str(i)} for i in range(500)]
    rows[0]["stars"] = 1.0
    write(tmp_path / "yelp_academic_dataset_review.json", rows)
    return tmp_path


def test_yelp(yelp):
    corpus = read_corpus("yelp", yelp)
    assert [len(part) for part in (corpus.train, corpus.heldout, corpus.test)] == [360, 20, 20]
    for document in corpus.train + corpus.heldout + corpus.test:
        stars = 1 + int(document.words[1]) % 5
        assert document.label == ("negative" if stars < 3 else "positive")
        assert stars != 3
    assert counts_line(corpus.record) == "500 accepted + 0 rejected = 500 seen; dropped: 100 with three stars"
    other = read_corpus("yelp", yelp, seed=1)
    assert {d.key for d in other.train} != {d.key for d in corpus.train}
    some = read_corpus("yelp[share=0.25]", yelp)
    assert 60 < len(some.train) + len(some.heldout) + len(some.test) < 140


def test_a_random_split_does_not_depend_on_the_order_of_the_file(yelp):
    path = yelp / "yelp_academic_dataset_review.json"
    before = read_corpus("yelp", yelp, seed=3)
    path.write_text("\n".join(path.read_text().splitlines()[::-1]) + "\n")
    assert read_corpus("yelp", yelp, seed=3).train == before.train


@pytest.mark.parametrize("stars", [0, 6, 2.5, True, None, "4"])
def test_yelp_stars_are_one_to_five(yelp, stars):
    write(yelp / "yelp_academic_dataset_review.json", [{"stars": stars, "text": "a"}])
    with pytest.raises(InputError, match=r"review\.json:1: .* stars are not 1 to 5"):
        read_corpus("yelp", yelp)


@pytest.mark.slow
@pytest.mark.data
@DATA
def test_the_real_reviews():
    corpus = read_corpus("imdb")
    assert len(corpus.train) + len(corpus.heldout) == len(corpus.test) == 25_000
    assert len(corpus.heldout) == pytest.approx(2_500, abs=200)
    assert Counter(d.label for d in corpus.test) == {"negative": 12_500, "positive": 12_500}
    assert not any("<br" in word for d in corpus.test for word in d.words)
