"""Corpora: labelled documents in three parts, from the installation, the data folder or a file of the user's own."""

# Importing a corpus registers it; this is the order of the table.
from whichword.corpora import (
    agreement,
    docstrings,
    grammar,
    huggingface,
    newsgroups,
    ud,
)
from whichword.corpora import (
    newsgroups as manual,
)
from whichword.corpora import (
    reviews as imdb,
)
from whichword.corpora import (
    reviews as yelp,
)
from whichword.corpora.building import counts_line
from whichword.corpora.reading import read_corpus
from whichword.corpora.registry import CORPORA, CorpusAbout, Listed, Source, data_folder, describe, fetch

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
