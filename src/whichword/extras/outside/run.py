"""A run of relevances that are there already: the same folder that `evaluate` makes, with nothing computed.

Scores and words may be missing, so a shard's two tables are made row by row. `ask_plugged` asks plug-in methods about
a run's items, on its model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from whichword import models
from whichword.base.files import locked
from whichword.errors import InputError
from whichword.extras.outside.matching import MISSING, Matched, OutsideSource, with_classes
from whichword.methods import plan
from whichword.runs.items import items_bytes
from whichword.runs.records import Asked, Pairing, RunPlan, Shortfall
from whichword.runs.run import Run, open_run
from whichword.runs.sealed import commit, sha256
from whichword.runs.shards import Made, Timing, parquet, predictions_schema, relevances_schema, stored_dtype
from whichword.runs.store import FAILED, RUN, Store
from whichword.scoring.run import store_judgement
from whichword.types import Item
from whichword.version import __version__
from whichword.workers.shard import Explainer


@dataclass(frozen=True, eq=False)
class StoredAnswer:
    """What is stored of one item: relevances by method, and why there is no answer where there is none."""

    predicted: str | None
    scores: Sequence[float] = ()
    unknown: Sequence[bool] = ()
    relevances: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    seen: int = 0
    failure: str | None = None

    def status(self, label: str) -> str:
        if self.failure:
            return FAILED
        return "ok" if bool(np.isfinite(self.relevances[label]).all()) else "not finite"


def shard_tables(
    pairing: Pairing, items: Sequence[Item], answers: Sequence[StoredAnswer], dtype: str
) -> tuple[dict[str, bytes], dict[str, int]]:
    """Make the shard's two files, and their numbers of rows."""
    stored = stored_dtype(dtype)
    predictions, relevances = _predictions(items, answers), _relevances(pairing, items, answers)
    tables = {
        "predictions": parquet(predictions, predictions_schema(stored)),
        "relevances": parquet(relevances, relevances_schema(stored)),
    }
    return tables, {"predictions": len(items), "relevances": len(items) * len(pairing.labels)}


def _predictions(items: Sequence[Item], answers: Sequence[StoredAnswer]) -> dict[str, Any]:
    return {
        "key": [item.key for item in items],
        "predicted": [answer.predicted for answer in answers],
        "scores": [answer.scores for answer in answers],
        "unknown": [answer.unknown for answer in answers],
        "seen": [answer.seen for answer in answers],
    }


def _relevances(pairing: Pairing, items: Sequence[Item], answers: Sequence[StoredAnswer]) -> dict[str, Any]:
    rows = [(item, answer, label) for item, answer in zip(items, answers, strict=True) for label in pairing.labels]
    return {
        "key": [item.key for item, _, _ in rows],
        "method": [label for _, _, label in rows],
        "target": [answer.predicted for _, answer, _ in rows],
        "relevances": [answer.relevances.get(label, []) for _, answer, label in rows],
        "status": [answer.status(label) for _, answer, label in rows],
        "note": [answer.failure or answer.notes.get(label) for _, answer, label in rows],
    }


def shortfall(items: Sequence[Item], answers: Sequence[StoredAnswer]) -> Shortfall:
    """Count how many items have no answer, or were not read to their end."""
    unread = [len(item.words) - answer.seen for item, answer in zip(items, answers, strict=True) if not answer.failure]
    return Shortfall(sum(bool(answer.failure) for answer in answers), sum(map(bool, unread)), sum(unread))


ITEMS = 4096  # per shard
NO_ANSWER = "the model gave no answer"
ARITHMETIC = "relevances from elsewhere"


