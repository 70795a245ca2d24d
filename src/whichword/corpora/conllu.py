"""Sentences of CoNLL-U files, checked as trees."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from whichword.corpora.building import Rejected
from whichword.corpora.lines import decoded, numbered_lines
from whichword.errors import InputError

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
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
    """(first line, lines) of each sentence; every sentence ends with an empty line."""
    held: list[bytes] = []
    number = 0
    for number, line in numbered_lines(path):
        if line:
            held.append(line)
        elif held:
            yield number - len(held), held
            held = []
        else:
            raise InputError(f"{path}:{number}: an empty line where a sentence should start")
    if held:
        raise InputError(f"{path}:{number}: the last sentence has no empty line after it: the file may be cut off")


def parse_sentence(lines: Sequence[bytes]) -> tuple[Word, ...]:
    """The words of a sentence: numbered 1, 2, ..., one root, every head inside, no circle, the text as announced."""
    rows = [_fields(decoded(line)) for line in lines if not line.startswith(b"#")]
    plain = [row for row in rows if _number(row[0]) >= 0]
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
    """A whole number in ASCII digits, as many as a sentence can need; -1: it is none."""
    return int(text) if 0 < len(text) <= 6 and text.isascii() and text.isdigit() else -1


def _fields(line: str) -> list[str]:
    fields = line.split("\t")
    if len(fields) != 10 or not all(fields):
        raise Rejected(f"{len(fields)} fields, or an empty one, where ten are due: {line[:40]!r}")
    if _CONTROL.search(line):
        raise Rejected(f"a control character: {line[:40]!r}")
    return fields


def _check_others(rows: Sequence[list[str]], size: int) -> None:
    """Tokens of several words, 3-4, and words that are not written, 5.1, stand where their numbers say."""
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
    """What is written (a token of several words once) is the text of the comment, but for white space."""
    covered, forms = 0, []
    for number, form, *_ in rows:
        first, _, last = number.partition("-")
        if "." not in number and int(first) > covered:
            covered = int(last or first)
            forms.append(form)
    written = "".join("".join(forms).split())
    for comment in announced:
        if "".join(comment.removeprefix("# text = ").split()) != written:
            raise Rejected(f"the words are not those of the text: {comment[9:60]!r}")


def _joined(rows: Sequence[list[str]]) -> set[str]:
    """The numbers of words without a space behind them.

    Inside a token of several words there is none if they spell it (do, n't), else they stand apart (zu, dem for zum).
    """
    joined, forms = set(), {row[0]: row[1] for row in rows}
    for number, form, *_, misc in rows:
        first, dash, last = number.partition("-")
        parts = [str(place) for place in range(int(first), int(last) + 1)] if dash else [number]
        joined |= set(parts[:-1]) if "".join(forms[part] for part in parts) == form else set()
        joined |= {parts[-1]} if "SpaceAfter=No" in misc.split("|") else set()
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
        while not reaches_root[place] and len(path) <= len(words):
            path.append(place)
            place = words[place - 1].head
        if not reaches_root[place]:
            raise Rejected(f"the heads from word {start} run in a circle")
        for passed in path:  # so that no word is passed twice
            reaches_root[passed] = True
