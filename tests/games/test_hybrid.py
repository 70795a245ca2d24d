"""Hybrid documents by the definition, and nothing by position or order."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whichword.errors import InputError
from whichword.games import GAMES, HybridGame
from whichword.types import Document, Item


def document(name: str, sizes: list[int], label: str) -> Document:
    """Sentences of the given sizes; each word names its document, sentence and place."""
    words, starts = [], []
    for number, size in enumerate(sizes):
        starts.append(len(words))
        words += [f"{name}.{number}.{place}" for place in range(size)]
    return Document(key=name, words=tuple(words), label=label, starts=tuple(starts))


DOCUMENTS = [document(f"d{i}", [1 + (i + j) % 3 for j in range(7)], "xyz"[i % 3]) for i in range(6)]

documents_of_any_shape = st.lists(
    st.tuples(st.lists(st.integers(0, 4), max_size=6), st.sampled_from("xyz")), max_size=6
).map(lambda shapes: [document(f"d{i}", sizes, label) for i, (sizes, label) in enumerate(shapes)])


@given(documents_of_any_shape, st.integers(1, 5), st.integers(0, 3))
def test_every_word_once_with_its_label_in_whole_sentences(documents, sentences, seed):
    items = HybridGame(sentences=sentences).items(documents, seed)
    words = Counter(word for item in items for word in item.words)
    assert words == Counter(word for d in documents for word in d.words)
    label = {word: d.label for d in documents for word in d.words}
    for item in items:
        assert item.labels == tuple(label[word] for word in item.words)
        runs = [word.rsplit(".", 1)[0] for word in item.words if word.endswith(".0")]
        assert len(runs) == len(set(runs)) == int(item.facts["sentences"])
        assert item.gold is None
        assert item.targets == ()


@given(documents_of_any_shape, st.integers(1, 5))
def test_only_the_last_group_may_be_smaller(documents, sentences):
    total = sum(len({w.rsplit(".", 1)[0] for w in d.words}) for d in documents)
    sizes = [int(item.facts["sentences"]) for item in HybridGame(sentences=sentences).items(documents, 0)]
    assert sizes[:-1] == [sentences] * (len(sizes) - 1)
    assert sum(sizes) == total
    assert all(sizes)


def test_words_stay_in_order_inside_a_sentence():
    for item in HybridGame().items(DOCUMENTS, 0):
        for first, second in zip(item.words, item.words[1:], strict=False):
            if first.rsplit(".", 1)[0] == second.rsplit(".", 1)[0]:
                assert int(second.rsplit(".", 1)[1]) == int(first.rsplit(".", 1)[1]) + 1


def test_ten_sentences_and_a_thousand_words_by_default():
    documents = [document(f"d{i}", [150] * 5, "x") for i in range(5)]
    items = HybridGame().items(documents, 0)
    assert [int(item.facts["sentences"]) for item in items] == [10, 10, 5]
    assert [len(item.words) for item in items] == [1000, 1000, 750]
    assert [len(item.labels) for item in items] == [1000, 1000, 750]


def test_cut_keeps_words_and_labels_together():
    whole = HybridGame(sentences=4, cut=None).items(DOCUMENTS, 1)
    short = HybridGame(sentences=4, cut=3).items(DOCUMENTS, 1)
    assert [item.words for item in short] == [item.words[:3] for item in whole]
    assert [item.labels for item in short] == [item.labels[:3] for item in whole]
    assert [item.facts["classes"] for item in short] == [str(len(set(item.labels))) for item in short]


def test_order_of_documents_plays_no_part_and_the_seed_does():
    one = HybridGame().items(DOCUMENTS, 7)
    assert HybridGame().items(DOCUMENTS[::-1], 7) == one
    assert HybridGame().items(DOCUMENTS, 8) != one


def test_sentences_are_shuffled_across_documents():
    first = HybridGame().items(DOCUMENTS, 0)[0]
    assert len({word.split(".")[0] for word in first.words}) > 2


def test_a_fixed_seed_gives_these_words_for_ever():
    words = [item.words for item in HybridGame(sentences=2).items([document("d", [1, 1, 1, 1], "x")], 0)]
    assert words == [("d.1.0", "d.3.0"), ("d.2.0", "d.0.0")]


def test_keys_come_from_content_and_are_distinct():
    items = HybridGame(sentences=1).items(DOCUMENTS, 0)
    assert len({item.key for item in items}) == len(items)
    keys = {item.words: item.key for item in items}
    assert keys == {item.words: item.key for item in HybridGame(sentences=1).items(DOCUMENTS, 5)}
    other_label = HybridGame(sentences=1).items([document("d0", [1], "x")], 0)
    assert other_label[0].key != HybridGame(sentences=1).items([document("d0", [1], "y")], 0)[0].key


def test_equal_sentences_get_different_keys():
    twice = [Document("a", ("Thanks",), "x"), Document("b", ("Thanks",), "x")]
    one, two = (item.key for item in HybridGame(sentences=1).items(twice, 0))
    assert two == one + "-2"


def test_rewarded_words_are_those_of_the_predicted_class():
    item = Item("k", ("a", "b", "c"), labels=("x", "y", "x"))
    assert HybridGame().rewarded(item, "x") == {"hybrid": {0, 2}}
    assert HybridGame().rewarded(item, "y") == {"hybrid": {1}}
    assert HybridGame().rewarded(item, "z") == {"hybrid": None}


@pytest.mark.parametrize(("setting", "value"), [("sentences", 0), ("sentences", -1), ("cut", 0), ("cut", -1)])
def test_senseless_settings_are_refused(setting, value):
    with pytest.raises(InputError, match=f"game hybrid: {setting} must be at least 1, not {value}"):
        HybridGame(**{setting: value})


def test_smallest_settings():
    assert HybridGame(sentences=1, cut=1).items(DOCUMENTS[:1], 0)[0].words[0].startswith("d0.")


def test_registered_with_settings():
    assert GAMES["hybrid"] == HybridGame()
    assert GAMES.resolve("hybrid[sentences=3]") == ("hybrid[sentences=3]", HybridGame(sentences=3))
    assert GAMES["hybrid[cut=none]"] == HybridGame(cut=None)
    assert [(name, GAMES[name].parts) for name in ("hybrid", "agreement", "manual")] == [
        ("hybrid", ("hybrid",)),
        ("agreement", ("hit_target", "hit_feat_correct", "hit_feat_wrong")),
        ("manual", ("manual",)),
    ]
