"""Two thousand broken files per form of relevances: an error in one line, or nothing but rows that were there."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from faults import count, size
from pyarrow import parquet
from tests.corpora.test_broken_files import JSON_BROKEN, any_bytes, replaced, truncated

from whichword.errors import InputError
from whichword.extras.outside.rows import OutsideRow, read_rows

FILES = size("broken files per reader")
OTHERS = [b"null", b"true", b'"x"', b"{}", b"[]", b"-1", b"9" * 400, b"[" * 2000]  # where a number was


def lines(*rows: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def table(*rows: dict[str, Any]) -> bytes:
    sink = BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(list(rows)), sink, compression="none", write_page_checksum=True)
    return sink.getvalue()


KEYED = ({"key": "a", "relevances": [0.5, -0.25]}, {"key": "b", "relevances": [1.5, 2.5, None]})
FORMS = {
    "by key": ("r.jsonl", lines(*KEYED)),
    "tokens": ("r.jsonl", lines({"text": "Not good", "tokens": ["<s>", "not", "good"], "attributions": [1, 2, 3]})),
    "explained": ("r.jsonl", lines({"key": "a", "words": ["not", "good"], "relevance": {"lrp": [1.5, 2.5]}})),
    "parquet": ("r.parquet", table(*KEYED)),
}
Mutation = Callable[[bytes, random.Random], bytes]
OTHER_VALUES: Mutation = replaced(rb'-?\d+\.?\d*|null|"(?:[^"\\]|\\.)*"(?!:)', OTHERS)


def rows_of(path: Path) -> set[str]:
    """Everything of the rows but where they stand."""
    return {repr(replace(row, where="")) for row in read_rows(path)}


def changed(content: bytes, chance: random.Random, form: str, number: int) -> bytes:
    ways = [truncated, any_bytes] if form == "parquet" else JSON_BROKEN
    return bytes(ways[number % len(ways)](content, chance))


@pytest.mark.parametrize("form", FORMS)
def test_broken_relevances_give_an_error_or_sound_rows(tmp_path: Path, form: str) -> None:
    name, content = FORMS[form]
    path, chance, messages, refused = tmp_path / name, random.Random(form), set(), 0
    path.write_bytes(content)
    sound = rows_of(path)
    assert sound
    for number in range(FILES):
        path.write_bytes(changed(content, chance, form, number))
        try:
            assert rows_of(path) <= sound, path.read_bytes()
        except InputError as error:
            messages.add(str(error))
            refused += 1
    assert refused > 0
    assert all(str(path) in message and "\n" not in message for message in messages)
    count("broken files", FILES)


@pytest.mark.parametrize("form", [form for form in FORMS if form != "parquet"])
def test_values_of_another_kind_are_read_or_refused(tmp_path: Path, form: str) -> None:
    """A file may be sound JSON and hold something else than is expected: numbers, texts and nothing in other places."""
    name, content = FORMS[form]
    path, chance, messages = tmp_path / name, random.Random(form), []
    for _ in range(FILES // 4):
        path.write_bytes(OTHER_VALUES(content, chance))
        try:
            rows = list(read_rows(path))
        except InputError as error:
            messages.append(str(error))
            continue
        assert all(isinstance(row, OutsideRow) for row in rows)
        assert all(value is None or isinstance(value, float) for row in rows for value in row.values)
    assert not any("\n" in message for message in messages)
    count("broken files", FILES // 4)
