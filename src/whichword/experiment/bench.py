"""Where a shard is made: load the model, explain, commit. The same in every process."""

from collections.abc import Mapping, Sequence

import numpy as np

from whichword import models
from whichword.errors import InputError
from whichword.experiment import formats, identity
from whichword.experiment.arithmetic import arithmetic
from whichword.experiment.assignment import Assignment
from whichword.experiment.explaining import ExplainedItem, Explainer
from whichword.experiment.measuring import Examiner, measured_columns
from whichword.experiment.plan import Pairing
from whichword.experiment.store import FAILED, MEASURED, Receipt, Shortfall, Store
from whichword.games import GAMES, Measured
from whichword.model import Model
from whichword.types import Item


class Bench:
    """Holds the plan, the items and the last model that was used."""

    def __init__(self, job: Assignment) -> None:
        self.job = job
        self.store = Store.open(job.folder)
        self._refuse_changes("method ", identity.computing(self.store.plan.pairings))  # a worker loads the code anew
        self._models: dict[str, Model] = {}
        self._items: dict[str, tuple[Item, ...]] = {}

    def make(self, name: str) -> Receipt:
        """Compute a shard and commit it."""
        plan = self.store.plan
        pairing, shard = plan.shards[name]
        items = {index: self.items(pairing.set)[index] for index in shard.items}
        model = self.model(pairing.model)
        explainer = Explainer(model, pairing.labels, plan.settings["seed"], plan.settings["batch_words"])
        timed = [item for index, item in items.items() if index in pairing.timed]
        explained, timing = explainer.explain(list(items.values()), timed)
        tables, rows = _tables(pairing, list(items.values()), explained, model.about.dtype)
        if pairing.measured:
            tables |= self._measured(pairing, model, list(items.values()), explained)
            rows[MEASURED] = len(items) * len(pairing.labels + pairing.measured)
        shortfall = _shortfall(list(items.values()), explained)
        return self.store.save(name, tables, rows, timing, arithmetic(), shortfall)

    def _measured(
        self, pairing: Pairing, model: Model, items: Sequence[Item], explained: Sequence[ExplainedItem]
    ) -> dict[str, bytes]:
        """What every row gets by a game that asks the model about edited copies."""
        game = GAMES[self.store.plan.set(pairing.set).game]
        assert isinstance(game, Measured), pairing.set
        examiner = Examiner(model, game)
        measured = [examiner.measure(*turn) for turn in zip(items, explained, strict=True)]
        columns = measured_columns(game, items, measured, pairing.labels + pairing.measured)
        return {MEASURED: formats.parquet(columns, formats.measured_schema(game.parts))}

    def items(self, set_id: str) -> tuple[Item, ...]:
        if set_id not in self._items:
            self._items = {set_id: formats.items_of(self.job.folder / self.store.plan.set(set_id).file)}
        return self._items[set_id]

    def model(self, label: str) -> Model:
        """The model, which must still be the one that was planned with."""
        if label not in self._models:
            spelling = self.job.models[label]
            self._refuse_changes(f"model {label}: ", identity.of_model(label, spelling))
            self._models = {label: models.load(spelling).prepared(self._words(label))}
        return self._models[label]

    def _words(self, label: str) -> int:
        """All words that the run asks this model about: a function of the plan, so every worker prepares alike."""
        plan = self.store.plan
        return sum(plan.set(pairing.set).words for pairing in plan.pairings if pairing.model == label)

    def _refuse_changes(self, prefix: str, now: Mapping[str, str]) -> None:
        """``now`` has to be what was planned under its names, and under all names with this beginning."""
        identities = self.store.plan.identity.items()
        planned = {name: value for name, value in identities if name in now or name.startswith(prefix)}
        if changed := identity.differences(planned, now, self.job.mixed):
            raise InputError(f"what changed since the run was planned: {'; '.join(changed)}")


def _tables(
    pairing: Pairing, items: Sequence[Item], explained: Sequence[ExplainedItem], dtype: str
) -> tuple[dict[str, bytes], dict[str, int]]:
    """The shard's two files, and their numbers of rows."""
    predictions = {
        "key": [item.key for item in items],
        "predicted": [entry.predicted for entry in explained],
        "scores": [entry.scores for entry in explained],
        "unknown": [entry.unknown for entry in explained],
        "seen": [entry.seen for entry in explained],
    }
    rows = [(item, entry, label) for item, entry in zip(items, explained, strict=True) for label in pairing.labels]
    relevances = {
        "key": [item.key for item, _, _ in rows],
        "method": [label for _, _, label in rows],
        "target": [entry.target for _, entry, _ in rows],
        "relevances": [entry.relevances.get(label, []) for _, entry, label in rows],
        "status": [_status(entry, label) for _, entry, label in rows],
        "note": [entry.failure or entry.notes.get(label) for _, entry, label in rows],
    }
    tables = {
        "predictions": formats.parquet(predictions, formats.predictions_schema(formats.stored_dtype(dtype))),
        "relevances": formats.parquet(relevances, formats.relevances_schema(formats.stored_dtype(dtype))),
    }
    return tables, {"predictions": len(items), "relevances": len(rows)}


def _status(entry: ExplainedItem, label: str) -> str:
    if entry.failure:
        return FAILED
    return "ok" if bool(np.isfinite(entry.relevances[label]).all()) else "not finite"


def _shortfall(items: Sequence[Item], explained: Sequence[ExplainedItem]) -> Shortfall:
    pairs = zip(items, explained, strict=True)
    unread = [len(item.words) - entry.seen for item, entry in pairs if not entry.failure]
    return Shortfall(sum(bool(entry.failure) for entry in explained), sum(map(bool, unread)), sum(unread))
