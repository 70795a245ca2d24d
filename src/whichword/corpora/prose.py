"""The prose in a docstring of the NumPy style: its sentences, without tables, code and formulas."""

import inspect
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

_DESCRIBED = frozenset(("Parameters", "Other Parameters", "Returns", "Yields", "Raises", "Warns", "Attributes"))
_TOLD = frozenset(("", "Notes", "Warnings", "Summary", "Extended Summary"))

_UNDERLINE = re.compile(r"(-{3,}|={3,})")
_HEAD = re.compile(r"\s*\*{0,2}\w+(, *\*{0,2}\w+)* ?: .*")  # of a described parameter: its name and type
_BORDER = re.compile(r"\s*([-=+|]{3,}[-=+| ]*)|.*\S {3,}\S.* {3,}\S.*")
_LEFT_OUT = "{}"  # stands for a formula or code, so that no sentence with a hole passes for prose
_INLINE = (
    (re.compile(r"\b(in|see|from|of|by|and|to) \[[\w*, .]+\]_"), _LEFT_OUT),  # a citation that is part of its sentence
    (re.compile(r"\[[\w*, .]+\]_"), ""),
    (re.compile(r":math:`[^`]*`"), _LEFT_OUT),
    (re.compile(r":\w+(:\w+)?:`([^`<]*)[^`]*`"), r"`\2`"),  # a role: its text
    (re.compile(r"``([^`]*)``|`([^`]*)`_{0,2}"), lambda match: _word(match[1] or match[2] or "")),
    (re.compile(r"\*{1,2}(\w[^*]*)\*{1,2}"), r"\1"),
    (re.compile(r"\s+([.,;:)])"), r"\1"),
    (re.compile(r"\(\s*\)"), ""),
    (re.compile(r"\s+"), " "),
)
_END = re.compile(
    r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<! al\.)(?<! cf\.)(?<! vs\.)(?<! [A-Z]\.) (?=[A-Z])"
)  # of a sentence
_NAME = re.compile(r"~?(?:[A-Za-z_]\w*\.)*('\w+'|-?\d+(?:\.\d+)?|[A-Za-z_]\w*)(?:\(\))?")
_SYMBOL = re.compile(r"[=<>^|\\{}~]|\w\((?!s\))|\w\[|(?<!e)(?<!i)\.[a-z]|\.\.")


def _word(code: str) -> str:
    """Inline code stays if it is one name (of a dotted name the last part), number or quoted word."""
    name = _NAME.fullmatch(code)
    return name[1] if name else _LEFT_OUT


def sentences(docstring: str) -> list[str]:
    """The sentences of a docstring that are prose, in order."""
    prose: list[str] = []
    for title, lines in _sections(inspect.cleandoc(docstring).split("\n")):
        if title in _DESCRIBED:
            described = ["" if line[:1].strip() or _HEAD.fullmatch(line) else line for line in lines]
            prose.extend(_of_paragraphs(_paragraphs(described)))
        elif title in _TOLD:
            prose.extend(_of_paragraphs(_paragraphs(lines)))
    return prose


def _sections(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """(title, lines) of each section; a title is a line over dashes as long as itself."""
    heads = [row for row, (over, under) in enumerate(pairwise(lines)) if over.strip() and _UNDERLINE.fullmatch(under)]
    yield "", lines[: heads[0] if heads else None]
    for head, end in pairwise([*heads, len(lines)]):
        yield lines[head].strip(), lines[head + 2 : end]


def _paragraphs(lines: Iterable[str]) -> Iterator[list[str]]:
    """Runs of prose lines: without directives and literal blocks (all that is indented under them) and examples."""
    paragraph: list[str] = []
    hidden: int | None = None  # the indentation of what hides the lines under it
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if line.strip() and hidden is not None and indent <= hidden:
            hidden = None
        opens = line.lstrip().startswith((".. ", ">>>")) or line.rstrip().endswith("::")
        if not line.strip() or hidden is not None or opens:
            yield paragraph
            paragraph = []
        else:
            paragraph.append(line)
        hidden = indent if opens else hidden
    yield paragraph


def _of_paragraphs(paragraphs: Iterable[list[str]]) -> Iterator[str]:
    for lines in paragraphs:
        if not any(_BORDER.fullmatch(line) for line in lines):
            for item in re.split(r"\n\s*(?:[-*]|\d+[.)]|\(\w+\)) ", "\n" + "\n".join(lines)):  # the items of a list
                yield from filter(_is_prose, _END.split(_plain(item)))


def _plain(text: str) -> str:
    for pattern, by in _INLINE:
        text = pattern.sub(by, text)
    return text.strip()


def _is_prose(sentence: str) -> bool:
    """At least four words, nearly all of them in letters, no symbol of code or formulas, and nothing left open."""
    words = sentence.split()
    plain = sum(word.strip(".,;:()\"'?!").replace("-", "").replace("'", "").isalpha() for word in words)
    open_end = sentence.endswith(":")  # what it led to was left out
    return len(words) >= 4 and not open_end and plain >= 0.8 * len(words) and _SYMBOL.search(sentence) is None
