"""Corpora: labelled documents in three parts.

gives      Corpus(train, heldout, test) of Documents, each with a key made from its content
takes      the installation, the data folder, or a file of the user's own
begin at   registry.py (what a source is), own.py (files of people), grammar.py (a source in full)
"""

# Importing a corpus registers it; this is the order of the table.
from whichword.corpora import docstrings, grammar, newsgroups, reviews, agreement, ud, huggingface  # noqa: F401, I001
from whichword.corpora.building import by_content, counts_line, distinct, text_document
from whichword.corpora.reading import read_corpus
from whichword.corpora.registry import CORPORA, CorpusAbout, Listed, Source, data_folder, describe, fetch

__all__ = [
    "CORPORA",
    "CorpusAbout",
    "Listed",
    "Source",
    "by_content",
    "counts_line",
    "data_folder",
    "describe",
    "distinct",
    "fetch",
    "read_corpus",
    "text_document",
]
