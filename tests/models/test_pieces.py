"""Which word owns which piece, on hostile texts; what is cut off at the longest input."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("transformers", reason="needs transformers: pip install 'whichword[transformers]'")

from tiny_tokenizers import byte_level, wordpiece

import whichword
from whichword.model import Reading
from whichword.models.pieces import PieceReader
from whichword.text import tokenize
from whichword.types import Text

TOKENIZERS = {
    "wordpiece": wordpiece(),
    "byte level": byte_level(),
    "byte level, untrimmed": byte_level(trimmed=False),
    "byte level with a beginning": byte_level(begins=True),
}
every_tokenizer = pytest.mark.parametrize("name", TOKENIZERS)

GAPS = st.sampled_from([" ", "  ", "\n", "\t ", "\r\n", " \u00a0", "\u2003", ""])
LETTERS = st.one_of(
    st.sampled_from(
        [
            "the",
            "film",
            "unbelievable",
            "Worst",
            "😀😀",
            "👩‍👩‍👧",
            "e\u0301",
            "\u0301",
            "naïve",
            "漢字",
            "[SEP]",
            "<|end|>",
        ]
    ),
    st.text(st.characters(exclude_categories=["Cs", "Zs", "Zl", "Zp", "Cc"]), min_size=1, max_size=12),
).filter(lambda word: not any(character.isspace() for character in word))


@st.composite
def written(draw: Any) -> Text:
    """Words with anything of white space between, before and behind."""
    words = draw(st.lists(LETTERS, max_size=8))
    text = draw(GAPS)
    for word in words:
        text += word + draw(GAPS)
    return Text(tuple(words), text)


def slow_owners(document: Text, tokenizer: Any) -> list[int]:
    """From the definition, character by character: the first non-space character's word, else the word before."""
    owner, end = {}, 0
    for t, word in enumerate(document.words):
        start = document.text.index(word, end)
        end = start + len(word)
        owner |= dict.fromkeys(range(start, end), t)
    encoded = tokenizer(document.text, return_offsets_mapping=True, return_special_tokens_mask=True)
    words = []
    for (start, stop), special in zip(encoded["offset_mapping"], encoded["special_tokens_mask"], strict=True):
        inside = [i for i in range(start, stop) if not document.text[i].isspace()]
        if special or not document.words:
            words.append(-1)
        elif inside and inside[0] in owner:
            words.append(owner[inside[0]])
        else:
            before = [t for i, t in owner.items() if i < (inside[0] if inside else stop)]
            words.append(max(before, default=0))
    return words


@every_tokenizer
@given(document=written())
@settings(max_examples=150, deadline=None)
def test_pieces_belong_to_the_words_that_they_begin_in(name: str, document: Text) -> None:
    tokenizer = TOKENIZERS[name]
    reading = PieceReader(tokenizer, None).read(document)
    assert list(reading.word) == slow_owners(document, tokenizer)
    assert list(reading.ids) == tokenizer(document.text)["input_ids"]
    words = [t for t in reading.word if t >= 0]
    assert words == sorted(words)
    assert (reading.words, reading.text, reading.seen) == (document.words, document.text, len(document.words))


@given(document=written())
@settings(max_examples=100, deadline=None)
def test_it_does_not_matter_whether_offsets_are_trimmed(document: Text) -> None:
    trimmed, whole = (PieceReader(TOKENIZERS[f"byte level{name}"], None).read(document) for name in ("", ", untrimmed"))
    assert (trimmed.ids, trimmed.word) == (whole.ids, whole.word)


@given(document=written())
@settings(max_examples=100, deadline=None)
def test_every_word_has_a_byte(document: Text) -> None:
    """Byte-level pieces cover every character; a piece may hold the end of one word and the beginning of the next."""
    words = set(PieceReader(TOKENIZERS["byte level"], None).read(document).word)
    spaced = all(document.text[end : end + 1].isspace() for end in _ends(document))
    assert not spaced or words - {-1} == set(range(len(document.words)))


def _ends(document: Text) -> list[int]:
    ends, end = [], 0
    for word in document.words[:-1]:
        end = document.text.index(word, end) + len(word)
        ends.append(end)
    return ends


@every_tokenizer
@given(document=written(), longest=st.integers(min_value=4, max_value=14))
@settings(max_examples=150, deadline=None)
def test_longer_texts_are_cut_at_the_end(name: str, document: Text, longest: int) -> None:
    """Special pieces stay, the first pieces of the text with them; a word without a piece is not read."""
    whole = PieceReader(TOKENIZERS[name], None).read(document)
    cut = PieceReader(TOKENIZERS[name], longest).read(document)
    room = longest - sum(t < 0 for t in whole.word)
    of_text = [(i, t) for i, t in zip(whole.ids, whole.word, strict=True) if t >= 0]
    assert [(i, t) for i, t in zip(cut.ids, cut.word, strict=True) if t >= 0] == of_text[:room]
    assert [i for i, t in zip(cut.ids, cut.word, strict=True) if t < 0] == [
        i for i, t in zip(whole.ids, whole.word, strict=True) if t < 0
    ]
    assert len(cut.ids) <= longest
    assert cut.seen == (len(document.words) if len(of_text) <= room else max(t for _, t in of_text[:room]) + 1)


def test_the_tokenizer_may_be_set_to_cut_the_beginning() -> None:
    tokenizer = byte_level(begins=True)
    tokenizer.truncation_side = "left"
    words = ("the", "film", "was", "good")
    reading = PieceReader(tokenizer, 3).read(Text(words, " ".join(words)))
    assert (list(reading.word)[:2], reading.seen) == ([-1, 0], max(reading.word) + 1)


def test_a_text_is_read_as_it_was_written() -> None:
    """Nothing is tokenized twice: ids are those of the whole text, and words those that people see."""
    text = "It's  the\nworst thing, really!"
    words, _ = tokenize(text)
    reading: Reading = PieceReader(TOKENIZERS["byte level"], None).read(Text(words, text))
    assert list(reading.ids) == TOKENIZERS["byte level"](text)["input_ids"]
    assert set(reading.word) == set(range(len(words)))


@pytest.mark.parametrize(
    ("tokenizer", "message"),
    [(None, "tokenizer is needed: wrap"), (str.split, "no offsets: a fast tokenizer is needed")],
)
def test_a_tokenizer_that_will_not_do(tokenizer: Any, message: str) -> None:
    with pytest.raises(whichword.InputError, match=message):
        PieceReader(tokenizer, None)
