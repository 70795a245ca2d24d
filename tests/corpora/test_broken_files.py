"""Two thousand broken files a reader: an error in one line, or nothing but records that were there.

A reader cannot see that one letter of a text was changed, so the files are broken where it can: cut off, with marks of
the format lost, added or doubled, with lines lost, doubled or in another order, with bytes that are no text. Formats
with checksums (gzip, Parquet) are broken at any byte.
"""

import gzip
import random
import re
from io import BytesIO

import pyarrow as pa
import pytest
from faults import count, size
from pyarrow import parquet

from whichword.corpora import read_corpus
from whichword.corpora.marking import FORMS, OF_TEXT
from whichword.errors import InputError

FILES = size("broken files per reader")
BAD_BYTES = [b"\xff", b"\xc3", b"\x00", b"\xed\xa0\x80", b"\xf8"]


def truncated(content, rng):
    return content[: rng.randrange(len(content))]


def bad_bytes(content, rng):
    place = rng.randrange(len(content))
    return content[:place] + rng.choice(BAD_BYTES) + content[place + rng.randrange(2) :]


def lines_moved(content, rng):
    lines = content.split(b"\n")
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    choice = rng.randrange(3)
    if choice == 0:
        del lines[one]
    elif choice == 1:
        lines.insert(one, lines[two])
    else:
        lines[one], lines[two] = lines[two], lines[one]
    return b"\n".join(lines)


def marks(pattern, inserted):
    """A mutation: one mark of the format is lost, doubled or replaced, or stands where no text is."""

    def mutate(content, rng):
        place, end = rng.choice([found.span() for found in re.finditer(pattern, content)])
        mark = content[place:end]
        return content[:place] + rng.choice([b"", mark * 2, *inserted, mark + rng.choice(inserted)]) + content[end:]

    return mutate


def replaced(pattern, others):
    """A mutation: one mark becomes another."""

    def mutate(content, rng):
        place, end = rng.choice([found.span() for found in re.finditer(pattern, content)])
        return content[:place] + rng.choice(others) + content[end:]

    return mutate


def any_bytes(content, rng):
    """For formats with checksums: anything anywhere."""
    place = rng.randrange(len(content))
    length = rng.choice((1, 1, 4, 40))
    junk = rng.choice((rng.randbytes(length), b"", bytes(length), content[place : place + length] * 2))
    return content[:place] + junk + content[place + length :]


CSV = b'id,text,label\n1,"one, ""two"" three",good\n2,four five,bad\n3,"six\nseven",bad\n4,eight,good\n'
TSV = b'id\ttext\tlabel\n1\tone "two three\tgood\n2\tfour five\tbad\n3\tsix, seven\tbad\n'
JSONL = (
    b'{"text": "one two", "label": "good"}\n{"text": "three\\n four", "label": "bad"}\n{"label": 7, "text": "five"}\n'
)
CONLLU = (
    b"# text = The dogs of the king bark\n1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n"
    b"2\tdogs\tdog\tNOUN\tNNS\tGender=Masc|Number=Plur\t6\tnsubj\t_\t_\n3\tof\tof\tADP\tIN\t_\t5\tcase\t_\t_\n"
    b"4\tthe\tthe\tDET\tDT\t_\t5\tdet\t_\t_\n5\tking\tking\tNOUN\tNN\tNumber=Sing\t2\tnmod\t_\t_\n"
    b"6\tbark\tbark\tVERB\tVBP\tGender=Masc|Number=Plur|VerbForm=Fin\t0\troot\t_\t_\n\n"
    b"# text = Kim is-here\n"
    b"1\tKim\tKim\tPROPN\tNNP\tGender=Fem|Number=Sing\t3\tnsubj\t_\t_\n2-3\tis-here\t_\t_\t_\t_\t_\t_\t_\t_\n"
    b"2\tis\tbe\tAUX\tVBZ\tGender=Fem|Number=Sing|VerbForm=Fin\t3\tcop\t_\t_\n3\there\there\tADV\tRB\t_\t0\troot\t_\t_\n\n"
)
SINK = BytesIO()
parquet.write_table(
    pa.table({"text": ["one two", "three", "four five six"], "label": ["good", "bad", "good"]}),
    SINK,
    compression="none",
    write_page_checksum=True,
)

