"""Sentences with subject and verb, in the columns of Linzen, Dupoux and Goldberg (2016)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from whichword.corpora import delimited
from whichword.corpora.building import Intake, Rejected, distinct, in_order
from whichword.corpora.delimited import Dialect
from whichword.corpora.grammar import VerbForms, singular_of
from whichword.corpora.registry import CORPORA, CorpusAbout, find
from whichword.errors import FileError, SettingError
from whichword.text.places import content_key
from whichword.types import NUMBERS, Corpus, Document

_COLUMNS = ("sentence", "pos_sentence", "subj_index", "verb_index", "verb_pos", "n_diff_intervening")
_WRITTEN = "orig_sentence"  # with the rare words that are tags elsewhere
_VERB = "verb"  # the column of the verb as it was written; files without it know the frequent verbs alone
_NUMBER = {"VBZ": NUMBERS[0], "VBP": NUMBERS[1]}  # present tense: third person singular, and all others


@CORPORA.register("agreement")
@dataclass(frozen=True)
class AgreementCorpus:
    """X is everything before the verb, the label is the verb's number.

    ``quoting`` says how the file was written: csv or none; "" takes none for our names and looks into a file with one
    of Linzen's, whose own writer is a csv one: it is passed on with quotes and without. ``train`` and ``heldout`` are
    shares, or counts from 1 on; the rest is test. Sentences are in the order of a hash of their text, so a part is a
    random one. Rare words are their tags, unless they are taken as ``written``.

    Facts ``singular`` and ``plural`` are the verb's forms: its own, and the other one by English spelling, if some
    sentence of the file has that form with that tag.
    """

    train: float = 0.09
    heldout: float = 0.01
    quoting: str = ""
    written: bool = False
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
        sentences = _with_forms(distinct(list(self._sentences(path, intake))))
        documents = sorted(sentences, key=lambda document: document.key)
        parts = in_order(documents, *(self._count(size, len(documents)) for size in (self.train, self.heldout)))
        return Corpus("agreement", NUMBERS, *parts, {"source": path.name, **intake.record()})

    def _count(self, size: float, documents: int) -> int:
        if size < 0 or (size >= 1 and size != int(size)):
            raise SettingError(f"corpus agreement: {size:g} is neither a share below 1 nor a number of sentences")
        return int(size) if size >= 1 else round(size * documents)

    def _sentences(self, path: Path, intake: Intake) -> Iterator[Document]:
        linzen = path.name.startswith("agr_")
        dialect = Dialect("\t", self.quoting or (delimited.quoting_of(path, "\t") if linzen else "none"))
        header, rows = delimited.rows(path, dialect)
        yield from intake.read(path, rows, _parser(path, header, dialect, self.written))


def _parser(path: Path, header: list[str], dialect: Dialect, written: bool) -> Callable[[bytes | list[str]], Document]:
    if missing := [name for name in (*_COLUMNS, *[_WRITTEN] * written) if name not in header]:
        raise FileError(f"{path}:1: no column {missing[0]!r}; columns: {', '.join(header)}")

    def parse(row: bytes | list[str]) -> Document:
        return _document(dict(zip(header, delimited.parsed(row, dialect, header), strict=True)), written)

    return parse


def _document(columns: Mapping[str, str], written: bool) -> Document:
    """Make a document of a row; positions in the file count from 1."""
    words, tags = _words(columns["sentence"], columns["pos_sentence"])
    place, end = _whole(columns["subj_index"], "subj_index"), _whole(columns["verb_index"], "verb_index")
    if not 1 <= place < end <= len(words):
        raise Rejected(f"subject {place} and verb {end} are not in order inside {len(words)} words")
    verb_tag = columns["verb_pos"]
    if verb_tag not in _NUMBER or tags[end - 1] != verb_tag:
        raise Rejected(f"the verb's tag is {tags[end - 1]} in the sentence and {verb_tag} in its column")
    number = _NUMBER[verb_tag]
    attractors = _whole(columns["n_diff_intervening"], "n_diff_intervening")
    return Document(
        key=content_key(columns["sentence"], columns["verb_index"]),  # a sentence may be there with several verbs
        words=_written(columns[_WRITTEN], end - 1) if written else tuple(words[: end - 1]),
        label=number,
        tags=tuple(tags[: end - 1]),
        subject=place - 1,
        facts={"attractors": str(attractors), number: _form(columns, words[end - 1])},
    )


def _words(sentence: str, tagged: str) -> tuple[list[str], list[str]]:
    words, tags = sentence.split(" "), tagged.split(" ")
    if len(words) != len(tags):
        raise Rejected(f"{len(words)} words, but {len(tags)} tags")
    if words != sentence.split() or tags != tagged.split():
        raise Rejected("between two words or tags there is something else than one space")
    return words, tags


def _written(sentence: str, count: int) -> tuple[str, ...]:
    """Return the words before the verb, rare ones as they were written."""
    words = tuple(sentence.split(" ")[:count])
    if len(words) < count or not all(words):
        raise Rejected(f"{len(words)} words as written, but {count} before the verb")
    return words


def _form(columns: Mapping[str, str], frequent: str) -> str:
    """Return the verb as it was written; "": the file has nothing but its tag."""
    return columns.get(_VERB, "" if frequent == columns["verb_pos"] else frequent).lower()


def _with_forms(documents: Sequence[Document]) -> list[Document]:
    """Give each document both forms of its verb, or neither. A verb is known by its third person."""
    written = [(document.label, document.facts[document.label]) for document in documents]
    verbs = [form if number == NUMBERS[0] else singular_of(form) for number, form in written]
    forms = VerbForms((verb, number, form) for verb, (number, form) in zip(verbs, written, strict=True))
    return [
        replace(document, facts={"attractors": document.facts["attractors"], **forms.facts(verb, number, form)})
        for document, verb, (number, form) in zip(documents, verbs, written, strict=True)
    ]


def _whole(text: str, name: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):  # int() reads other digits, too, of any number
        raise Rejected(f"{name} {text!r} is not a whole number")
    return int(text)
