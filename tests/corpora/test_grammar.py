"""The generated corpus of agreement: numbers, tags, subjects and attractors are what they say."""

from collections import Counter

import pytest

from whichword.corpora import grammar, read_corpus
from whichword.errors import InputError

SINGULAR, PLURAL = {"NN", "VBZ"}, {"NNS", "VBP"}


def parts(corpus):
    return corpus.train + corpus.heldout + corpus.test


@pytest.fixture(scope="module")
def corpus():
    return read_corpus("grammar[sentences=3000]")


def test_subjects_have_the_number_of_the_label(corpus):
    assert corpus.classes == ("singular", "plural")
    for document in parts(corpus):
        assert len(document.tags) == len(document.words)
        assert document.tags[document.subject] == {"singular": "NN", "plural": "NNS"}[document.label]
    assert Counter(document.label for document in parts(corpus)) == {"singular": 1500, "plural": 1500}


def test_attractors_are_nouns_of_the_other_number_between_subject_and_verb(corpus):
    for document in parts(corpus):
        other = {"singular": "NNS", "plural": "NN"}[document.label]
        assert document.tags[document.subject + 1 :].count(other) == int(document.facts["attractors"])


def test_shares_of_attractors_are_exact():
    corpus = read_corpus("grammar[sentences=1000,none=1,one=1,two=1,three=1]")
    assert corpus.name == "grammar[none=1,one=1,sentences=1000,three=1,two=1]"
    counts = Counter(min(3, int(document.facts["attractors"])) for document in parts(corpus))
    assert counts == {0: 250, 1: 250, 2: 250, 3: 250}


def test_verbs_inside_agree_with_some_noun_before_them(corpus):
    for document in parts(corpus):
        for place, tag in enumerate(document.tags):
            if tag == "VBZ":
                assert "NN" in document.tags[:place]
            if tag == "VBP":
                assert {"NNS", "CC"} & set(document.tags[:place])


def test_the_subject_is_not_simply_the_first_or_last_noun(corpus):
    nouns = [[t for t, tag in enumerate(d.tags) if tag in ("NN", "NNS")] for d in parts(corpus)]
    last = sum(d.subject == found[-1] for d, found in zip(parts(corpus), nouns, strict=True))
    first = sum(d.subject == found[0] for d, found in zip(parts(corpus), nouns, strict=True))
    assert 0.2 < last / len(nouns) < 0.4
    assert 0.5 < first / len(nouns) < 0.8
    assert 0.1 < sum(d.subject == len(d.words) - 1 for d in parts(corpus)) / len(nouns) < 0.4


def test_no_two_parts_share_a_sentence_and_words_are_many(corpus):
    assert len({document.words for document in parts(corpus)}) == 3000
    assert len({document.key for document in parts(corpus)}) == 3000
    assert 600 < len({word for document in parts(corpus) for word in document.words}) < 1000
    assert len(corpus.train) == pytest.approx(1800, abs=90)


def test_a_seed_gives_the_same_sentences_and_another_seed_others():
    first, again, other = (read_corpus(f"grammar[sentences=200,seed={seed}]") for seed in (0, 0, 1))
    assert parts(first) == parts(again)
    assert not {d.words for d in parts(first)} >= {d.words for d in parts(other)}


def test_articles_fit_the_next_word(corpus):
    for document in parts(corpus):
        for word, following in zip(document.words, document.words[1:], strict=False):
            if word in ("a", "an"):
                assert (word == "an") == (following[0] in "aeiou" or following == "honest")


def test_forms_of_nouns_differ_and_are_listed_once():
    assert all(one != many for one, many in grammar.NOUNS)
    assert len({form for pair in grammar.NOUNS for form in pair}) == 2 * len(grammar.NOUNS)
    assert ("city", "cities") in grammar.NOUNS
    assert ("box", "boxes") in grammar.NOUNS
    assert ("thief", "thieves") in grammar.NOUNS
    assert ("carries", "carry") in grammar.VERBS
    assert ("annoys", "annoy") in grammar.VERBS


@pytest.mark.parametrize("settings", ["none=-1", "none=0,one=0,two=0,three=0", "sentences=x", "sentences=-5"])
def test_bad_settings_are_refused(settings):
    with pytest.raises(InputError, match="corpus grammar"):
        read_corpus(f"grammar[{settings}]")
