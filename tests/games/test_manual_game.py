"""Positions that people named."""

import pytest

from whichword.errors import InputError
from whichword.games import GAMES, ManualGame
from whichword.types import Document

POST = Document("k", ("a", "b", "c", "d"), "sci.med", relevant=(0, 2, 3), facts={"list": "59298"})


def test_item_and_reward():
    [item] = ManualGame().items([POST], 0)
    assert (item.key, item.words, item.gold, item.targets) == ("k", POST.words, "sci.med", (0, 2, 3))
    assert item.facts == {"list": "59298"}
    assert ManualGame().rewarded(item, "sci.med") == {"manual": {0, 2, 3}}
    assert ManualGame().rewarded(item, "sci.space") == {"manual": None}


def test_cut_drops_words_and_positions_and_changes_the_key():
    [item] = ManualGame(cut=3).items([POST], 0)
    assert item.words == ("a", "b", "c")
    assert item.targets == (0, 2)
    assert item.key != "k"
    assert item.key != ManualGame(cut=2).items([POST], 0)[0].key
    assert item.key != ManualGame(cut=3).items([Document("other", POST.words, "x", relevant=(0,))], 0)[0].key


def test_uncut_document_keeps_its_key():
    assert [ManualGame(cut=cut).items([POST], 0)[0].key for cut in (4, 5, None)] == ["k"] * 3


def test_a_thousand_words_by_default():
    [item] = ManualGame().items([Document("k", ("w",) * 1500, "x", relevant=(999, 1000))], 0)
    assert len(item.words) == 1000
    assert item.targets == (999,)


def test_document_without_relevant_word_stays_in():
    _, empty = ManualGame().items([POST, Document("e", ("a",), "x")], 0)
    assert ManualGame().rewarded(empty, "x") == {"manual": frozenset()}


def test_a_corpus_without_lists_is_refused():
    with pytest.raises(InputError, match="no document has a word that a person called relevant"):
        ManualGame().items([Document("e", ("a",), "x")], 0)
    assert ManualGame().items([], 0) == ()


@pytest.mark.parametrize("cut", [0, -5])
def test_senseless_cut(cut):
    with pytest.raises(InputError, match=f"game manual: cut must be at least 1, not {cut}"):
        ManualGame(cut=cut)


def test_registered():
    assert GAMES["manual[cut=7]"] == ManualGame(cut=7)
    assert ManualGame().parts == ("manual",)
    assert ManualGame(cut=1).items([POST], 0)[0].targets == (0,)
