"""Sentences, words, the vocabulary and the keys of documents.

takes      a string, or words
gives      words with their places in the text, numbers of words, a key that belongs to the content
begin at   words.py
"""

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
