"""Sentences, words, the vocabulary and the keys of documents."""

from whichword.text.places import content_key, distinct_keys
from whichword.text.vocabulary import Vocabulary
from whichword.text.words import Token, sentence_model, sentence_words, split_sentences, tokenize, words

__all__ = [
    "Token",
    "Vocabulary",
    "content_key",
    "distinct_keys",
    "sentence_model",
    "sentence_words",
    "split_sentences",
    "tokenize",
    "words",
]
