"""Agreement in any treebank of Universal Dependencies: a finite verb with a nominal subject before it.

Sentences are read from CoNLL-U files and checked as trees.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from whichword.corpora.building import Intake, Rejected, distinct
from whichword.corpora.grammar import VerbForms
from whichword.corpora.lines import decoded, numbered_lines
from whichword.corpora.registry import CORPORA, CorpusAbout, find
from whichword.errors import FileError, SettingError
from whichword.text.places import content_key
from whichword.types import NUMBERS, Corpus, Document

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")  # but the tab, which parts fields
_OPEN = ("ADJ", "ADV", "INTJ", "NOUN", "PROPN", "VERB", "PUNCT", "SYM", "X")
_UPOS = frozenset((*_OPEN, "ADP", "AUX", "CCONJ", "DET", "NUM", "PART", "PRON", "SCONJ"))


LONGEST = 5_000  # words per sentence: a document for each subject, of all words before its verb


@dataclass(frozen=True)
class Word:
    """A syntactic word; ``head`` counts from 1, 0 is the root, ``space`` says whether one is written behind it."""

    form: str
    lemma: str
    upos: str
    features: dict[str, str]
    head: int
    relation: str
    space: bool = True


def raw_sentences(path: Path) -> Iterator[tuple[int, list[bytes]]]:
    """Yield (first line, lines) of each sentence; every sentence ends with an empty line."""
    held: list[bytes] = []
    number = 0
    for number, line in numbered_lines(path):
        if line:
            held.append(line)
        elif held:
            yield number - len(held), held
            held = []
        else:
            raise FileError(f"{path}:{number}: an empty line where a sentence should start")
    if held:
        raise FileError(f"{path}:{number}: the last sentence has no empty line after it: the file may be cut off")


def parse_sentence(lines: Sequence[bytes]) -> tuple[Word, ...]:
    """Parse words that are numbered 1, 2, ..., with one root, every head inside, no circle, the text as announced."""
    rows = [_fields(decoded(line)) for line in lines if not line.startswith(b"#")]
    plain = [row for row in rows if _number(row[0]) >= 0]  # without 3-4 and 5.1
    if len(plain) > LONGEST:
        raise Rejected(f"{len(plain)} words: a sentence has at most {LONGEST:,}")
    if [row[0] for row in plain] != [str(place) for place in range(1, len(plain) + 1)] or not plain:
        raise Rejected("the words are not numbered 1, 2, 3, ...")
    _check_others(rows, len(plain))
    _check_text(rows, [decoded(line) for line in lines if line.startswith(b"# text = ")])
    joined = _joined(rows)
    words = tuple(_word(row, len(plain), row[0] not in joined) for row in plain)
    _check_tree(words)
    return words


def _number(text: str) -> int:
    """Read a whole number in ASCII digits, as many as a sentence can need; -1: it is none."""
    return int(text) if 0 < len(text) <= 6 and text.isascii() and text.isdigit() else -1


def _fields(line: str) -> list[str]:
    fields = line.split("\t")
    if len(fields) != 10 or not all(fields):  # "_" stands for an empty one
        raise Rejected(f"{len(fields)} fields, or an empty one, where ten are due: {line[:40]!r}")
    if _CONTROL.search(line):
        raise Rejected(f"a control character: {line[:40]!r}")
    return fields


def _check_others(rows: Sequence[list[str]], size: int) -> None:
    """Check that tokens of several words, 3-4, and words not written, 5.1, stand where their numbers say."""
    reached = 0
    for number in (row[0] for row in rows):
        first, dash, last = number.partition("-")
        before, dot, step = number.partition(".")
        if number == str(reached + 1):
            reached += 1
        elif dash and first == str(reached + 1) and reached < _number(last) <= size:
            continue
        elif not (dot and before == str(reached) and _number(step) >= 0):
            raise Rejected(f"{number!r} is out of order")


def _check_text(rows: Sequence[list[str]], announced: Sequence[str]) -> None:
    """Check that what is written (3-4 once) is the text of the comment, but for white space."""
    covered, forms = 0, []
    for number, form, *_ in rows:
        first, _, last = number.partition("-")
        if "." not in number and int(first) > covered:  # 3-4 says what is written of 3 and 4
            covered = int(last or first)
            forms.append(form)
    written = "".join("".join(forms).split())
    for comment in announced:
        if "".join(comment.removeprefix("# text = ").split()) != written:
            raise Rejected(f"the words are not those of the text: {comment[9:60]!r}")


def _joined(rows: Sequence[list[str]]) -> set[str]:
    """Number the words without a space behind them.

    Inside a token of several words there is none if they spell it (do, n't), else they stand apart (zu, dem for zum).
    """
    joined, forms = set(), {row[0]: row[1] for row in rows}
    for number, form, *_, misc in rows:
        first, dash, last = number.partition("-")
        parts = [str(place) for place in range(int(first), int(last) + 1)] if dash else [number]
        joined |= set(parts[:-1]) if "".join(forms[part] for part in parts) == form else set()
        joined |= {parts[-1]} if "SpaceAfter=No" in misc.split("|") else set()  # said of the last one
    return joined


def _word(row: Sequence[str], size: int, space: bool) -> Word:
    _, form, lemma, upos, _, features, head, relation, _, _ = row
    if upos not in _UPOS:
        raise Rejected(f"{upos!r} is no universal part of speech")
    if not 0 <= _number(head) <= size:
        raise Rejected(f"head {head!r} is not in the sentence")
    if (head == "0") != (relation.partition(":")[0] == "root"):
        raise Rejected(f"head {head} does not go with relation {relation!r}")
    return Word(form, lemma, upos, _features(features), int(head), relation, space)


def _features(text: str) -> dict[str, str]:
    if text == "_":
        return {}
    pairs = [part.partition("=") for part in text.split("|")]
    if len({name for name, _, _ in pairs}) < len(pairs) or not all(name and value for name, _, value in pairs):
        raise Rejected(f"features {text!r} are not Name=Value|...")
    return {name: value for name, _, value in pairs}


def _check_tree(words: Sequence[Word]) -> None:
    if sum(word.head == 0 for word in words) != 1:
        raise Rejected("not one root, but none or several")
    reaches_root = [False] * (len(words) + 1)
    reaches_root[0] = True
    for start in range(1, len(words) + 1):
        path: list[int] = []
        place = start
        while not reaches_root[place] and len(path) <= len(words):  # a longer path runs in a circle
            path.append(place)
            place = words[place - 1].head
        if not reaches_root[place]:
            raise Rejected(f"the heads from word {start} run in a circle")
        for passed in path:  # so that no word is passed twice
            reaches_root[passed] = True


_NUMBER = {"Sing": NUMBERS[0], "Plur": NUMBERS[1]}
_TAGS = {  # the tags that tell a number, for any language
    ("NOUN", "Sing"): "NN",
    ("NOUN", "Plur"): "NNS",
    ("PROPN", "Sing"): "NNP",
    ("PROPN", "Plur"): "NNPS",
    ("finite", "Sing"): "VBZ",
    ("finite", "Plur"): "VBP",
}
_HELPERS = ("aux", "cop")  # relations of the finite verb to a head that is none


@CORPORA.register("ud")
@dataclass(frozen=True)
class UniversalDependencies:
    """X is everything before the verb, in lower case; the label is the verb's Number, which the subject shares.

    The files *train*, *dev* and *test*.conllu of ``folder`` (needed if there are several treebanks) are the parts.
    Words that are not among the ``frequent`` most frequent ones of the training file are replaced by their tags, unless
    they are taken as ``written``: in their own case and spacing, all of them, as a language model wants them.

    Facts ``singular`` and ``plural`` are the verb's forms: its own, and the most frequent form that the treebank has
    with the same lemma and features but the number.

    ``feature=Gender`` (or Person, ...) asks for another feature that verbs share with their subjects: labels and tags
    are its values as the treebank writes them. Play it as ``agreement[feature=Gender]``.
    """

    folder: str = "UD_*"
    frequent: int = 10_000
    written: bool = False
    feature: str = "Number"
    strict: bool = True

    about: ClassVar[CorpusAbout] = CorpusAbout(
        source="Universal Dependencies, https://universaldependencies.org",
        licence="by treebank, most CC BY-SA",
        files=(("UD_*",),),
        how="put a treebank's folder (UD_Language-Name with its .conllu files) there, from universaldependencies.org",
    )

    def read(self, data: Path, seed: int) -> Corpus:
        folders = [path for path in find(data, "ud", replace(self.about, files=((self.folder,),))) if path.is_dir()]
        if len(folders) != 1:
            names = ", ".join(path.name for path in folders) or "none"
            raise SettingError(f"corpus ud: several treebanks or none in {data} ({names}): say ud[folder=NAME]")
        intake = Intake(self.strict)
        sentences = [list(_sentences(folders[0], part, intake)) for part in ("train", "dev", "test")]
        wording = _Wording.written() if self.written else _Wording.frequent(sentences[0], self.frequent)
        forms = VerbForms(_sightings(word for part in sentences for words in part for word in words))
        feature = NUMBER if self.feature == "Number" else _Feature.values(self.feature)
        makers = (wording, forms, feature)
        parts = [[document for words in part for document in _documents(words, *makers)] for part in sentences]
        documents = iter(distinct([document for part in parts for document in part]))  # distinct over all parts
        train, heldout, test = (tuple(next(documents) for _ in part) for part in parts)
        record = {"source": folders[0].name, **intake.record(), "sentences": "the treebank's"}
        classes = feature.classes or tuple(sorted({document.label for part in parts for document in part}))
        if len(classes) < 2:
            raise FileError(f"{folders[0]}: no verbs that differ in {self.feature} and share it with their subjects")
        return Corpus("ud", classes, train, heldout, test, record)


@dataclass(frozen=True)
class _Feature:
    """A feature in which verbs agree: value -> class (none: the value itself), the verb it is read off, the tags."""

    name: str
    classes: tuple[str, ...]
    label: Callable[[str], str]
    on: Callable[[Word], bool]
    tag: Callable[[Word], str]

    @staticmethod
    def values(name: str) -> "_Feature":
        """Take any feature but Number: its values are classes and tags, on whatever verb has it."""

        def has(word: Word) -> bool:
            return word.upos in ("VERB", "AUX") and name in word.features

        return _Feature(name, (), str, has, lambda word: word.features.get(name, ""))

    def of(self, word: Word) -> str:
        """Return the word's class; "" where it has none."""
        return self.label(word.features.get(self.name, ""))


def _sentences(folder: Path, part: str, intake: Intake) -> Iterator[tuple[Word, ...]]:
    paths = sorted(folder.glob(f"*{part}*.conllu"))
    if not paths:
        raise FileError(f"{folder}: no file *{part}*.conllu")
    for path in paths:
        yield from intake.read(path, raw_sentences(path), parse_sentence)


@dataclass(frozen=True)
class _Wording:
    """What stands for a word, and what is written behind it."""

    form: Callable[[Word], str]
    gap: Callable[[Word], str]

    @staticmethod
    def written() -> "_Wording":
        """Write every word itself."""
        return _Wording(lambda word: word.form, lambda word: " " if word.space else "")

    @staticmethod
    def frequent(sentences: Sequence[tuple[Word, ...]], size: int) -> "_Wording":
        """Write a word in lower case if it is frequent, else its tag."""
        counts = Counter(word.form.lower() for words in sentences for word in words)
        frequent = {form for _, form in sorted((-count, form) for form, count in counts.items())[:size]}
        return _Wording(lambda word: form if (form := word.form.lower()) in frequent else tag(word), lambda word: " ")

    def text(self, words: Sequence[Word]) -> str:
        return "".join(self.form(word) + self.gap(word) for word in words).removesuffix(" ")


def _sightings(words: Iterable[Word]) -> Iterator[tuple[Hashable, str, str]]:
    for word in words:
        if _finite(word) and word.lemma != "_" and (number := word.features.get("Number", "")) in _NUMBER:
            yield _verb(word), _NUMBER[number], word.form.lower()


def _verb(word: Word) -> Hashable:
    """Return what a verb's two forms share: the lemma and all features but the number."""
    return word.lemma, frozenset(pair for pair in word.features.items() if pair[0] != "Number")


def tag(word: Word) -> str:
    """Return NN, NNS, NNP, NNPS, VBZ or VBP by part of speech and Number; else the universal part of speech."""
    kind = "finite" if _finite(word) else word.upos
    return _TAGS.get((kind, word.features.get("Number", "")), word.upos)


def _finite(word: Word) -> bool:
    return word.upos in ("VERB", "AUX") and word.features.get("VerbForm") == "Fin"


NUMBER = _Feature("Number", NUMBERS, lambda value: _NUMBER.get(value, ""), _finite, tag)


def _documents(words: Sequence[Word], wording: _Wording, forms: VerbForms, feature: _Feature) -> Iterator[Document]:
    """Make a document of each subject whose verb comes later and has its number, or what else is asked for."""
    helpers = _helpers(words)
    for place, subject in enumerate(words):
        verb = _verb_of(words, subject, helpers, feature)
        if verb is None or verb <= place or subject.upos not in ("NOUN", "PROPN"):  # X ends at the verb
            continue
        if feature.of(words[verb]) and feature.of(subject) == feature.of(words[verb]):
            yield _document(words, place, verb, wording, forms, feature)


def _helpers(words: Sequence[Word]) -> dict[int, list[int]]:
    """Map head -> where its auxiliaries and copulas stand."""
    places: dict[int, list[int]] = {}
    for place, word in enumerate(words):
        if word.relation.partition(":")[0] in _HELPERS:  # aux:pass, too
            places.setdefault(word.head, []).append(place)
    return places


def _verb_of(words: Sequence[Word], subject: Word, helpers: Mapping[int, list[int]], feature: _Feature) -> int | None:
    """Find the verb that a subject belongs to: its head, or the head's auxiliary or copula."""
    if subject.relation.partition(":")[0] != "nsubj":  # nsubj:pass, too
        return None
    candidates = [subject.head - 1, *helpers.get(subject.head, ())]  # heads count from 1
    return next((place for place in candidates if feature.on(words[place])), None)


def _document(
    words: Sequence[Word], subject: int, verb: int, wording: _Wording, forms: VerbForms, feature: _Feature
) -> Document:
    label = feature.of(words[verb])
    both = forms.facts(_verb(words[verb]), label, words[verb].form.lower()) if feature is NUMBER else {}
    nouns = [word for word in words[subject + 1 : verb] if word.upos == "NOUN"]
    attractors = sum(feature.of(word) not in ("", label) for word in nouns)
    return Document(
        key=content_key(" ".join(word.form for word in words), str(subject), str(verb)),  # X alone may occur twice
        words=tuple(map(wording.form, words[:verb])),
        label=label,
        tags=tuple(map(feature.tag, words[:verb])),
        subject=subject,
        facts={"attractors": str(attractors), **both},
        text=wording.text(words[:verb]),
    )
