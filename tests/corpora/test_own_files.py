"""A user's own files: read exactly, or refused with file, line and reason."""

import csv
import gzip
import json

import pyarrow as pa
import pytest
from pyarrow import parquet

from whichword.corpora import counts_line, read_corpus
from whichword.errors import InputError


def records(corpus):
    return sorted((" ".join(d.words), d.label) for d in corpus.train + corpus.heldout + corpus.test)


EXPECTED = [("a dull film", "bad"), ("a film , a very \" good \" one", "good"), ("two lines", "bad")]  # fmt: skip
CSV = 'text,id,label\n"a film, a very ""good"" one",1,good\na dull film,2,bad\n"two\nlines",3,bad\n'


@pytest.fixture
def write(tmp_path):
    def written(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return written


def test_csv_with_quotes_delimiters_and_line_ends_inside_fields(write):
    corpus = read_corpus(write("r.csv", CSV))
    assert records(corpus) == EXPECTED
    assert corpus.classes == ("bad", "good")
    assert corpus.name == "r.csv"
    assert counts_line(corpus.record) == "3 accepted + 0 rejected = 3 seen"


def test_gzip_and_crlf(write):
    path = write("r.csv.gz", gzip.compress(CSV.replace("\n", "\r\n").encode()))
    for settings in ("", "[ends=crlf]", "[ends=any]"):
        assert [label for _, label in records(read_corpus(path + settings))] == ["bad", "good", "bad"]
    with pytest.raises(InputError, match="the line does not end as ends=lf says"):
        read_corpus(f"{path}[ends=lf]")


def test_what_pythons_csv_module_writes_is_read_exactly(tmp_path):
    rows = [("a\nb", "x"), ("c\r\nd", "y"), ('e, "f"', "x"), ("g", "y")]
    with (tmp_path / "r.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("text", "label"), *rows])
    corpus = read_corpus(str(tmp_path / "r.csv"))
    documents = corpus.train + corpus.heldout + corpus.test
    assert {(document.text, document.label) for document in documents} == set(rows)


@pytest.mark.parametrize("name", ["r.tsv", "r.jsonl"])
def test_line_ends_are_no_part_of_the_text(write, name):
    lines = {"r.tsv": "text\tlabel\na\tx\nb\ty\n", "r.jsonl": '{"text":"a","label":"x"}\n{"text":"b","label":"y"}\n'}
    assert records(read_corpus(write(name, lines[name].replace("\n", "\r\n")))) == [("a", "x"), ("b", "y")]


def test_a_label_that_is_number_and_text_is_refused(write):
    lines = [{"text": "a", "label": 1}, {"text": "b", "label": 0}, {"text": "c", "label": "1"}]
    path = write("r.jsonl", "\n".join(map(json.dumps, lines)))
    with pytest.raises(InputError, match=r"r\.jsonl:3: the label 1 is a text in one record and not in another"):
        read_corpus(path)
    assert read_corpus(f"{path}[strict=false]").record["rejected"] == "1"


def test_tsv_takes_quotes_as_text_and_csv_quoting_when_told(write):
    path = write("r.tsv", 'text\tlabel\nsay "a" b\tx\nu\u2028v\x0bw\ty\n')
    assert records(read_corpus(path)) == [('say " a " b', "x"), ("u v w", "y")]
    quoted = write("q.tsv", 'text\tlabel\n"a\tb"\tx\nc\ty\n')
    assert records(read_corpus(f"{quoted}[quoting=csv]")) == [("a b", "x"), ("c", "y")]


def test_json_lines_with_labels_of_any_plain_kind(write):
    lines = [{"body": "a", "n": 1}, {"body": "b", "n": "x"}, {"body": "c", "n": True, "more": [None]}]
    path = write("r.jsonl", "\n".join(map(json.dumps, lines)))
    corpus = read_corpus(path, text="body", label="n")
    assert records(corpus) == [("a", "1"), ("b", "x"), ("c", "true")]
    assert corpus.name == "r.jsonl[label=n,text=body]"
    assert records(read_corpus(f"{path}[text=body,label=n]")) == records(corpus)


def test_parquet(tmp_path):
    path = tmp_path / "r.parquet"
    columns = {"text": ["a b", "c"], "label": pa.array(["x", "y"]).dictionary_encode(), "other": [1.5, None]}
    parquet.write_table(pa.table(columns), path)
    assert records(read_corpus(str(path))) == [("a b", "x"), ("c", "y")]


def test_a_part_column_says_where_documents_go(write):
    corpus = read_corpus(write("r.csv", "text,label,set\na,x,train\nb,y,heldout\nc,x,test\nd,y,test\n") + "[part=set]")
    assert [[d.words[0] for d in part] for part in (corpus.train, corpus.heldout, corpus.test)] == [
        ["a"],
        ["b"],
        ["c", "d"],
    ]


def test_parts_are_chosen_by_content_whatever_the_order_and_repeats_stay_together(write):
    rows = [f"word{i},{'xy'[i % 2]}" for i in range(300)] + ["word7,y"]
    one = read_corpus(write("a.csv", "\n".join(["text,label", *rows, ""])))
    two = read_corpus(write("b.csv", "\n".join(["text,label", *rows[::-1], ""])))
    for part in ("train", "heldout", "test"):
        assert {d.key for d in getattr(one, part)} == {d.key for d in getattr(two, part)}
    assert 200 < len(one.train) < 270
    assert any({"word7"} <= {d.words[0] for d in part} and len([d for d in part if d.words == ("word7",)]) == 2
               for part in (one.train, one.heldout, one.test))  # fmt: skip


def test_documents_without_words_are_dropped_and_counted(write):
    corpus = read_corpus(write("r.csv", "text,label\na,x\n  ,x\nb,y\n"))
    assert counts_line(corpus.record) == "3 accepted + 0 rejected = 3 seen; dropped: 1 without words"


BROKEN = {
    "no header": (b"", r":1: the file is empty"),
    "no column": (b"text,stars\na,b\n", r":1: no column 'label'; columns: text, stars"),
    "two equal columns": (b"text,text,label\na,b,c\n", r":1: two columns have one name"),
    "too few fields": (b"text,label\na,x\nb\n", r":3: 1 fields where the header has 2"),
    "too many fields": (b"text,label\na,b,x\n", r":2: 3 fields where the header has 2"),
    "header again": (b"text,label\na,x\ntext,label\n", r":3: the header again"),
    "empty label": (b"text,label\na,x\nb,\n", r":3: the label is empty"),
    "quote inside": (b'text,label\na "b,x\nc" d,y\n', r":2: a quote inside a field"),
    "text after quote": (b'text,label\n"a"b,x\n', r":2: after the closing quote of field 1 comes 'b'"),
    "open quote": (b'text,label\na,x\n"b,y\nc,x\n', r":3: a quote is opened and never closed"),
    "not utf-8": (b"text,label\na,x\n\xff,y\n", r":3: not UTF-8 at byte 1"),
    "byte order mark": (b"\xef\xbb\xbftext,label\na,x\n", r":1: starts with a byte order mark"),
    "cut off": (b"text,label\na,x\nb,y", r":3: the last line has no end"),
    "return inside": (b"text,label\na\rb,x\n", r":2: a line end inside a field without quotes"),
    "nul": (b"text,label\na\0b,x\n", r":2: the character NUL"),
    "one class": (b"text,label\na,x\nb,x\n", r"column 'label' has 1 classes"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_csv_is_refused_with_line_and_reason(write, name):
    content, message = BROKEN[name]
    with pytest.raises(InputError, match=r"r\.csv" + message if message[0] == ":" else message) as caught:
        read_corpus(write("r.csv", content))
    assert "\n" not in str(caught.value)


BROKEN_LINES = {
    "not json": ('{"text": "a"', "not JSON at character"),
    "two objects": ('{"text": "a", "label": "x"}{}', "not JSON at character 28: Extra data"),
    "no object": ("[1]", "not a JSON object"),
    "twice": ('{"text": "a", "label": "x", "label": "y"}', "a name occurs twice"),
    "no label": ('{"text": "a"}', "no 'label'; there is: 'text'"),
    "no text": ('{"words": ["a"], "label": "b"}', r"no 'text'; there is: 'words', 'label'; .*FILE\[words=tokens\]"),
    "text is no text": ('{"text": 1, "label": "x"}', "'text' is not a text"),
    "label is a float": ('{"text": "a", "label": 1.5}', "'label' is neither"),
    "label is null": ('{"text": "a", "label": null}', "'label' is neither"),
    "empty label": ('{"text": "a", "label": ""}', "the label is empty"),
    "nan": ('{"text": "a", "label": "x", "n": NaN}', "NaN is not JSON"),
    "surrogate": ('{"text": "\\ud800", "label": "x"}', "half a character"),
    "deep": ("[" * 100_000, "not JSON"),
    "long number": ('{"n": ' + "9" * 5000 + "}", "not JSON"),
    "empty line": ("", "not JSON at character 1"),
}


@pytest.mark.parametrize("name", BROKEN_LINES)
def test_broken_json_lines_stop_or_are_counted(write, name):
    line, message = BROKEN_LINES[name]
    good = ['{"text": "a", "label": "x"}', '{"text": "b", "label": "y"}']
    path = write("r.jsonl", "\n".join([good[0], line, good[1], ""]))
    with pytest.raises(InputError, match=rf"r\.jsonl:2: .*{message}"):
        read_corpus(path)
    corpus = read_corpus(f"{path}[strict=false]")
    assert records(corpus) == [("a", "x"), ("b", "y")]
    assert counts_line(corpus.record).startswith("2 accepted + 1 rejected = 3 seen; first rejected: ")


def test_strict_false_skips_broken_rows_of_plain_files_but_never_a_broken_quote(write):
    corpus = read_corpus(write("r.tsv", "text\tlabel\na\tx\nb\nc\ty\n") + "[strict=false]")
    assert records(corpus) == [("a", "x"), ("c", "y")]
    hidden = write("r.csv", 'text,label\nfirst line\nfake,x\nlast line",y\nb,x\n')  # its opening quote was lost
    with pytest.raises(InputError, match=r"r\.csv:2: 1 fields"):
        read_corpus(f"{hidden}[strict=false]")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"text": ["a", None], "label": ["x", "y"]}, r"r\.parquet:2: 'text' is not a text"),
        (
            {"text": ["a"], "label": [1.5]},
            r"r\.parquet: column 'label' holds double: it must be text, whole numbers or truth",
        ),
        ({"text": ["a"]}, r"r\.parquet: column 'label' must occur exactly once; columns: text"),
        ({"text": [b"\xff"], "label": ["x"]}, r"r\.parquet: column 'text' holds binary"),
    ],
)
def test_parquet_of_the_wrong_shape(tmp_path, columns, message):
    path = tmp_path / "r.parquet"
    parquet.write_table(pa.table(columns), path)
    with pytest.raises(InputError, match=message):
        read_corpus(str(path))


