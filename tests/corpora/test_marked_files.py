"""Files that say which words are right: rationales in every form, twins in both, ready-made words anywhere."""

import json

import pytest

from whichword.corpora import read_corpus
from whichword.corpora.own import differing
from whichword.errors import InputError

ALL_TEST = "train=0,heldout=0,test=1"
TEXT = "not funny at all , and long"


@pytest.fixture
def write(tmp_path):
    def written(rows, name="r.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf8")
        return path

    return written


def read(path, settings):
    return read_corpus(f"{path}[{ALL_TEST},{settings}]").test


FORMS = {
    "positions": [0, 1],
    "flags": [1, 1, 0, 0, 0, 0, 0],
    "spans": [[0, 2]],
    "eraser": [[{"start_token": 0, "end_token": 2, "docid": "d", "text": "not funny"}]],
    "characters": [[0, 9]],
    "quotes": ["not funny"],
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("words", [True, False])
def test_every_form_says_the_same_of_words_and_of_texts(write, form, words):
    rows = [
        {"text": TEXT, "words": TEXT.split(" "), "label": "bad", "why": FORMS[form]},
        {"text": "good", "words": ["good"], "label": "good", "why": []},
    ]
    if form == "flags":
        rows[1]["why"] = [0]
    documents = read(write(rows), f"rationale=why,marks={form}" + (",words=words" if words else ""))
    assert [d.truth for d in documents] == [{"bad": (0, 1)}, {}]
    assert documents[0].words == tuple(TEXT.split(" "))
    assert documents[0].text == TEXT


def test_marks_of_several_people_count_from_half_on(write):
    rows = [
        {"words": ["a", "b", "c"], "label": "x", "why": [[1, 0, 1], [1, 0, 0], [1, 1, 0], [0, 1, 0]]},
        {"words": ["a"], "label": "y", "why": [[0]]},
    ]
    documents = read(write(rows), "words=words,rationale=why,marks=flags")
    assert documents[0].truth == {"x": (0, 1)}


def test_rationales_by_class(write):
    rows = [
        {"words": ["a", "b", "c"], "label": "x", "why": {"x": [0], "y": [2]}},
        {"words": ["d"], "label": "y", "why": {}},
    ]
    assert read(write(rows), "words=words,rationale=why")[0].truth == {"x": (0,), "y": (2,)}


def test_words_for_a_class_that_no_record_has_are_rejected_with_their_line(write):
    rows = [
        {"words": ["a", "b"], "label": "x", "why": {"x": [0], "Y": []}},
        {"words": ["a", "b", "c"], "label": "x", "why": {"x": [0], "Y": [2]}},
        {"words": ["d"], "label": "y", "why": {"x": []}},
    ]
    message = r"r.jsonl:2: a rationale for the class 'Y', which no record has; classes: 'x', 'y'"
    with pytest.raises(InputError, match=message):
        read(write(rows), "words=words,rationale=why")
    corpus = read_corpus(f"{write(rows)}[{ALL_TEST},words=words,rationale=why,strict=false]")
    assert [document.words for document in corpus.test] == [("a", "b"), ("d",)]
    assert (corpus.record["accepted"], corpus.record["rejected"]) == ("2", "1")
    assert "r.jsonl:2: " in corpus.record["first rejected"]


def test_words_of_a_csv_file_have_spaces_between_them(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text('tokens,label,why\nno good at.all,bad,"[0, 1]"\nfine,good,[]\n', encoding="utf8")
    documents = read(path, "words=tokens,rationale=why")
    assert documents[0].words == ("no", "good", "at.all")
    assert documents[0].truth == {"bad": (0, 1)}


BROKEN = {
    "positions": ([0, 9], "the position 9 is not a whole number from 0 to 6"),
    "positions ": ([0, 0], "listed twice"),
    "positions  ": ("x", "must be a list of positions, not 'x'"),
    "positions   ": ([True], "the position True is not"),
    "flags": ([1, 0], "2 marks for 7 words"),
    "flags ": ([2, 0, 0, 0, 0, 0, 0], "neither 0 nor 1"),
    "spans": ([[2, 2]], "the word after the last 2 is not a whole number from 3 to 7"),
    "spans ": ([3], "3 is not \\[start, stop\\]"),
    "characters": ([[9, 10]], "from character 9 to 10 there is no word"),
    "quotes": (["funny not"], "the passage 'funny not' does not stand in the text"),
    "quotes ": ([""], "'' is no passage"),
    "eraser": ([[{"start": 1}]], "evidence without start_token and end_token"),
}


@pytest.mark.parametrize("form", BROKEN)
def test_what_does_not_fit_its_text_is_rejected_with_its_line(write, form):
    marks, message = BROKEN[form]
    rows = [{"text": "good", "label": "good", "why": [0] if form.strip() == "flags" else []}]
    rows += [{"text": TEXT, "label": "bad", "why": marks}]
    with pytest.raises(InputError, match=f"r.jsonl:2: .*{message}"):
        read(write(rows), f"rationale=why,marks={form.strip()}")


def test_bad_words_and_settings(write):
    path = write([{"words": ["a", " b"], "label": "x"}])
    with pytest.raises(InputError, match=r"r.jsonl:1: 'words' holds ' b', which is no word"):
        read(path, "words=words")
    with pytest.raises(InputError, match="marks must be one of positions, flags"):
        read(path, "words=words,marks=magic")
    with pytest.raises(InputError, match="give one of them"):
        read(path, "twin=a,pair=b")
    with pytest.raises(InputError, match="both labels"):
        read(path, "twin=a")


def test_twins_in_one_record(write):
    rows = [{"a": "the movie was great fun .", "b": "the movie was no fun .", "la": "pos", "lb": "neg"}]
    first, second = read(write(rows), "text=a,label=la,twin=b,twin_label=lb")
    assert (first.truth, second.truth) == ({"pos": (3,)}, {"neg": (3,)})
    assert first.facts["pair"] == second.facts["pair"]


def test_minimal_pairs_without_labels_are_called_by_their_columns(write):
    rows = [{"sentence_good": "The dogs bark .", "sentence_bad": "The dogs barks ."}]
    documents = read(write(rows), "text=sentence_good,label=none,twin=sentence_bad")
    assert [(d.label, d.truth) for d in documents] == [
        ("sentence_good", {"sentence_good": (2,)}),
        ("sentence_bad", {"sentence_bad": (2,)}),
    ]


def test_twins_in_two_records(write):
    rows = [
        {"id": 7, "text": "he is a nurse", "label": "m"},
        {"id": 8, "text": "a b", "label": "m"},
        {"id": 8, "text": "a", "label": "f"},
        {"id": 7, "text": "she is a nurse", "label": "f"},
    ]
    documents = read(write(rows), "pair=id")
    assert {d.text: d.truth for d in documents} == {
        "he is a nurse": {"m": (0,)},
        "she is a nurse": {"f": (0,)},
        "a b": {"m": (1,)},
        "a": {},  # nothing in it is not in its twin
    }


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("a", "x", 1), ("b", "y", 2)], "pair '1': 1 records have it, not 2"),
        ([("a", "x", 1), ("b", "x", 1), ("c", "y", 1)], "pair '1': 3 records"),
        ([("a", "x", 1), ("b", "x", 1)], "both texts of a pair have the label 'x'"),
        ([("a", "x", 1), ("a", "y", 1)], "the two texts of a pair are the same"),
    ],
)
def test_broken_pairs(write, rows, message):
    path = write([{"text": text, "label": label, "pair": pair} for text, label, pair in rows])
    with pytest.raises(InputError, match=message):
        read(path, "pair=pair")


def test_differing_words():
    assert differing(["a", "b", "c", "d"], ["a", "x", "d", "e"]) == ((1, 2), (1, 3))
    assert differing([], ["a"]) == ((), (0,))