MARKED = {  # the marks of both texts in every form, the first once by class
    "positions": (b'{"good": [0, 1], "bad": []}', b"[1, 2]"),
    "spans": (b"[[0, 2]]", b'{"bad": [[1, 3]], "good": []}'),
    "flags": (b"[[1, 1], [1, 0]]", b"[0, 1, 1]"),
    "characters": (b"[[0, 7]]", b"[[6, 10], [11, 15]]"),
    "quotes": (b'["one two"]', b'["four", "five"]'),
    "eraser": (b'[[{"start_token": 0, "end_token": 2}]]', b'[[{"start_token": 1, "end_token": 3}]]'),
}
TWINS = (
    b'{"text": "one two", "label": "good", "id": "a"}\n{"text": "one three", "label": "bad", "id": "a"}\n'
    b'{"text": "four five six", "label": "good", "id": "b"}\n{"text": "five six", "label": "bad", "id": "b"}\n'
)
MINIMAL = b'{"text": "one two", "label": "good", "other": "one three", "with": "bad"}\n' * 2
UNLABELLED = b'{"good": "one two", "bad": "one three"}\n{"good": "four five six", "bad": "four six"}\n'
WORDS = b'words,label,why\none two,good,"[0, 1]"\nthree four five,bad,"[1, 2]"\nsix,bad,[]\n'
JSON_BROKEN = [truncated, bad_bytes, lines_moved, marks(rb'[{}\[\]":,\n]', [b'"', b"\n"])]

# the marks of a CSV file that are not inside a quoted field
CSV_MARKS = marks(rb'(?<=\w),(?=["\w])|(?<=,bad)\n|(?<=good)\n|(?<=label)\n', [b'"', b",", b"\n", b"\r"])
CSV_BROKEN = [truncated, bad_bytes, CSV_MARKS, replaced(rb'(?<=,)"(?=\w)|"(?=,)', [b"", b'""', b",", b"\n", b"\r"])]
TABLE_BROKEN = [truncated, bad_bytes, marks(rb'[,"\n\[\]]', [b'"', b",", b"\n", b"\r"])]
# name: file name, settings, content, mutations
READERS = {
    "csv": ("r.csv", "", CSV, CSV_BROKEN),
    "csv, not strict": ("r.csv", "[strict=false]", CSV, CSV_BROKEN),
    "tsv": ("r.tsv", "", TSV, [truncated, bad_bytes, lines_moved, marks(rb"[\t\n]", [b"\t", b"\n", b"\r"])]),
    "tsv, not strict": ("r.tsv", "[strict=false]", TSV, [truncated, bad_bytes, lines_moved, marks(rb"\t|\n", [b"\t"])]),
    "jsonl": (
        "r.jsonl",
        "",
        JSONL,
        [truncated, bad_bytes, lines_moved, marks(rb'[{}":,\n]', [b'"', b"\n"])],
    ),
    "jsonl, not strict": ("r.jsonl", "[strict=false]", JSONL, [truncated, bad_bytes, marks(rb'[{}"]', [b'"', b"\n"])]),
    **{
        f"rationales, {form}": (
            "r.jsonl",
            f"[words=words,rationale=why,marks={form}]",
            b'{"words": ["one", "two"], "label": "good", "why": %b}\n'
            b'{"words": ["three", "four", "five"], "label": "bad", "why": %b}\n' % marked,
            JSON_BROKEN,
        )
        for form, marked in MARKED.items()
    },
    **{
        f"rationales of texts, {form}": (
            "r.jsonl",
            f"[rationale=why,marks={form}]",
            b'{"text": "one two", "label": "good", "why": %b}\n'
            b'{"text": "three four five", "label": "bad", "why": %b}\n' % MARKED[form],
            JSON_BROKEN,
        )
        for form in OF_TEXT
    },
    "rationales in a table": ("r.csv", "[words=words,rationale=why]", WORDS, TABLE_BROKEN),
    "twins in two records": ("r.jsonl", "[pair=id]", TWINS, JSON_BROKEN),
    "twins in one record": ("r.jsonl", "[twin=other,twin_label=with]", MINIMAL, JSON_BROKEN),
    "twins without labels": ("r.jsonl", "[text=good,label=none,twin=bad]", UNLABELLED, JSON_BROKEN),
    "gzip": ("r.csv.gz", "", gzip.compress(CSV, mtime=0), [truncated, any_bytes]),
    "parquet": ("r.parquet", "", SINK.getvalue(), [truncated, any_bytes]),
}


def read(spelling, data=None):
    corpus = read_corpus(spelling, data)
    parts = corpus.train + corpus.heldout + corpus.test
    keys = ("words", "label", "tags", "subject")
    truth = {d.key: tuple(sorted(d.truth.items())) for d in parts}
    return {(*(getattr(d, k) for k in keys), tuple(d.facts.items()), truth[d.key]) for d in parts}, corpus.record


