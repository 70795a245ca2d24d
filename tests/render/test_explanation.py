"""The value that users hold in their hands."""

import builtins
import json
import math
from dataclasses import replace

import html5lib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whichword.errors import InputError
from whichword.explanation import Explanation, first_maximum
from whichword.text import content_key


@pytest.fixture
def explanation():
    return Explanation(
        words=("<i>", "bad", "film"),
        predicted="pos<",
        target="neg",
        scores={"pos<": 1.5, "neg": math.inf},
        relevance={
            "lrp": np.array([0.5, 2.0, 2.0], dtype=np.float32),
            "occ_1": np.array([math.nan, -1.0, -math.inf]),
            "decomp": np.array([math.nan, math.inf, -math.inf]),
        },
        unknown=(True, False, False),
        notes={"occ_1": "rank <deficient>"},
    )


def test_probabilities_are_the_softmax_of_the_scores():
    large = Explanation(("a",), "x", "x", {"x": 1001.0, "y": 1000.0}, {})
    assert large.probabilities == pytest.approx({"x": math.e / (1 + math.e), "y": 1 / (1 + math.e)})


def test_rmax_is_the_first_finite_maximum(explanation):
    assert [explanation.rmax(name) for name in explanation.relevance] == [1, 1, None]


def test_empty_document():
    empty = Explanation((), "a", "a", {"a": 1.0}, {"lrp": np.zeros(0)})
    assert empty.rmax("lrp") is None
    assert (empty.key, empty.unknown, empty.notes) == (content_key(), (), {})
    assert empty.cells("lrp") == []
    assert "<span" not in empty._repr_html_()


@given(st.lists(st.one_of(st.floats(), st.sampled_from([0.0, 1.0, math.inf, math.nan])), max_size=8))
def test_first_maximum_by_plain_search(values):
    best = None
    for t, value in enumerate(values):
        if math.isfinite(value) and (best is None or value > values[best]):
            best = t
    assert first_maximum(values) == best


def test_wrong_shape_is_refused():
    with pytest.raises(InputError, match=r"lrp: 2 words, but relevances of shape \(3,\)"):
        Explanation(("a", "b"), "x", "x", {}, {"lrp": np.zeros(3)})


def test_cells_carry_marks_rmax_and_unknown(explanation):
    cells = explanation.cells("lrp", marks=(2,))
    assert [(c.bold, c.underlined, c.italic) for c in cells] == [
        (False, False, True),
        (True, False, False),
        (False, True, False),
    ]


def test_json_is_strict_and_complete(explanation):
    assert json.loads(explanation.to_json()) == {
        "key": content_key("<i>", "bad", "film"),
        "text": "<i> bad film",
        "words": ["<i>", "bad", "film"],
        "predicted": "pos<",
        "target": "neg",
        "scores": {"pos<": 1.5, "neg": None},
        "probabilities": {"pos<": None, "neg": None},  # one score is not finite
        "relevance": {"lrp": [0.5, 2.0, 2.0], "occ_1": [None, -1.0, None], "decomp": [None, None, None]},
        "rmax": {"lrp": 1, "occ_1": 1, "decomp": None},
        "unknown": [True, False, False],
        "notes": {"occ_1": "rank <deficient>"},
    }
    assert explanation.to_json().isascii()


def test_the_text_as_it_was_written(explanation):
    written = replace(explanation, text=" <i>bad\nfilm\t")
    assert written.to_dict()["text"] == " <i>bad\nfilm\t"
    assert [cell.gap for cell in written.cells("lrp")] == [" ", "", "\n"]
    assert [cell.tail for cell in written.cells("lrp")] == ["", "", "\t"]
    tree = html5lib.parseFragment(written._repr_html_(), namespaceHTMLElements=False)
    assert ["".join(map_.itertext()) for map_ in tree.iter("div") if "class" in map_.attrib] == [written.text] * 3


def test_words_that_are_not_in_the_text_are_refused(explanation):
    with pytest.raises(InputError, match="the word 'bad' does not stand in the text"):
        replace(explanation, text="<i> film").cells("lrp")


def test_frame(explanation):
    frame = explanation.to_frame()
    assert list(frame.columns) == ["word", "lrp", "occ_1", "decomp"]
    assert list(frame["word"]) == ["<i>", "bad", "film"]
    assert list(frame["lrp"]) == [0.5, 2.0, 2.0]


def test_frame_without_pandas_says_what_to_install(explanation, monkeypatch):
    real = builtins.__import__

    def without_pandas(name, *rest, **more):
        if name == "pandas":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without_pandas)
    with pytest.raises(InputError, match=r"pip install .*\[frames\]"):
        explanation.to_frame()


def test_notebook_view_shows_every_method_and_class_as_text(explanation):
    tree = html5lib.parseFragment(explanation._repr_html_(), namespaceHTMLElements=False)
    spans = [span.text for span in tree.iter("span")]
    assert spans == ["<i>", "bad", "film"] * 3
    assert [head.text for head in tree.iter("th")] == [
        "class",
        "score",
        "probability",
        "lrp",
        "occ_1",
        "decomp",
    ]
    assert [bold.text for bold in tree.iter("b")] == ["pos<", "neg"]
    assert [note.text for note in tree.iter("small")] == ["rank <deficient>"]
    assert tree[0].tag == "details"
    assert tree[0][0].tag == "summary"
    assert "".join(tree[0].itertext()) == ("predicted pos<, explained negclassscoreprobabilitypos<1.5000nanneginfnan")
    cells = [cell.text for cell in tree.iter("td")]
    assert cells[:6] == ["pos<", "1.5000", "nan", "neg", "inf", "nan"]
