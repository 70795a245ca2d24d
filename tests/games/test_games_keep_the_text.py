"""Items hold the text as it was written: fragments are slices of their documents, joined by one space."""

from hypothesis import given
from hypothesis import strategies as st

from whichword.corpora.building import text_document
from whichword.games import AgreementGame, HybridGame, ManualGame
from whichword.text import tokenize
from whichword.text.places import gaps, spans
from whichword.types import Document

FIRST = text_document("  I don't know.\n\nWho's there?  ", "x")
SECOND = text_document("(No one\tis.) ", "y")

PIECES = ["a ", "b", "'s ", ", ", "\n", ". ", "A", "\t", '"', "\u202e", "😀 "]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def test_fragments_are_slices_joined_by_a_space():
    (item,) = HybridGame(sentences=3).items([FIRST, SECOND], 0)
    fragments = {"I don't know.", "Who's there?", "(No one\tis.)"}
    assert len(item.text) == sum(map(len, fragments)) + 2
    assert all(fragment in item.text for fragment in fragments)
    assert [item.text[start:stop] for start, stop in spans(item)] == list(item.words)


@given(st.lists(TEXTS, max_size=5), st.integers(1, 4), st.sampled_from([None, 1, 3, 7]))
def test_every_item_is_its_words_and_white_space_that_was_there(texts, sentences, cut):
    documents = [text_document(text, "x") for text in texts]
    for item in HybridGame(sentences=sentences, cut=cut).items(documents, 0):
        between = gaps(item)
        assert (between[0], between[-1]) == ("", "")
        assert not "".join(between).strip()
        assert item.text.endswith(item.words[-1])


def test_alone_sentences_keep_their_gaps():
    items = HybridGame(sentences=1).items([FIRST, SECOND], 0)
    assert {item.text for item in items} == {"I don't know.", "Who's there?", "(No one\tis.)"}


def test_the_cut_is_after_the_last_word_that_stays():
    whole = HybridGame(sentences=3, cut=None).items([FIRST, SECOND], 0)[0]
    for size in range(1, len(whole.words)):
        short = HybridGame(sentences=3, cut=size).items([FIRST, SECOND], 0)[0]
        assert short.text == whole.text[: spans(whole)[size - 1][1]]


def test_words_and_keys_do_not_depend_on_how_the_text_was_written():
    bare = [Document(d.key, d.words, d.label, d.starts) for d in (FIRST, SECOND)]
    for with_text, without in zip(
        HybridGame(sentences=2).items([FIRST, SECOND], 3), HybridGame(sentences=2).items(bare, 3), strict=True
    ):
        assert (with_text.key, with_text.words, with_text.labels) == (without.key, without.words, without.labels)
        assert without.text == " ".join(without.words) != with_text.text


def test_manual_and_agreement():
    text = "A  doctor\tsaid so . "
    words = tokenize(text)[0]
    listed = Document("k", words, "x", relevant=(1,), text=text)
    assert ManualGame().items([listed], 0)[0].text == text
    assert ManualGame(cut=3).items([listed], 0)[0].text == "A  doctor\tsaid"
    tagged = Document("k", words, "singular", tags=("DT", "NN", "VBD", "RB", "."), subject=1, text=text)
    assert AgreementGame().items([tagged], 0)[0].text == text
