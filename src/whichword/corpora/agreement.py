"""Sentences with subject and verb, in the columns of Linzen, Dupoux and Goldberg (2016)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from whichword.corpora import delimited
from whichword.corpora.building import distinct
from whichword.corpora.delimited import Dialect
from whichword.corpora.finding import find
from whichword.corpora.grammar import NUMBERS
from whichword.corpora.intake import Intake, Rejected
from whichword.corpora.registry import CORPORA, CorpusAbout
from whichword.corpora.splitting import in_order
from whichword.errors import InputError
from whichword.text.keys import content_key
from whichword.types import Corpus, Document

_COLUMNS = ("sentence", "pos_sentence", "subj_index", "verb_index", "verb_pos", "n_diff_intervening")
_NUMBER = {"VBZ": NUMBERS[0], "VBP": NUMBERS[1]}


@CORPORA.register("agreement")
@dataclass(frozen=True)
class AgreementCorpus:
    """X is everything before the verb, the label is the verb's number.

    ``quoting`` says how the file was written: csv (Linzen's own) or none; "" takes csv for Linzen's names, none for
    ours. ``train`` and ``heldout`` are shares, or counts from 1 on; the rest is test. Sentences are in the order of a
    hash of their text, so a part is a random one.
    """

    train: float = 0.09
    heldout: float = 0.01
    quoting: str = ""
    strict: bool = True

    about: ClassVar[CorpusAbout] = CorpusAbout(
        source="Linzen et al. 2016, https://github.com/TalLinzen/rnn_agreement",
        licence="text CC BY-SA (Wikipedia)",
        files=(("agr_50_mostcommon_10K.tsv",), ("agr_50_mostcommon_10K.tsv.gz",), ("wiki_agreement.tsv",)),
        address="http://tallinzen.net/media/rnn_agreement/agr_50_mostcommon_10K.tsv.gz",
    )

    def read(self, data: Path, seed: int) -> Corpus:
        (path,) = find(data, "agreement", self.about)
        intake = Intake(self.strict)
        documents = sorted(distinct(list(self._sentences(path, intake))), key=lambda document: document.key)
        parts = in_order(documents, *(self._count(size, len(documents)) for size in (self.train, self.heldout)))
        return Corpus("agreement", NUMBERS, *parts, {"source": path.name, **intake.record()})

    def _count(self, size: float, documents: int) -> int:
        if size < 0 or (size >= 1 and size != int(size)):
            raise InputError(f"corpus agreement: {size:g} is neither a share below 1 nor a number of sentences")
        return int(size) if size >= 1 else round(size * documents)

    def _sentences(self, path: Path, intake: Intake) -> Iterator[Document]:
        linzen = path.name.startswith("agr_")
        dialect = Dialect("\t", self.quoting or ("csv" if linzen else "none"))
        header, rows = delimited.rows(path, dialect)
        yield from intake.read(path, rows, _parser(path, header, dialect))


def _parser(path: Path, header: list[str], dialect: Dialect) -> Callable[[bytes | list[str]], Document]:
    if missing := [name for name in _COLUMNS if name not in header]:
        raise InputError(f"{path}:1: no column {missing[0]!r}; columns: {', '.join(header)}")
    places = [header.index(name) for name in _COLUMNS]

    def parse(row: bytes | list[str]) -> Document:
        fields = delimited.parsed(row, dialect, header)
        return _document(*(fields[place] for place in places))

    return parse


def _document(sentence: str, tagged: str, subject: str, verb: str, verb_tag: str, attractors: str) -> Document:
    """Positions in the file count from 1."""
    words, tags = sentence.split(" "), tagged.split(" ")
    if len(words) != len(tags):
        raise Rejected(f"{len(words)} words, but {len(tags)} tags")
    if words != sentence.split() or tags != tagged.split():
        raise Rejected("between two words or tags there is something else than one space")
    place, end = _whole(subject, "subj_index"), _whole(verb, "verb_index")
    if not 1 <= place < end <= len(words):
        raise Rejected(f"subject {place} and verb {end} are not in order inside {len(words)} words")
    if verb_tag not in _NUMBER or tags[end - 1] != verb_tag:
        raise Rejected(f"the verb's tag is {tags[end - 1]} in the sentence and {verb_tag} in its column")
    return Document(
        key=content_key(sentence, verb),
        words=tuple(words[: end - 1]),
        label=_NUMBER[verb_tag],
        tags=tuple(tags[: end - 1]),
        subject=place - 1,
        facts={"attractors": str(_whole(attractors, "n_diff_intervening"))},
    )


def _whole(text: str, name: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Rejected(f"{name} {text!r} is not a whole number")
    return int(text)
