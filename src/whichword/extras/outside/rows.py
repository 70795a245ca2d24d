"""Files of relevances: rows of JSON lines, Parquet, inseq's and thermostat's forms, all made one kind of row."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whichword.corpora.building import Rejected
from whichword.corpora.lines import object_lines, parse_object
from whichword.errors import InputError, one_line

Values = list[float | None]
NAMES = ("relevances", "attributions", "scores", "values")  # what a list of numbers is called


@dataclass(frozen=True)
class OutsideRow:
    """Numbers on ``pieces`` of a text (words or tokens), or on ``spans`` of its characters; which text, whose numbers.

    ``where`` names the row in its file. ``pieces`` and ``spans`` None: the numbers are the words' own, in order.
    """

    where: str
    values: Values
    key: str | None = None
    text: str | None = None
    method: str | None = None
    target: str | None = None
    pieces: tuple[str, ...] | None = None
    spans: tuple[tuple[int, int], ...] | None = None


def read_rows(path: Path, tokens: Callable[[list[int]], list[str]] | None = None) -> Iterator[OutsideRow]:
    """All rows of a file; ``tokens`` makes pieces of ids, where a file has nothing else (thermostat's)."""
    if not path.is_file():
        raise InputError(f"{path}: {'not a file' if path.exists() else 'no such file'}")
    for where, row in _objects(path):
        try:
            yield from _rows(where, row, tokens)
        except Rejected as reason:
            raise InputError(f"{where}: {reason}") from None


def _objects(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if path.suffix == ".parquet":
        yield from _parquet(path)
    elif path.suffix == ".json":
        yield from _inseq(path)
    else:
        yield from _lines(path)


def _lines(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for number, line in object_lines(path):
        where = f"{path}: line {number}"
        try:
            yield where, parse_object(line, float)  # Python writes NaN into JSON, and health has to see it
        except Rejected as reason:
            raise InputError(f"{where}: {reason}") from None


def _parquet(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    from pyarrow import ArrowException, parquet

    try:
        with parquet.ParquetFile(path, pre_buffer=False, page_checksum_verification=True) as file:
            rows = file.read(use_threads=False).to_pylist()
    except (ArrowException, OSError, ValueError, KeyError, MemoryError, OverflowError) as error:
        raise InputError(f"{path}: not a sound Parquet file: {one_line(error) or error}") from None
    yield from ((f"{path}: row {number}", row) for number, row in enumerate(rows, 1))


def _inseq(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """One JSON object with a list of sequences."""
    try:
        # not the strict reader of JSON lines: inseq writes NaN where nothing was asked
        body = _plain(json.loads(path.read_bytes().decode("utf8")))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON: {one_line(error) or error}") from None
    sequences = body.get("sequence_attributions") if isinstance(body, dict) else None
    if not isinstance(sequences, list) or not all(isinstance(sequence, dict) for sequence in sequences):
        raise InputError(f"{path}: a .json file has inseq's form, with 'sequence_attributions'; JSON lines are .jsonl")
    yield from ((f"{path}: sequence {number}", sequence) for number, sequence in enumerate(sequences, 1))


def _plain(value: Any) -> Any:
    """Without the wrappers that json_tricks puts around arrays and objects."""
    if isinstance(value, dict):
        if "__ndarray__" in value:
            return value["__ndarray__"]
        inner = value.get("attributes", value) if "__instance_type__" in value else value
        return {name: _plain(member) for name, member in inner.items()} if isinstance(inner, dict) else inner
    return [_plain(member) for member in value] if isinstance(value, list) else value


# ---------------------------------------------------------------------------------------------------------------------


Parts = Iterator[dict[str, Any]]  # fields of an `OutsideRow`
Tokens = Callable[[list[int]], list[str]] | None


def _rows(where: str, row: Mapping[str, Any], tokens: Tokens) -> Iterator[OutsideRow]:
    about: dict[str, Any] = {name: _text(row, name) for name in ("key", "text", "method")}
    about["target"] = _text(row, "target") if isinstance(row.get("target"), str) else _text(row, "predicted")
    form = next((form for name, form in FORMS.items() if row.get(name) is not None), _on_pieces)
    yield from (OutsideRow(where, **about | parts) for parts in form(row, tokens))


def _explained(row: Mapping[str, Any], tokens: Tokens) -> Parts:
    """Our own `explain --json`: a list of numbers per method."""
    if not isinstance(row["relevance"], Mapping):
        raise Rejected("'relevance' maps methods to lists of numbers")
    for method, values in row["relevance"].items():
        yield {"method": method, "values": _numbers(values), "pieces": _words(row, "words")}


def _sequence(row: Mapping[str, Any], tokens: Tokens) -> Parts:
    """inseq: attributions [pieces, steps] or [pieces, steps, units] of the last step, on the source or the prompt."""
    side = "source" if row.get("source_attributions") is not None else "target"
    pieces, steps = (_list(row.get(name), name) for name in (side, f"{side}_attributions"))
    values = _numbers([_summed(_list(step, f"{side}_attributions")) for step in steps])
    yield {"values": values, "pieces": tuple(map(_token, pieces))[: len(values)], "target": None}


def _on_ids(row: Mapping[str, Any], tokens: Tokens) -> Parts:
    """thermostat: ids and numbers; what they spell only a tokenizer knows."""
    if tokens is None:
        raise Rejected("pieces are ids: name the tokenizer's folder by --tokenizer")
    ids = _list(row["input_ids"], "input_ids")
    if not all(_is_place(number) for number in ids):
        raise Rejected("'input_ids' is a list of whole numbers from 0")
    yield {"values": _named_numbers(row), "pieces": tuple(tokens(ids))}


def _on_spans(row: Mapping[str, Any], tokens: Tokens) -> Parts:
    """``[[start, end, value], ...]``."""
    spans = _list(row["spans"], "spans")
    if not all(isinstance(span, list) and len(span) == 3 for span in spans):
        raise Rejected("'spans' is a list of [start, end, value]")
    places = tuple((start, end) for start, end, _ in spans)
    if not all(_is_place(start) and _is_place(end) and start < end for start, end in places):
        raise Rejected("a span [start, end, value] has whole numbers from 0, the end behind the start")
    yield {"values": _numbers([value for _, _, value in spans]), "spans": places}


def _on_pieces(row: Mapping[str, Any], tokens: Tokens) -> Parts:
    """Numbers on tokens, or on words."""
    yield {"values": _named_numbers(row), "pieces": _words(row, "tokens") or _words(row, "words")}


FORMS: Mapping[str, Callable[[Mapping[str, Any], Tokens], Parts]] = {
    "relevance": _explained,
    "source_attributions": _sequence,
    "target_attributions": _sequence,
    "input_ids": _on_ids,
    "spans": _on_spans,
}


def _text(row: Mapping[str, Any], name: str) -> str | None:
    value = row.get(name)
    if value is not None and not isinstance(value, str):
        raise Rejected(f"{name!r} is not a text")
    return value


def _words(row: Mapping[str, Any], name: str) -> tuple[str, ...] | None:
    words = row.get(name)
    if words is None:
        return None
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise Rejected(f"{name!r} is not a list of texts")
    return tuple(words)


def _named_numbers(row: Mapping[str, Any]) -> Values:
    name = next((name for name in NAMES if name in row), None)
    if name is None:
        raise Rejected(f"no relevances (one of {', '.join(NAMES)}, or spans); there is: {', '.join(row)}")
    return _numbers(row[name])


def _list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise Rejected(f"{name!r} is not a list")
    return value


def _token(piece: Any) -> str:
    """inseq writes a piece as an object or as its text."""
    text = piece.get("token") if isinstance(piece, Mapping) else piece
    if not isinstance(text, str):
        raise Rejected("a piece has no text")
    return text


def _is_place(number: Any) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 0


def _numbers(values: Any) -> Values:
    """A list of numbers; null is no number."""
    if not isinstance(values, list) or not all(_is_number(value) for value in values):
        raise Rejected("relevances are a list of numbers")
    try:
        return [None if value is None else float(value) for value in values]
    except OverflowError:  # a whole number of hundreds of digits
        raise Rejected("a relevance is larger than any number here") from None


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _summed(steps: list[Any]) -> Any:
    """The last step that has a number; units are added up."""
    last = next((step for step in reversed(steps) if step is not None and step == step), None)
    return sum(value or 0.0 for value in _numbers(last)) if isinstance(last, list) else last