@dataclass(frozen=True)
class Assembly:
    """What goes into the folder: everything of the source, and the methods that were matched."""

    source: OutsideSource
    matched: Matched

    @property
    def methods(self) -> tuple[Asked, ...]:
        return (*self.source.methods, *(Asked(name) for name in self.matched.vectors))

    def explained(self, item: Item) -> StoredAnswer:
        """Return the item as a shard has it."""
        prediction = self.matched.predictions.get(item.key)
        if prediction is None:
            return StoredAnswer(None, failure=NO_ANSWER)
        relevances = {method.label: self._vector(method.label, item) for method in self.methods}
        notes = {name: note for name in relevances if (note := self._note(name, item))}
        scores, unknown = list(prediction.scores), list(prediction.unknown)
        return StoredAnswer(prediction.predicted, scores, unknown, relevances, notes, prediction.seen)

    def _vector(self, method: str, item: Item) -> NDArray[np.float64]:
        vectors = self.source.vectors.get(method) or self.matched.vectors[method]
        return vectors.get(item.key, np.full(len(item.words), np.nan))  # not finite: counts as wrong

    def _note(self, method: str, item: Item) -> str | None:
        vectors = self.source.vectors.get(method) or self.matched.vectors[method]
        return self.source.notes.get((method, item.key)) if item.key in vectors else MISSING

    def plan(self, identity: Mapping[str, str]) -> RunPlan:
        played = structs.replace(self.source.set, id="s00", sha256=sha256(items_bytes(self.source.items)))
        count = len(self.source.items)
        cuts = (*range(0, count, ITEMS), count)  # by number: there is no work to share out evenly
        classes = {prediction.predicted for prediction in self.matched.predictions.values()}
        subject = with_classes(self.source, sorted(classes)).subject
        pairing = Pairing("p00", subject.label, "s00", self.methods, {}, cuts)
        settings = {"seed": self.source.seed, "batch_words": None, "shard_words": ITEMS}
        return RunPlan(identity, settings, (subject,), (played,), (pairing,))


def assemble(folder: Path, source: OutsideSource, matched: Matched, origin: Mapping[str, str]) -> Run:
    """Write the run; ``origin`` says where the relevances come from, name by name. The same again changes nothing."""
    assembly = Assembly(source, matched)
    plan = assembly.plan(_identity(assembly, origin))
    with locked(_free(folder, plan)):  # two at once would mix their files
        store = Store(folder, plan)
        commit(folder, plan.sets[0].file, items_bytes(source.items))
        store.save_plan()
        _save(store, assembly, plan.models[0].about.dtype)
        run = open_run(folder)
        store_judgement(run, "p00")
    return run


def _save(store: Store, assembly: Assembly, dtype: str) -> None:
    timing = Timing(dict.fromkeys((method.label for method in assembly.methods), 0.0), {}, 0)  # no time was taken
    for pairing, shard in store.plan.shards.values():
        items = [assembly.source.items[index] for index in shard.items]
        answers = [assembly.explained(item) for item in items]
        tables, rows = shard_tables(pairing, items, answers, dtype)
        missing = shortfall(items, answers)
        store.save(Made.of(store.plan.run, shard.name, tables, rows, timing, ARITHMETIC, missing))


def _identity(assembly: Assembly, origin: Mapping[str, str]) -> dict[str, str]:
    source = assembly.source
    labels = ", ".join(method.label for method in assembly.methods)
    items = sha256(items_bytes(source.items))
    return {"version": __version__, f"items of {source.title}": items, "methods": labels, **origin}


def _free(folder: Path, plan: RunPlan) -> Path:
    """Return the folder, unless something else is in it."""
    if (folder / RUN).exists():
        if Store.open(folder).plan.run != plan.run:
            raise InputError(f"{folder} is another run: give another --out")
    elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not empty: a run needs a folder of its own")
    return folder


def file_origin(paths: Sequence[Path]) -> dict[str, str]:
    """Name the files, with their checksums."""
    return {f"relevances {path.name}": sha256(path.read_bytes()) for path in paths}


def ask_plugged(source: OutsideSource, labels: Sequence[str]) -> Matched:
    """Ask the methods on the source's model, which has to predict what it predicted then."""
    if not source.predictions:
        raise InputError("a corpus has no model to ask: whichword evaluate MODEL --corpus CORPUS --plugin FILE -m NAME")
    model = models.load(source.subject.spelling)
    for label, reason in plan(labels, model).undefined.items():
        raise InputError(f"{label} is not defined for {source.subject.label}: {reason}")
    sheet, _ = Explainer(model, tuple(labels), source.seed, None).explain(source.items, [])
    vectors: dict[str, dict[str, NDArray[np.float64]]] = {label: {} for label in labels}
    for row, item in enumerate(source.items):
        if item.key not in source.predictions:  # it failed then
            continue
        if sheet.classes[sheet.predicted[row]] != source.predictions[item.key].predicted:  # trained since
            raise InputError(f"{source.subject.spelling} is another model than the run's: it predicts other classes")
        for label in labels:
            vectors[label][item.key] = sheet.vector(row, label).astype(np.float64)
    return Matched(vectors, source.predictions, 0)
