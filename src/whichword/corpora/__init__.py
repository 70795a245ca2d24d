"""Corpora: labelled documents in three parts, from the installation, the data folder or a file of the user's own."""

from whichword.corpora import docstrings, grammar
from whichword.corpora.reading import data_folder, read_corpus
from whichword.corpora.registry import CORPORA, About, Source

__all__ = ["CORPORA", "About", "Source", "data_folder", "docstrings", "grammar", "read_corpus"]