def play(path, content, mutations, spelling, data=None, files=FILES):
    """Read the sound file, then the broken ones; how many were refused, and how many read."""
    path.write_bytes(content)
    sound, _ = read(spelling, data)
    rng, read_well, messages = random.Random(path.name), 0, set()
    for number in range(files):
        broken = mutations[number % len(mutations)](content, rng)
        path.write_bytes(broken)
        try:
            found, record = read(spelling, data)
        except InputError as error:
            messages.add(str(error))
            continue
        assert found <= sound, (number, broken, found - sound)
        assert int(record["accepted"]) + int(record["rejected"]) == int(record["seen"])
        read_well += 1
    assert all(path.name in message and "\n" not in message for message in messages)
    count("broken files", files)
    return read_well


@pytest.mark.parametrize("name", READERS)
def test_broken_files_give_an_error_or_sound_records(tmp_path, name):
    """Among them rationales in every form."""
    assert {f"rationales, {form}" for form in FORMS} <= READERS.keys()
    file, settings, content, mutations = READERS[name]
    files = FILES // 4 if "strict" in settings else FILES
    assert 0 < play(tmp_path / file, content, mutations, f"{tmp_path / file}{settings}", files=files) < files


OTHERS = [b"null", b"true", b'"x"', b"{}", b"[]", b"[[]]", b"-1", b"0", b"1.0", b"9" * 400, b"[" * 2000]
MARKS = [name for name in READERS if name.startswith(("rationales", "twins")) and READERS[name][0] == "r.jsonl"]


@pytest.mark.parametrize("name", MARKS)
def test_values_of_another_kind_are_read_or_refused(tmp_path, name):
    """A file may be sound JSON and hold something else than is expected: whatever is right is a word of its text."""
    file, settings, content, _ = READERS[name]
    path, rng, messages = tmp_path / file, random.Random(name), []
    other = replaced(rb'-?\d+|"(?:[^"\\]|\\.)*"(?!:)|(?<=: )[\[{](?!")[^{}\n]*[\]}](?=\})', OTHERS)
    for _ in range(FILES // 4):
        path.write_bytes(other(content, rng))
        try:
            corpus = read_corpus(f"{path}{settings}")
        except InputError as error:
            messages.append(str(error))
            continue
        for document in corpus.train + corpus.heldout + corpus.test:
            for places in document.truth.values():
                assert list(places) == sorted(set(places) & set(range(len(document.words))))
    assert messages
    assert all(path.name in message and "\n" not in message for message in messages)
    count("broken files", FILES // 4)


@pytest.mark.parametrize("settings", ["strict=true", "strict=false", "feature=Gender"])
def test_broken_treebanks(tmp_path, settings):
    folder = tmp_path / "UD_Test"
    folder.mkdir()
    for part in ("train", "dev"):
        (folder / f"{part}.conllu").write_bytes(CONLLU)
    mutations = [truncated, bad_bytes, lines_moved, marks(rb"[\t\n]", [b"\t", b"\n", b"\r"])]
    files = FILES // 4 if "false" in settings else FILES
    assert 0 < play(folder / "test.conllu", CONLLU, mutations, f"ud[{settings}]", tmp_path, files) < files


AGREEMENT = (
    b"sentence\tpos_sentence\tsubj_index\tverb_index\tverb_pos\tn_diff_intervening\n"
    b"the dogs of the NN bark .\tDT NNS IN DT NN VBP .\t2\t6\tVBP\t1\na king sleeps\tDT NN VBZ\t2\t3\tVBZ\t0\n"
)


def test_broken_agreement_files(tmp_path):
    mutations = [truncated, bad_bytes, lines_moved, marks(rb"[\t\n ]", [b"\t", b"\n", b" ", b"\r"])]
    assert 0 < play(tmp_path / "wiki_agreement.tsv", AGREEMENT, mutations, "agreement", tmp_path) < FILES


def test_a_treebank_may_have_any_line_ends(tmp_path):
    for name, content in (("a", CONLLU), ("b", CONLLU.replace(b"\n", b"\r\n"))):
        folder = tmp_path / name / "UD_Test"
        folder.mkdir(parents=True)
        for part in ("train", "dev", "test"):
            (folder / f"{part}.conllu").write_bytes(content)
    assert read("ud", tmp_path / "a") == read("ud", tmp_path / "b")
