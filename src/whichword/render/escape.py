"""Escape text by one function for each sink: whatever a text holds, it stays text there."""

import json
import re
import unicodedata
from collections.abc import Iterable

_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;", "\r": "&#13;"})
_NOT_IN_HTML = re.compile("[\x00\ud800-\udfff]")  # no document can carry these, not even by number

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\textquotedbl{}",
        "'": r"\textquotesingle{}",
        "`": r"\textasciigrave{}",
        "-": "-{}",  # no ligature: -- would become a dash
        ",": ",{}",
        "?": "?{}",
        "!": "!{}",
        "[": "{[}",  # after \\ a bracket would open an argument
        "]": "{]}",
        "*": "{*}",
    }
)

_FORMULA = tuple("=+-@\t\r\n＝＋－＠")  # full-width ones too, which spreadsheets in East Asia accept
_CSV_QUOTED = re.compile('[",\r\n]')

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # control, format, surrogate, line and paragraph separators
_JOINERS = "\u200c\u200d"  # format characters, but part of the spelling in many scripts

_MARKDOWN = str.maketrans(
    {**{mark: "\\" + mark for mark in r"\`*_{}[]()#+-.!|~^=:$@"}, "<": "&lt;", ">": "&gt;", "&": "&amp;"}
)

_SCRIPT = str.maketrans({mark: f"\\u{ord(mark):04x}" for mark in "<>&\u2028\u2029"})  # </script> would end it


def html(text: str) -> str:
    """Escape for element content and quoted attributes; a parser gives back the same characters.

    NUL and lone surrogates, which HTML cannot hold, become U+FFFD.
    """
    return _NOT_IN_HTML.sub("\ufffd", text).translate(_HTML)


def latex(text: str) -> str:
    """Escape for LaTeX's text mode (``textcomp`` symbols); what is hidden is spelled out as in `terminal`."""
    return terminal(text).translate(_LATEX)


def csv_cell(text: str) -> str:
    """Write a cell by RFC 4180 that no spreadsheet takes for a formula: what starts like one gets an apostrophe."""
    safe = "'" + text if text.startswith(_FORMULA) else text
    return '"' + safe.replace('"', '""') + '"' if _CSV_QUOTED.search(safe) else safe


def csv_row(values: Iterable[str | float | None]) -> str:
    """Write cells: texts by `csv_cell`, numbers unchanged (a negative one is no formula), None empty."""
    return ",".join(_csv_value(value) for value in values) + "\r\n"


def terminal(text: str) -> str:
    r"""Escape to one line with nothing hidden: ANSI, bidi and other control characters appear as ``\x1b``."""
    return "".join(_spelled_out(mark) if _hidden(mark) else mark for mark in text)


def terminal_lines(text: str) -> str:
    """Escape over several lines: line ends stay."""
    return "\n".join(terminal(line) for line in text.replace("\r\n", "\n").split("\n"))


def markdown(text: str) -> str:
    """Escape for a Markdown line or table cell."""
    return terminal(text).translate(_MARKDOWN)


def script(value: object) -> str:
    """Encode as JSON inside a <script> element; a value that is not finite is refused (ValueError)."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).translate(_SCRIPT)


def _csv_value(value: str | float | None) -> str:
    if value is None:
        return ""
    return csv_cell(value) if isinstance(value, str) else str(value)


def _hidden(mark: str) -> bool:
    return mark not in _JOINERS and unicodedata.category(mark) in _HIDDEN


def _spelled_out(mark: str) -> str:
    return mark.encode("unicode_escape", "surrogatepass").decode("ascii")