def test_parquet_with_a_text_that_is_not_utf_8(tmp_path):
    path = tmp_path / "r.parquet"
    broken = pa.StringArray.from_buffers(1, pa.py_buffer(b"\0\0\0\0\1\0\0\0"), pa.py_buffer(b"\xff"))
    parquet.write_table(pa.table({"text": broken, "label": ["x"]}), path)
    with pytest.raises(InputError, match=r"r\.parquet: not a sound Parquet file: .*UTF8"):
        read_corpus(str(path))


@pytest.mark.parametrize("name", ["r.csv", "r.tsv.gz", "r.jsonl", "r.parquet"])
def test_a_missing_file_is_said(tmp_path, name):
    with pytest.raises(InputError, match=r"cannot be read: No such file"):
        read_corpus(str(tmp_path / name))


BAD_SETTINGS = {
    "colour=red": "has no setting",
    "path=/etc/passwd": "has no setting",
    "quoting=maybe": "quoting must be",
    "train=0,heldout=0,test=0": "shares",
    "strict=2": "true or false",
}


@pytest.mark.parametrize("settings", BAD_SETTINGS)
def test_bad_settings(write, settings):
    with pytest.raises(InputError, match=BAD_SETTINGS[settings]):
        read_corpus(f"{write('r.csv', CSV)}[{settings}]")


def test_columns_are_for_files():
    with pytest.raises(InputError, match="only a file"):
        read_corpus("docstrings", text="body")
