"""Files that were made to bring a reader down: they are refused in one line, soon, and in little memory."""

import gzip
import os
import time
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from whichword.corpora import read_corpus
from whichword.corpora.building import Rejected
from whichword.corpora.lines import numbered_lines
from whichword.corpora.registry import data_folder
from whichword.corpora.ud import parse_sentence
from whichword.errors import InputError


def refusal(path: Path, settings: str = "") -> str:
    with pytest.raises(InputError) as refused:
        read_corpus(f"{path}{settings}")
    message = str(refused.value)
    assert "\n" not in message
    assert path.name in message
    return message


def columns(path: Path, **values: pa.Array) -> Path:
    parquet.write_table(pa.table(values), path)
    return path


def test_a_few_bytes_of_parquet_that_grow_to_gigabytes(tmp_path: Path) -> None:
    long = pa.DictionaryArray.from_arrays(pa.array([0] * 3000, pa.int32()), pa.array(["x" * 2**20]))
    path = columns(tmp_path / "bomb.parquet", text=long, label=pa.array(["a"] * 3000))
    assert path.stat().st_size < 2**20
    message = refusal(path)
    assert "grow to more than" in message
    assert "67,108,864 bytes or 200 times its size" in message


def test_rows_without_end(tmp_path: Path) -> None:
    empty = pa.nulls(5_000_000, pa.string())
    path = columns(tmp_path / "rows.parquet", text=empty, label=empty)
    assert "grow to more than" in refusal(path)


@pytest.mark.parametrize(
    ("piece", "times", "message"),
    [(b"x" * 2**20, 17, "longer than 16,777,216 bytes"), ((b"a " * 5000 + b"\tx\n") * 100, 68, "grow to more than")],
    ids=["one line", "many lines"],
)
def test_a_gzip_bomb(tmp_path: Path, piece: bytes, times: int, message: str) -> None:
    path = tmp_path / "bomb.tsv.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b"text\tlabel\n")
        for _ in range(times):
            file.write(piece)
    with pytest.raises(InputError, match=message):
        sum(1 for _ in numbered_lines(path))


STRANGE = {
    "a date after the year 9999": pa.array([3_000_000, 1], pa.date32()),
    "a time after the year 9999": pa.array([2**62, 1], pa.timestamp("us")),
    "a time in no zone": pa.array([1, 2], pa.timestamp("us", tz="Mars/Olympus")),
    "a duration": pa.array([2**62, 1], pa.duration("s")),
    "a decimal": pa.array([1, 2]).cast(pa.decimal128(20)),
    "bytes": pa.array([b"x", b"y"]),
    "a list": pa.array([["x"], ["y"]]),
    "a number": pa.array([1.5, float("nan")]),
}


@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.parametrize("strict", ["true", "false"])
def test_parquet_columns_that_are_no_text(tmp_path: Path, name: str, strict: str) -> None:
    path = columns(tmp_path / "r.parquet", text=pa.array(["a", "b"]), label=STRANGE[name])
    assert "must be text, whole numbers or truth values" in refusal(path, f"[strict={strict}]")


def test_nul_is_refused_by_every_reader(tmp_path: Path) -> None:
    files = {
        "r.csv": b"text,label\na\0b,x\nc,y\n",
        "r.tsv": b"text\tlabel\na\0b\tx\nc\ty\n",
        "r.jsonl": b'{"text": "a\\u0000b", "label": "x"}\n{"text": "c", "label": "y"}\n',
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    columns(tmp_path / "r.parquet", text=pa.array(["a\0b", "c"]), label=pa.array(["x", "y"]))
    for name in (*files, "r.parquet"):
        assert "NUL is not text" in refusal(tmp_path / name), name
    with pytest.raises(Rejected, match="NUL is not text"):
        parse_sentence([b"1\ta\0b\ta\tNOUN\t_\t_\t0\troot\t_\t_"])


def test_pipes_and_devices_are_not_waited_for(tmp_path: Path) -> None:
    for name in ("pipe.csv", "pipe.jsonl", "pipe.parquet", "pipe.csv.gz"):
        os.mkfifo(tmp_path / name)
        assert "it is a pipe, not a file" in refusal(tmp_path / name)
    (tmp_path / "endless.csv").symlink_to("/dev/zero")
    assert "it is a device, not a file" in refusal(tmp_path / "endless.csv")


@pytest.mark.parametrize("use", [data_folder, lambda path: read_corpus(f"{path}/r.csv")])
def test_the_home_of_nobody(use) -> None:
    with pytest.raises(InputError, match=r"~nosuchuser.*no such user"):
        use("~nosuchuser")


def row(number: str, head: str, relation: str = "dep", upos: str = "NOUN", features: str = "_") -> bytes:
    return f"{number}\tw\tw\t{upos}\t_\t{features}\t{head}\t{relation}\t_\t_".encode()


@pytest.mark.parametrize("number", ["2-²", "2-٣", "2-" + "9" * 5000, "2-", "2--3", "1.²", "1." + "9" * 5000, "²"])
def test_numbers_of_words_are_ascii_and_short(number: str) -> None:
    lines = [row("1", "0", "root"), b"\t".join([number.encode(), *[b"_"] * 9]), row("2", "1"), row("3", "1")]
    with pytest.raises(Rejected):
        parse_sentence(lines)


@pytest.mark.parametrize("head", ["²", "٣", "9" * 5000, "-1", "1.0", " 1"])
def test_heads_are_ascii_and_short(head: str) -> None:
    with pytest.raises(Rejected, match="is not in the sentence"):
        parse_sentence([row("1", "0", "root"), row("2", head)])


def test_no_check_is_quadratic_in_a_sentence() -> None:
    """A chain of heads, each word the next one's dependant, took as many steps for every word as are left of it."""
    size = 5000
    lines = [row(str(n), str(n + 1)) for n in range(1, size)]
    start = time.process_time()
    assert len(parse_sentence([*lines, row(str(size), "0", "root")])) == size
    assert time.process_time() - start < 1
    with pytest.raises(Rejected, match="run in a circle"):
        parse_sentence([row("1", "0", "root"), *lines[1:], row(str(size), "2")])
    with pytest.raises(Rejected, match="5001 words: a sentence has at most 5,000"):
        parse_sentence([*lines, row(str(size), "0", "root"), row(str(size + 1), "1")])


def test_a_sentence_of_subjects_is_gone_through_once(tmp_path: Path) -> None:
    """For every subject, all words were looked at for its verb's helpers."""
    (tmp_path / "UD_Test").mkdir()
    lines = [row("1", "0", "root"), *(row(str(n), "1", "nsubj") for n in range(2, 5001)), b"", b""]
    for part in ("train", "dev", "test"):
        (tmp_path / "UD_Test" / f"{part}.conllu").write_bytes(b"\n".join(lines))
    start = time.process_time()
    corpus = read_corpus("ud", tmp_path)
    assert time.process_time() - start < 3
    assert corpus.record["accepted"] == "3"
