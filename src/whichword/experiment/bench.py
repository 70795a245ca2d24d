"""Where a shard is made: load the model, predict, explain, commit. The same in every process."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from whichword.errors import InputError
from whichword.experiment import formats, identity
from whichword.experiment.plan import Pairing
from whichword.experiment.store import Receipt, Store
from whichword.methods import METHODS, Questions, plan
from whichword.methods.plan import Clock
from whichword.networks import Network
from whichword.networks.checkpoint import load
from whichword.sequences import Sequences, batches
from whichword.types import Item


@dataclass(frozen=True)
class Assignment:
    """What a worker is told: the run's folder, and where the models are."""

    folder: Path
    models: Mapping[str, Path]


@dataclass(frozen=True)
class _Said:
    """Everything about one item."""

    predicted: str
    scores: list[float]
    unknown: list[bool]
    relevances: Mapping[str, NDArray[np.floating[Any]]]
    notes: Mapping[str, str]


class Bench:
    """Holds the plan, the items and the last model that was used."""

    def __init__(self, job: Assignment) -> None:
        self.job = job
        self.store = Store.open(job.folder)
        labels = {label for pairing in self.store.plan.pairings for label in pairing.labels}
        if identity.code_version(METHODS[label] for label in labels) != self.store.plan.identity["code"]:
            raise InputError("the code has changed since the run was planned")  # a worker loads it anew
        self._models: dict[str, Network] = {}
        self._items: dict[str, tuple[Item, ...]] = {}

    def make(self, name: str) -> Receipt:
        """Compute a shard and commit it."""
        pairing, shard = self.store.plan.shards[name]
        every = self.items(pairing.set)
        items = [every[index] for index in shard.items]
        clock = Clock()
        said = self._explain(pairing, items, clock)
        tables, rows = _tables(pairing, items, said, self.store.plan.model(pairing.model).dtype)
        return self.store.save(
            name, tables, rows, clock.seconds | {m: 0.0 for m in pairing.labels if m not in clock.seconds}
        )

    def items(self, set_id: str) -> tuple[Item, ...]:
        if set_id not in self._items:
            self._items = {set_id: formats.items_of(self.job.folder / self.store.plan.set(set_id).file)}
        return self._items[set_id]

    def model(self, label: str) -> Network:
        """The model, which must still be the one that was planned with."""
        if label not in self._models:
            path = self.job.models[label]
            if identity.model_hash(path) != self.store.plan.identity[f"model {label}"]:
                raise InputError(f"model {label}: {path} has changed since the run was planned")
            self._models = {label: load(path)}
        return self._models[label]

    def _explain(self, pairing: Pairing, items: Sequence[Item], clock: Clock) -> list[_Said]:
        model = self.model(pairing.model)
        ids = [model.vocabulary.ids(item.words) for item in items]
        found: dict[int, _Said] = {}
        for group in batches([len(row) for row in ids], self.store.plan.settings["budget"]):
            batch = [items[i] for i in group]
            found |= zip(group, self._batch(model, pairing, batch, [ids[i] for i in group], clock), strict=True)
        return [found[i] for i in range(len(items))]

    def _batch(
        self, model: Network, pairing: Pairing, items: Sequence[Item], ids: list[list[int]], clock: Clock
    ) -> list[_Said]:
        rows = Sequences.of(ids)
        with torch.no_grad():
            scores = model.score(model.embed(rows))
        predicted = (scores == scores.amax(1, keepdim=True)).int().argmax(1)  # f(X): the first maximum
        questions = Questions(rows, predicted, tuple(item.key for item in items), self.store.plan.settings["seed"])
        answers = clock.answer(plan(pairing.labels, model), model, questions)
        oov = len(model.vocabulary) - 1
        return [
            _Said(
                predicted=model.classes[int(predicted[row])],
                scores=scores[row].tolist(),
                unknown=[i == oov for i in ids[row]],
                relevances={
                    m: answers[m].values[row, : len(ids[row])].to(scores.dtype).numpy() for m in pairing.labels
                },
                notes={m: answers[m].notes[row] for m in pairing.labels if row in answers[m].notes},
            )
            for row in range(len(items))
        ]


def _tables(
    pairing: Pairing, items: Sequence[Item], said: Sequence[_Said], dtype: str
) -> tuple[dict[str, bytes], dict[str, int]]:
    """The shard's two files, and their numbers of rows."""
    predictions = {
        "key": [item.key for item in items],
        "predicted": [one.predicted for one in said],
        "scores": [one.scores for one in said],
        "unknown": [one.unknown for one in said],
    }
    pairs = [(item, one, method) for item, one in zip(items, said, strict=True) for method in pairing.labels]
    relevances = {
        "key": [item.key for item, _, _ in pairs],
        "method": [method for _, _, method in pairs],
        "target": [one.predicted for _, one, _ in pairs],
        "relevances": [one.relevances[method] for _, one, method in pairs],
        "status": [_status(one.relevances[method]) for _, one, method in pairs],
        "note": [one.notes.get(method) for _, one, method in pairs],
    }
    tables = {
        "predictions": formats.parquet(predictions, formats.predictions_schema(dtype)),
        "relevances": formats.parquet(relevances, formats.relevances_schema(dtype)),
    }
    return tables, {"predictions": len(items), "relevances": len(pairs)}


def _status(values: NDArray[np.floating[Any]]) -> str:
    return "ok" if bool(np.isfinite(values).all()) else "not finite"


@contextmanager
def one_thread() -> Iterator[None]:
    """Sums come out the same in every process when each computes with one thread."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
