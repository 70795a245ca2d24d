"""The answer to "which word?": one relevance per word and method, and the account of the score they are shares of."""

import json
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whichword.base.runtime import install_command
from whichword.errors import InputError
from whichword.render import escape, html
from whichword.render.heatmap import WordCell, heatmap
from whichword.text.places import content_key


@dataclass(frozen=True)
class Account:
    """s(k, X) = words + specials + constants + epsilon + softmax, as LRP shares it out.

    ``specials``: pieces outside the text. ``constants``: all that is added and is no word, biases and positions among
    it. ``epsilon``: what keeps divisions from 0. ``softmax``: what its gradient keeps (``attention=attnlrp``).
    ``decisions``: which factor of a product of two neurons was the weight, by operation, file and line.
    """

    score: float
    words: float
    specials: float
    constants: float
    epsilon: float
    softmax: float = 0.0
    decisions: Mapping[str, str] = field(default_factory=dict)

    @property
    def shares(self) -> dict[str, float]:
        """Everything that adds up to the score."""
        names = ("words", "specials", "constants", "epsilon", "softmax")
        return {name: float(getattr(self, name)) for name in names}

    @property
    def gap(self) -> float:
        """The part of the score that the shares miss: rounding, nothing else."""
        return self.score - sum(self.shares.values())

    def __str__(self) -> str:
        lines = [f"{name:9} {value:+.4f}" for name, value in self.shares.items()]
        return "\n".join([f"score     {self.score:+.4f}", *lines])


def first_maximum(values: ArrayLike) -> int | None:
    """Find rmax, the first position of the largest finite value of a vector [T]; None where nothing is finite."""
    vector = np.asarray(values, dtype=np.float64)
    finite = np.isfinite(vector)
    return int(np.argmax(np.where(finite, vector, -np.inf))) if finite.any() else None


@dataclass(frozen=True, eq=False)
class Explanation:
    """phi(t, k, X) of every asked method, for the words x_1..x_T and the class k = ``target``.

    ``text`` is what the words stand in, as it was written (without one, the words joined by spaces);
    ``relevance[method]`` is [T]; ``scores`` are s(k) of all classes; ``notes`` say what is special about a method's
    answer (a design without full rank, say); ``rest`` is what of a method's relevance fell outside the words. Where a
    text is longer than the model's longest input, it read only the first ``seen`` words (None: all of them).
    """

    words: tuple[str, ...]
    predicted: str
    target: str
    scores: Mapping[str, float]
    relevance: Mapping[str, NDArray[np.floating[Any]]]
    unknown: tuple[bool, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    rest: Mapping[str, float] = field(default_factory=dict)
    seen: int | None = None
    accountant: Callable[[str], Account] | None = field(default=None, repr=False)  # asks the model, while it is loaded

    @staticmethod
    def with_all(**fields: Any) -> "Explanation":
        """Build an explanation of which every field is given, and whose relevances have as many words as the text.

        A frozen dataclass sets its fields one by one and looks at each relevance, which takes longer.
        """
        explanation = object.__new__(Explanation)
        object.__setattr__(explanation, "__dict__", fields)
        return explanation

    def __post_init__(self) -> None:
        if not self.text and self.words:
            object.__setattr__(self, "text", " ".join(self.words))  # the only way to set a field of a frozen instance
        shape = (len(self.words),)
        for method, values in self.relevance.items():
            if values.shape != shape:
                raise InputError(f"{method}: {len(self.words)} words, but relevances of shape {values.shape}")

    @cached_property
    def probabilities(self) -> Mapping[str, float]:
        """p(k) of all classes, the softmax of the scores."""
        scores = np.array(list(self.scores.values()), dtype=np.float64)
        if not np.isfinite(scores).all():  # infinity minus infinity is no probability
            return dict.fromkeys(self.scores, math.nan)
        p = np.exp(scores - scores.max(initial=-np.inf))  # `initial` for a model without classes
        return dict(zip(self.scores, (p / p.sum()).tolist(), strict=True))

    @cached_property
    def key(self) -> str:
        """The document's key: a hash of its words."""
        return content_key(*self.words)

    def account(self, method: str = "lrp") -> Account:
        """Account for the score as LRP shares it out: words, specials, constants, epsilon; computed when asked for."""
        if self.accountant is None:
            raise InputError("the model is not at hand any more: ask whichword.account(model, text)")
        return self.accountant(method)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle everything but the model."""
        return self.__dict__ | {"accountant": None}  # it holds the model, which may be large or unpicklable

    def rmax(self, method: str) -> int | None:
        """Find the most relevant word that was read; None where no relevance is finite, or there is no word."""
        return first_maximum(self.relevance[method][: self.seen])

    @property
    def unread(self) -> int:
        """Words behind the model's longest input: no part of X, without relevance."""
        return 0 if self.seen is None else len(self.words) - self.seen

    @property
    def unread_note(self) -> str:
        """How many words were not read, as a sentence; "": none."""
        return f"{self.unread:,} words behind the model's longest input were not read" if self.unread else ""

    def cells(self, method: str, marks: Collection[int] = ()) -> list[WordCell]:
        """Build the method's heat map, ready for any renderer; ``marks`` are positions to underline."""
        return heatmap(self.words, self.relevance[method], marks, self.rmax(method), self.unknown, self.text)

    def to_dict(self) -> dict[str, Any]:
        """Convert to JSON's own types; what is not finite is None."""
        return {
            "key": self.key,
            "text": self.text,
            "words": list(self.words),
            "predicted": self.predicted,
            "target": self.target,
            "scores": {name: _number(value) for name, value in self.scores.items()},
            "probabilities": {name: _number(value) for name, value in self.probabilities.items()},
            "relevance": {name: [_number(v) for v in values] for name, values in self.relevance.items()},
            "rmax": {name: self.rmax(name) for name in self.relevance},
            "unknown": list(self.unknown),
            "notes": dict(self.notes),
        } | ({"unread": self.unread} if self.unread else {})

    def to_json(self) -> str:
        """Encode `to_dict` on one line of ASCII."""
        return json.dumps(self.to_dict(), allow_nan=False)  # NaN is not JSON; `to_dict` has None for it

    def to_frame(self) -> Any:
        """Build a pandas DataFrame: the column ``word`` and one column per method, one row per word."""
        try:
            import pandas
        except ImportError as missing:
            raise InputError(f"to_frame needs pandas: {install_command('frames')}") from missing
        return pandas.DataFrame({"word": list(self.words), **self.relevance})

    def _repr_html_(self) -> str:
        rows = {name: self.cells(name) for name in self.relevance}
        return f"{self._heading()}{html.stacked(rows, remarks=self.notes)}"

    def _heading(self) -> str:
        names = f"predicted <b>{escape.html(self.predicted)}</b>, explained <b>{escape.html(self.target)}</b>"
        lines = "".join(self._class_row(name) for name in self.scores)
        table = f"<table><tr><th>class</th><th>score</th><th>probability</th></tr>{lines}</table>"
        note = f"<p>{self.unread_note}</p>" if self.unread else ""
        return f"<details><summary>{names}</summary>{table}</details>{note}"

    def _class_row(self, name: str) -> str:
        probability = self.probabilities[name]
        return f"<tr><td>{escape.html(name)}</td><td>{self.scores[name]:.4f}</td><td>{probability:.4f}</td></tr>"


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
