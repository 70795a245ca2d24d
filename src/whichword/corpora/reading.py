"""A corpus by its name, or from a file of the user's own."""

from dataclasses import replace
from pathlib import Path

from whichword.corpora.own import own_file
from whichword.corpora.registry import CORPORA, data_folder
from whichword.types import Corpus


def read_corpus(
    spelling: str, data: str | Path | None = None, seed: int = 0, text: str | None = None, label: str | None = None
) -> Corpus:
    """Read the corpus ``name[setting=value,...]``, or the file ``reviews.csv[text=review,label=stars]``.

    ``text`` and ``label``, another way to name the columns of a file, are for files only.
    """
    columns = {name: value for name, value in (("text", text), ("label", label)) if value is not None}
    name, source = own_file(spelling, columns) or CORPORA.resolve(spelling)
    return replace(source.read(data_folder(data), seed), name=name)  # with its settings, as it was asked for
