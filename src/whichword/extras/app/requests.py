"""What a page may ask, and how much: JSON objects with exactly these members. And the forms that a copy may have."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from whichword.base.typed import Record, typed
from whichword.errors import InputError
from whichword.explanation import Explanation
from whichword.methods import METHODS
from whichword.render import escape, html, latex
from whichword.render.heatmap import PALETTES

T = TypeVar("T")


class Explain(Record, frozen=True):
    """A text, or its words as they are; ``target`` None stands for the predicted class."""

    model: int
    methods: tuple[str, ...]
    text: str | None = None
    words: tuple[str, ...] | None = None
    target: str | None = None

    def __post_init__(self) -> None:
        if (self.text is None) == (self.words is None):  # both might contradict each other
            raise InputError("either text or words has to be given")
        if not self.methods:
            raise InputError("no method was chosen")
        for name in self.methods:
            if name not in METHODS.names():  # with settings of any size, a name could ask for any amount of work
                raise InputError(f"no method is called {name!r}")


class Edit(Record, frozen=True):
    """Asks what the model says without these words of an explained text."""

    result: str
    cut: tuple[int, ...] = ()
    blank: tuple[int, ...] = ()


class Copy(Record, frozen=True):
    """An explained text for somewhere else; only these methods."""

    result: str
    form: str
    methods: tuple[str, ...]
    palette: str = "paper"

    def __post_init__(self) -> None:
        if self.palette not in PALETTES:
            raise InputError(f"no palette is called {self.palette!r}")


def question_of(kind: type[T], body: bytes) -> T:
    """Read the request in a body, or raise an `InputError` that says what is wrong with it."""
    try:
        question = json.loads(body.decode("utf8"))
    except (UnicodeDecodeError, ValueError, RecursionError):  # RecursionError: a thousand open brackets
        raise InputError("the request is not JSON in UTF-8") from None
    return typed(kind, question)


def _html(explanation: Explanation, palette: str) -> str:
    rows = {name: explanation.cells(name) for name in explanation.relevance}
    claim = f"<p>{_claim(explanation, escape.html, '<b>', '</b>')}</p>"
    return claim + html.stacked(rows, PALETTES[palette], explanation.notes)


def _json(explanation: Explanation, palette: str) -> str:
    return explanation.to_json()


def _latex(explanation: Explanation, palette: str) -> str:
    rows = {name: explanation.cells(name) for name in explanation.relevance}
    needs = "".join(f"% {line}\n" for line in latex.PREAMBLE.splitlines())  # comments: the preamble is the reader's
    claim = _claim(explanation, escape.latex, r"\textbf{", "}")
    return f"{needs}{claim}\n\n{latex.stacked(rows, PALETTES[palette])}"


def _claim(explanation: Explanation, quoted: Callable[[str], str], begin: str, end: str) -> str:
    predicted, target = (f"{begin}{quoted(name)}{end}" for name in (explanation.predicted, explanation.target))
    return f"predicted {predicted} ({explanation.probabilities[explanation.predicted]:.2f}), explained {target}"


FORMS: Mapping[str, Callable[[Explanation, str], str]] = {"html": _html, "json": _json, "latex": _latex}


@dataclass(frozen=True)
class Limits:
    """``body`` is bytes of a request, ``waiting`` jobs at a time, ``results`` explanations that can still be edited
    and copied, ``patience`` seconds until a request has to be here."""

    words: int = 2000
    body: int = 192 * 1024
    waiting: int = 8
    results: int = 32
    patience: float = 10.0

    @classmethod
    def of_words(cls, words: int) -> "Limits":
        """Bound texts to at most so many words, of which most are shorter than sixteen letters."""
        return cls(words, max(cls.body, 64 * words))  # sixteen letters of up to four bytes

    def __post_init__(self) -> None:
        if self.words < 1:
            raise InputError(f"a text may have at least one word, not {self.words}")
