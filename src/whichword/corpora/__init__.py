"""Corpora: labelled documents in three parts, from the installation, the data folder or a file of the user's own."""

# Importing a corpus registers it; this is the order of the table.
from whichword.corpora import (
    docstrings,
    grammar,
    newsgroups,
    reviews as imdb,
    reviews as yelp,
    agreement,
    newsgroups as manual,
    ud,
    huggingface,
)  # noqa: F401, I001
from whichword.corpora.registry import fetch
from whichword.corpora.registry import data_folder
from whichword.corpora.building import counts_line
from whichword.corpora.registry import Listed, describe
from whichword.corpora.reading import read_corpus
from whichword.corpora.registry import CORPORA, CorpusAbout, Source

__all__ = [
    "CORPORA",
    "CorpusAbout",
    "Listed",
    "Source",
    "counts_line",
    "data_folder",
    "describe",
    "fetch",
    "read_corpus",
]
