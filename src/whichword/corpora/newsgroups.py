"""20 newsgroups, the by-date version: one folder per group, one file per post."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from whichword.corpora.building import Dropped, Intake, distinct, shuffled, text_document
from whichword.corpora.finding import find
from whichword.corpora.lines import read_text
from whichword.corpora.registry import CORPORA, CorpusAbout
from whichword.corpora.stripping import stripped
from whichword.errors import InputError
from whichword.text import sentence_model
from whichword.types import Corpus, Document

TRAIN, TEST = "20news-bydate-train", "20news-bydate-test"


@CORPORA.register("20newsgroups")
@dataclass(frozen=True)
class Newsgroups:
    """Headers, footers and quotes removed, empty posts dropped.

    The official test set is shuffled once with the run's seed and halved into heldout and test.
    """

    about: ClassVar[CorpusAbout] = CorpusAbout(
        source="20 newsgroups by date, http://qwone.com/~jason/20Newsgroups/",
        licence="public Usenet posts, no licence of their own",
        files=((TRAIN, TEST),),
        address="https://ndownloader.figshare.com/files/5975967",
        checksum="8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610",
    )

    def read(self, data: Path, seed: int) -> Corpus:
        train, test = find(data, "20newsgroups", self.about)
        classes = groups(train)
        if groups(test) != classes:
            raise InputError(f"{test}: its groups are not those of {train.name}")
        intake = Intake()
        first, second = list(_posts(train, intake)), list(_posts(test, intake))
        documents = distinct([*first, *second])
        official = shuffled(documents[len(first) :], seed)
        half = len(official) // 2
        record = {"source": "20news-bydate", "sentences": sentence_model(), **intake.record()}
        return Corpus(
            "20newsgroups", classes, documents[: len(first)], tuple(official[:half]), tuple(official[half:]), record
        )


def groups(folder: Path) -> tuple[str, ...]:
    """The names of the groups, in alphabetical order."""
    return tuple(sorted(path.name for path in folder.iterdir() if path.is_dir()))


def raw_post(path: Path) -> str:
    """A post as it stands: latin-1, so that every byte is a character."""
    return read_text(path, "latin-1")


def _posts(folder: Path, intake: Intake) -> Iterator[Document]:
    paths = [path for group in groups(folder) for path in sorted((folder / group).iterdir())]
    yield from intake.read(folder, enumerate(paths, 1), _post)


def _post(path: Path) -> Document:
    text = stripped(raw_post(path))
    if not text.strip():
        raise Dropped("empty posts")
    return text_document(text, path.parent.name)
