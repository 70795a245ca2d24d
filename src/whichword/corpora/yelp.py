"""Yelp reviews: the JSON lines of the official dataset."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from whichword.corpora.building import Dropped, Intake, Rejected, distinct, in_order, shuffled, text_document
from whichword.corpora.imdb import SENTIMENTS
from whichword.corpora.lines import object_lines, parse_object, text_of
from whichword.corpora.registry import CORPORA, CorpusAbout, find
from whichword.errors import InputError
from whichword.text import content_key, sentence_model
from whichword.types import Corpus, Document

_LABELS = {1: "negative", 2: "negative", 4: "positive", 5: "positive"}


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
            raise InputError("corpus yelp: share must be above 0 and at most 1")
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
        if int(content_key(text)[:12], 16) >= self.share * 16**12:
            raise Dropped("not in the share")
        return text_document(text, _LABELS[stars])
