"""Documents from texts."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, chain

from whichword.text import content_key, distinct_keys, sentence_words, tokenize
from whichword.types import Document


def text_document(text: str, label: str) -> Document:
    """A labelled text, cut into sentences and words; its key is a hash of text and label."""
    words, starts = tokenize(text)
    return Document(content_key(text, label), words, label, starts, text=text)


def one_sentence(text: str, label: str) -> Document:
    """A labelled text that is cut into words only."""
    return Document(content_key(text, label), tuple(sentence_words(text)), label, text=text)


def words_document(words: tuple[str, ...], label: str) -> Document:
    """Ready-made words, in one sentence."""
    return Document(content_key(" ".join(words), label), words, label)


def lines_document(lines: Sequence[str], label: str) -> Document:
    """A labelled text whose sentences are known: one per line."""
    text, words = "\n".join(lines), [sentence_words(line) for line in lines]
    starts = tuple(accumulate((len(sentence) for sentence in words[:-1]), initial=0))
    return Document(content_key(text, label), tuple(chain.from_iterable(words)), label, starts, text=text)


def distinct(documents: Sequence[Document]) -> tuple[Document, ...]:
    """The same documents; those with repeated contents get the keys key-2, key-3, ..."""
    keys = distinct_keys(document.key for document in documents)
    return tuple(
        document if document.key == key else replace(document, key=key)
        for document, key in zip(documents, keys, strict=True)
    )
