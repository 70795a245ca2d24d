"""Methods examined on a model that is at hand: their relevances, their sums, their seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whichword.answering import Answers, Asking
from whichword.base.lazy import torch
from whichword.health.examination import Examination
from whichword.health.findings import COUNTERPARTS, GRADIENT, INTEGRAL, Health
from whichword.method_names import BASELINES
from whichword.methods import METHODS, MethodPlan, plan
from whichword.methods.propagation import LRP, account_of
from whichword.model import Batch, Differentiable, Model, Reading
from whichword.reading import Edits
from whichword.types import Written

REFERENCES = ("omit_1", "occ_1", GRADIENT, INTEGRAL)  # whom the asked methods are compared with
TOP = 3  # words that count as the most relevant ones


@dataclass(frozen=True)
class Checkup:
    """``methods`` that were asked, ``undefined`` ones with the reason, and ``remarks`` on model and texts."""

    methods: tuple[Health, ...]
    undefined: dict[str, str]
    remarks: tuple[str, ...]

    @property
    def complaints(self) -> dict[str, tuple[str, ...]]:
        """Method -> what is wrong; healthy ones are not in it, nor are baselines, which are so on purpose."""
        ill = (health for health in self.methods if health.complaints and health.method not in BASELINES)
        return {health.method: health.complaints for health in ill}

    def to_dict(self) -> dict[str, Any]:
        """Return all of it in JSON's own types."""
        methods = [health.to_dict() for health in self.methods]
        return {"methods": methods, "undefined": dict(self.undefined), "remarks": list(self.remarks)}


@dataclass(frozen=True, eq=False)
class ExaminedText:
    """One text: phi [T] of every method, what of it fell outside the words, the remarks, s of all classes, and k.

    ``without`` is s without any word, as methods mean it that share a difference out.
    """

    reading: Reading
    phi: Mapping[str, NDArray[np.float64]]
    outside: Mapping[str, float]
    notes: Mapping[str, str]
    scores: NDArray[np.float64]
    without: NDArray[np.float64]
    k: int


def check_up(
    model: Model, documents: Sequence[Written], methods: Sequence[str] | None, seed: int = 0, target: int | None = None
) -> Checkup:
    """Examine the methods on these texts; ``target`` None: why the predicted class?"""
    chosen, readings = plan(methods, model), [model.read(document) for document in documents]
    asking = Asking(model, plan(_with_references(chosen, model), model), seed, target)
    texts = _examined(asking, readings)
    random = [label for label in chosen.labels if METHODS[label].random]
    second = _examined(replace(asking, methods=plan(random, model), seed=seed + 1), readings) if random else []
    by_name = {health.method: health for health in _alone(asking.methods.labels, texts)}
    healths = [
        replace(
            by_name[label],
            gap=_mean(_gaps(model, label, texts)),
            outside=_mean(_outside(label, texts)),
            overlap=_mean(_overlaps(label, texts, second)) if label in random else None,
        )
        for label in chosen.labels
    ]
    return Checkup(tuple(healths), dict(chosen.undefined), (*_cut(readings), *_undefined(healths)))


def _with_references(chosen: MethodPlan, model: Model) -> list[str]:
    counterparts = [ours for name, ours in COUNTERPARTS.items() if name in chosen.labels]
    references = plan([*REFERENCES, *counterparts], model).labels
    return list(dict.fromkeys([*chosen.labels, *references]))


def _examined(asking: Asking, readings: Sequence[Reading]) -> list[ExaminedText]:
    texts: dict[int, ExaminedText] = {}
    for group, answers in asking.answers(readings):
        batch = [readings[i] for i in group]
        without = _without_words(asking.model, batch)
        texts |= {i: _text(readings[i], answers, row, without[row]) for row, i in enumerate(group)}
    return [texts[i] for i in range(len(readings))]


def _text(reading: Reading, answers: Answers, row: int, without: NDArray[np.float64]) -> ExaminedText:
    labels, count = answers.relevance, len(reading.words)
    return ExaminedText(
        reading,
        {label: answers.of(label, row, count).astype(np.float64) for label in labels},
        {label: float(values[row]) for label, values in answers.rest.items()},
        {label: notes[row] for label, notes in answers.notes.items() if row in notes},
        answers.scores[row].astype(np.float64),
        without,
        answers.target[row],
    )


def _without_words(model: Model, readings: Sequence[Reading]) -> NDArray[np.float64]:
    """Score the texts with every word off: zero vectors, or an empty text where a model has none, [B, K]."""
    batch = Batch.of(readings, model.about.device)
    rows = torch.arange(len(readings), device=batch.words.device)
    kind = "blank" if isinstance(model, Differentiable) else "cut"
    scores = model.score_edits(batch, Edits(kind, rows, torch.zeros_like(rows), batch.words))
    values: NDArray[np.float64] = scores.double().cpu().numpy()
    return values


# ---------------------------------------------------------------------------------------------------------------------


def _alone(labels: Sequence[str], texts: Sequence[ExaminedText]) -> tuple[Health, ...]:
    """Examine what the relevances say by themselves."""
    examination = Examination(labels)
    for text in texts:
        phi = np.array([text.phi[label] for label in labels]).reshape(len(labels), -1)
        examination.add(phi, [text.notes.get(label) for label in labels], text.reading.seen)
    return examination.health()


def _gaps(model: Model, label: str, texts: Sequence[ExaminedText]) -> Iterator[float]:
    """Yield |what is missing of what the method shares out| / sum |phi|, text by text."""
    method = METHODS[label]
    for text in texts:
        total, mass = text.phi[label].sum() + text.outside.get(label, 0.0), np.abs(text.phi[label]).sum()
        if method.adds_up:
            output = getattr(method, "output", "s")
            shared = OUTPUT[output](text.scores)[text.k] - OUTPUT[output](text.without)[text.k]
            yield abs(float(total - shared)) / mass if mass else np.nan
        elif isinstance(method, LRP) and mass:
            yield abs(account_of(model, text.reading, text.k, label).gap) / mass


def _softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    p = np.exp(scores - scores.max())
    return np.asarray(p / p.sum())


OUTPUT: Mapping[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {"s": np.asarray, "p": _softmax}


def _outside(label: str, texts: Sequence[ExaminedText]) -> Iterator[float]:
    for text in texts:
        outside, inside = abs(text.outside.get(label, 0.0)), np.abs(text.phi[label]).sum()
        if outside + inside > 0:
            yield outside / (outside + inside)


def _overlaps(label: str, texts: Sequence[ExaminedText], second: Sequence[ExaminedText]) -> Iterator[float]:
    """Yield the share of the most relevant words that another seed gives too; short texts have too few to tell."""
    for text, again in zip(texts, second, strict=True):
        if text.reading.seen >= 2 * TOP:
            tops = [set(np.argsort(-part.phi[label], kind="stable")[:TOP].tolist()) for part in (text, again)]
            yield len(tops[0] & tops[1]) / TOP


def _mean(values: Iterable[float]) -> float | None:
    """Average what is finite."""
    finite = [value for value in values if np.isfinite(value)]
    return float(np.mean(finite)) if finite else None


def _undefined(healths: Sequence[Health]) -> Iterator[str]:
    for health in healths:
        yield from (f"{health.method}: {remark}" for remark in health.remarks)


def _cut(readings: Sequence[Reading]) -> Iterator[str]:
    cut = [len(reading.words) - reading.seen for reading in readings if reading.seen < len(reading.words)]
    if cut:
        where = f"the model read only the beginning of {len(cut)} of {len(readings)} texts"
        yield f"{where}: {sum(cut):,} words have no relevance"
