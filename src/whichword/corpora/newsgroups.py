"""20 newsgroups, the by-date version (a folder per group, a file per post), and posts with relevant words.

A Usenet post is taken without its header, its signature and what it quotes: the same rules as scikit-learn's. People
listed the relevant words of posts in sci.med and sci.electronics (Mohseni and Ragan 2018).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from whichword.corpora.building import Dropped, Intake, Rejected, distinct, one_sentence, shuffled, text_document
from whichword.corpora.lines import parse_json, read_text
from whichword.corpora.registry import CORPORA, CorpusAbout, find
from whichword.errors import FileError
from whichword.text import sentence_model
from whichword.types import Corpus, Document

_QUOTED = re.compile(r"[|>]|In article|Quoted from|.*(?:writes in|writes:|wrote:|says:|said:)")


def without_header(post: str) -> str:
    """Return what follows the first empty line."""
    return post.partition("\n\n")[2]


def without_footer(post: str) -> str:
    """Return what precedes the last line that is empty or made of hyphens, but for empty lines at the end.

    A post without such a line, or with its only one at the top, stays as it is.
    """
    lines = post.strip().split("\n")
    cut = max((row for row, line in enumerate(lines) if not line.strip().strip("-")), default=0)  # 0: no such line
    return "\n".join(lines[:cut]) if cut else post


def without_quotes(post: str) -> str:
    """Drop lines that start with > or |, or that introduce a quotation."""
    return "\n".join(line for line in post.split("\n") if not _QUOTED.match(line))


def stripped(post: str) -> str:
    """Remove header, footer and quotes, in this order."""
    return without_quotes(without_footer(without_header(post)))


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
            raise FileError(f"{test}: its groups are not those of {train.name}")
        intake = Intake()
        first, second = list(_posts(train, intake)), list(_posts(test, intake))
        documents = distinct([*first, *second])
        official = shuffled(documents[len(first) :], seed)  # the official test set
        half = len(official) // 2
        record = {"source": "20news-bydate", "sentences": sentence_model(), **intake.record()}
        return Corpus(
            "20newsgroups", classes, documents[: len(first)], tuple(official[:half]), tuple(official[half:]), record
        )


def groups(folder: Path) -> tuple[str, ...]:
    """Return the names of the groups, in alphabetical order."""
    return tuple(sorted(path.name for path in folder.iterdir() if path.is_dir()))


def raw_post(path: Path) -> str:
    """Read a post with its header, as latin-1, in which every byte is a character."""
    return read_text(path, "latin-1")


def _posts(folder: Path, intake: Intake) -> Iterator[Document]:
    paths = [path for group in groups(folder) for path in sorted((folder / group).iterdir())]
    yield from intake.read(folder, enumerate(paths, 1), _post)


def _post(path: Path) -> Document:
    text = stripped(raw_post(path))
    if not text.strip():
        raise Dropped("empty posts")
    return text_document(text, path.parent.name)


_CUT = 1_000  # words of a document that count


@CORPORA.register("manual")
@dataclass(frozen=True)
class ManualCorpus:
    """A test part only: whole posts, headers and quotes kept; the classes are the 20 newsgroups.

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
            raise FileError(f"{lists}: no list GROUP/ID.json in it")
        intake = Intake(self.strict)
        reader = partial(_document, posts=posts, sentences=self.sentences)
        test = distinct([document for path in paths for document in intake.read(path, [(1, path)], reader)])
        model = sentence_model() if self.sentences else "none"  # headers are no sentences
        record = {"source": "Mohseni and Ragan 2018", "sentences": model, **intake.record()}
        return Corpus("manual", groups(posts), (), (), test, record)


def _document(path: Path, posts: Path, sentences: bool) -> Document:
    """Read the post that a list is about, with the positions of its relevant words."""
    listed = _listed(parse_json(read_text(path)), path.stem)
    post = posts / path.parent.name / path.stem
    if not post.is_file():
        raise Rejected(f"there is no post {post}")
    make = text_document if sentences else one_sentence
    document = make(raw_post(post), path.parent.name)
    return replace(document, relevant=relevant(document.words[:_CUT], listed), facts={"post": path.stem})


def _listed(value: Any, article: str) -> list[str]:
    """Return the words of ``{"article": ID, "words": [[word, weight], ...]}``."""
    if not isinstance(value, dict) or value.get("article") != article or not isinstance(value.get("words"), list):
        raise Rejected(f'not {{"article": "{article}", "words": [[word, weight], ...]}}')
    for pair in value["words"]:
        if not (isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) and pair[0].strip()):
            raise Rejected(f"{pair!r} is not [word, weight]")
    return [word.lower() for word, _ in value["words"]]


def relevant(words: Sequence[str], listed: Sequence[str]) -> tuple[int, ...]:
    """Return the positions of words that start or end with a listed word."""
    ends = tuple(listed)  # str.startswith takes a tuple
    lowered = (word.lower() for word in words)
    return tuple(t for t, word in enumerate(lowered) if word.startswith(ends) or word.endswith(ends))
