"""Reviews, negative or positive: IMDb and Yelp.

IMDb comes as JSON lines (id, stars, label, text) or as the folders of the original archive, Yelp as the JSON lines of
the official dataset.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from whichword.corpora.building import (
    Dropped,
    Intake,
    Rejected,
    by_content,
    distinct,
    in_order,
    shuffled,
    text_document,
)
from whichword.corpora.lines import label_of, object_lines, parse_object, read_text, text_of
from whichword.corpora.registry import CORPORA, CorpusAbout, find
from whichword.errors import SettingError
from whichword.text import content_key, sentence_model
from whichword.types import Corpus, Document

SENTIMENTS = ("negative", "positive")
_BREAK = re.compile(r"<br\s*/?>")  # IMDb's line ends


@CORPORA.register("imdb")
@dataclass(frozen=True)
class Imdb:
    """The official training set is cut 90/10 into train and heldout by a hash of the text."""

    strict: bool = True

    about: ClassVar[CorpusAbout] = CorpusAbout(
        source="Maas et al. 2011, https://ai.stanford.edu/~amaas/data/sentiment/",
        licence="free for research, cite Maas et al. 2011",
        files=(("imdb_train.jsonl", "imdb_test.jsonl"), ("aclImdb/train", "aclImdb/test")),
        address="https://ai.stanford.edu/~amaas/data/sentiment/aclImdb_v1.tar.gz",
    )

    def read(self, data: Path, seed: int) -> Corpus:
        intake = Intake(self.strict)
        first, second = (list(_reviews(path, intake)) for path in find(data, "imdb", self.about))
        documents = distinct([*first, *second])
        train, heldout, _ = by_content(documents[: len(first)], (90, 10, 0))
        record = {"source": "IMDb, Maas et al. 2011", "sentences": sentence_model(), **intake.record()}
        return Corpus("imdb", SENTIMENTS, train, heldout, documents[len(first) :], record)


def _reviews(path: Path, intake: Intake) -> Iterator[Document]:
    if path.is_dir():
        files = [(file, label) for label in SENTIMENTS for file in sorted((path / label[:3]).glob("*.txt"))]
        yield from intake.read(path, enumerate(files, 1), _labelled_file)
    else:
        yield from intake.read(path, object_lines(path), _review)


def _labelled_file(labelled: tuple[Path, str]) -> Document:
    path, label = labelled
    return _document(read_text(path), label)


def _review(line: bytes) -> Document:
    value = parse_object(line)
    label = label_of(value, "label")
    if label not in ("0", "1"):
        raise Rejected(f"label {label} is neither 0 (negative) nor 1 (positive)")
    stars = value.get("stars")
    if stars is not None and (not isinstance(stars, int) or stars in (5, 6) or (stars > 6) != (label == "1")):
        raise Rejected(f"{stars!r} stars do not fit label {label}")
    return _document(text_of(value, "text"), SENTIMENTS[int(label)])


def _document(text: str, label: str) -> Document:
    return text_document(_BREAK.sub("\n", text), label)


_LABELS = {1: "negative", 2: "negative", 4: "positive", 5: "positive"}  # three stars are dropped


@CORPORA.register("yelp")
@dataclass(frozen=True)
class Yelp:
    """One or two stars are negative, four or five positive, three are dropped; 90/5/5 % at random by the run's seed.

    ``share`` keeps that share of the reviews, chosen by a hash of the text, because the whole file is very large.
    """

    share: float = 1.0
    strict: bool = True

    about: ClassVar[CorpusAbout] = CorpusAbout(
        source="Yelp Open Dataset, https://business.yelp.com/data/resources/open-dataset/",
        licence="Yelp dataset agreement, academic use",
        files=(("yelp_academic_dataset_review.json",), ("yelp_academic_dataset_review.json.gz",)),
        how="accept Yelp's agreement on its web page, download the JSON archive and put the review file there",
    )

    def read(self, data: Path, seed: int) -> Corpus:
        if not 0 < self.share <= 1:
            raise SettingError("corpus yelp: share must be above 0 and at most 1")
        intake = Intake(self.strict)
        (path,) = find(data, "yelp", self.about)
        documents = shuffled(distinct(list(intake.read(path, object_lines(path), self._review))), seed)
        parts = in_order(documents, round(0.9 * len(documents)), round(0.05 * len(documents)))
        record = {"source": path.name, "sentences": sentence_model(), **intake.record()}
        return Corpus("yelp", SENTIMENTS, *parts, record)

    def _review(self, line: bytes) -> Document:
        value = parse_object(line)
        text, stars = text_of(value, "text"), value.get("stars")
        if isinstance(stars, bool) or stars not in (1, 2, 3, 4, 5):  # 4.0 is 4
            raise Rejected(f"{stars!r} stars are not 1 to 5")
        if stars == 3:
            raise Dropped("with three stars")
        if int(content_key(text)[:12], 16) >= self.share * 16**12:  # twelve hexadecimal digits
            raise Dropped("not in the share")
        return text_document(text, _LABELS[stars])
