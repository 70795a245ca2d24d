"""Posts whose relevant words were listed by people (Mohseni and Ragan 2018): sci.med and sci.electronics."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from whichword.corpora.building import Intake, Rejected, distinct, one_sentence, text_document
from whichword.corpora.finding import find
from whichword.corpora.lines import parse_json, read_text
from whichword.corpora.newsgroups import TEST, groups, raw_post
from whichword.corpora.registry import CORPORA, CorpusAbout
from whichword.errors import InputError
from whichword.text import sentence_model
from whichword.types import Corpus, Document

_CUT = 1_000  # words of a document that count


@CORPORA.register("manual")
@dataclass(frozen=True)
class ManualCorpus:
    """A test part only: the posts as they stand, headers and quotes kept; the classes are the 20 newsgroups.

    Word t is relevant if a listed word is a prefix or a suffix of the lower-cased word t. Weights are not used. A post
    is cut into words in one piece, because headers are no sentences; ``sentences=true`` cuts it sentence by sentence.
    """

    sentences: bool = False
    strict: bool = True

    about: ClassVar[CorpusAbout] = CorpusAbout(
        source="Mohseni and Ragan 2018, https://github.com/SinaMohseni/ML-Interpretability-Evaluation-Benchmark",
        licence="no licence stated",
        files=(("user_evaluation", TEST),),
        how="put user_evaluation/GROUP/ID.json there, and the 20newsgroups (`whichword data 20newsgroups --fetch`)",
    )

    def read(self, data: Path, seed: int) -> Corpus:
        lists, posts = find(data, "manual", self.about)
        paths = sorted(lists.glob("*/*.json"))
        if not paths:
            raise InputError(f"{lists}: no list GROUP/ID.json in it")
        intake = Intake(self.strict)
        reader = partial(_document, posts=posts, sentences=self.sentences)
        test = distinct([document for path in paths for document in intake.read(path, [(1, path)], reader)])
        model = sentence_model() if self.sentences else "none"
        record = {"source": "Mohseni and Ragan 2018", "sentences": model, **intake.record()}
        return Corpus("manual", groups(posts), (), (), test, record)


def _document(path: Path, posts: Path, sentences: bool) -> Document:
    """The post that a list is about, with the positions of its relevant words."""
    listed = _listed(parse_json(read_text(path)), path.stem)
    post = posts / path.parent.name / path.stem
    if not post.is_file():
        raise Rejected(f"there is no post {post}")
    make = text_document if sentences else one_sentence
    document = make(raw_post(post), path.parent.name)
    return replace(document, relevant=relevant(document.words[:_CUT], listed), facts={"post": path.stem})


def _listed(value: Any, article: str) -> list[str]:
    """The words of ``{"article": ID, "words": [[word, weight], ...]}``."""
    if not isinstance(value, dict) or value.get("article") != article or not isinstance(value.get("words"), list):
        raise Rejected(f'not {{"article": "{article}", "words": [[word, weight], ...]}}')
    for pair in value["words"]:
        if not (isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) and pair[0].strip()):
            raise Rejected(f"{pair!r} is not [word, weight]")
    return [word.lower() for word, _ in value["words"]]


def relevant(words: Sequence[str], listed: Sequence[str]) -> tuple[int, ...]:
    """The positions of words that start or end with a listed word."""
    ends = tuple(listed)
    lowered = (word.lower() for word in words)
    return tuple(t for t, word in enumerate(lowered) if word.startswith(ends) or word.endswith(ends))
