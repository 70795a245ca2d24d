"""The embedded corpus of topics: size, balance, no leaks between the parts, and prose only."""

import subprocess
import sys
from collections import Counter

import pytest

from whichword.corpora import read_corpus
from whichword.corpora.docstrings import sentences


@pytest.fixture(scope="module")
def corpus():
    return read_corpus("docstrings")


def test_size_and_shares(corpus):
    documents = corpus.train + corpus.heldout + corpus.test
    assert len(corpus.classes) == 12
    assert 1_700 <= len(documents) <= 2_100
    assert 150_000 <= sum(len(document.words) for document in documents) <= 220_000
    assert len(corpus.train) / len(documents) == pytest.approx(0.6, abs=0.03)
    assert len(corpus.heldout) / len(documents) == pytest.approx(0.2, abs=0.03)
    assert 2_200 <= sum(len(document.starts) for document in corpus.test) <= 2_700
    topics = Counter(document.label for document in documents)
    assert set(topics) == set(corpus.classes)
    assert max(topics.values()) <= 520
    assert min(topics.values()) >= 40
    assert corpus.record["source"].startswith("scipy ")


def test_no_sentence_is_in_two_documents(corpus):
    documents = corpus.train + corpus.heldout + corpus.test
    assert len({document.key for document in documents}) == len(documents)
    lines = Counter()
    for document in documents:
        for start, end in zip(document.starts, (*document.starts[1:], len(document.words)), strict=True):
            assert end > start
            lines[document.words[start:end]] += 1
    assert sum(count - 1 for count in lines.values()) == 0


def test_the_same_in_another_process_and_whatever_the_seed(corpus):
    environment = {"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": "7", "NLTK_DATA": "/nowhere"}
    keys = "from whichword.corpora import read_corpus as r; print(*[d.key for d in r('docstrings', seed=3).test])"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", keys], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [document.key for document in corpus.test]


DOCSTRING = """
    Smooth an array with care.

    The window slides along ``axis`` [1]_, see `scipy.signal.wiener` for more. More is in [2]_.
    Where :math:`x^2` grows we stop.
    This works, e.g. for short arrays.

    .. math::

        y = x^2 that is a formula with words

    The result is computed as follows::

        some code that is not prose at all

    ====== =========
    name   meaning of the name here
    ====== =========

    Parameters
    ----------
    x : array_like of some length or other
        The *data* to be smoothed
    n : int
        The length of the window.
        A longer sentence about it: axis=0 is code.

    See Also
    --------
    other : this is another function entirely

    Examples
    --------
    These words are an example only.
    >>> print("not prose at all here")
    """


def test_prose_is_kept_and_the_rest_is_dropped():
    assert sentences(DOCSTRING) == [
        "Smooth an array with care.",
        "The window slides along axis, see wiener for more.",
        "This works, e.g. for short arrays.",
        "The data to be smoothed",
        "The length of the window.",
    ]
