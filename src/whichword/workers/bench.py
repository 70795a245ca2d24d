"""Where a shard is computed: bytes in, bytes out. The same in every process, on every machine."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from whichword import models
from whichword.base.runtime import one_thread
from whichword.errors import InputError
from whichword.games import GAMES, Measured
from whichword.model import Model, stopwatch
from whichword.networks.arithmetic import arithmetic
from whichword.runs.items import unpacked
from whichword.runs.plan import Pairing
from whichword.runs.shards import MEASURED, Made, Timing, planned_rows
from whichword.types import Item
from whichword.workers import identity
from whichword.workers.assignment import Assignment
from whichword.workers.explaining import Explainer
from whichword.workers.measuring import measured_file
from whichword.workers.sheet import Sheet


@dataclass(frozen=True, eq=False)
class ExplainedItems:
    """Items, what was said of them, and the time that it took."""

    items: list[Item]
    sheet: Sheet
    timing: Timing


class Bench:
    """Holds the plan and the last model that was used; refuses where code, libraries or arithmetic are others."""

    def __init__(self, job: Assignment) -> None:
        self.job, self.plan = job, job.plan
        self._refuse_changes("method ", identity.computing(self.plan.pairings))  # a worker loads the code anew
        self._models: dict[str, Model] = {}

    def compute(self, name: str, items: bytes) -> Made:
        """The shard of these items (`item_files.packed`). Nothing is written."""
        pairing, shard = self.plan.shards[name]
        now = stopwatch(self.model(pairing.model))
        start = now()
        explained = self.explained(pairing.id, items, self.plan.timed(name))
        tables, rows = self.tables(pairing, explained), planned_rows(pairing, shard)
        timing = replace(explained.timing, beside=max(0.0, now() - start - sum(explained.timing.together.values())))
        return Made.of(self.plan.run, name, tables, rows, timing, arithmetic(), explained.sheet.shortfall)

    def tables(self, pairing: Pairing, explained: ExplainedItems) -> dict[str, bytes]:
        """The files of the shard that these items are; a game that asks about edited copies asks here."""
        items, game = explained.items, GAMES[self.plan.set(pairing.set).game]
        tables = explained.sheet.tables([item.key for item in items])
        if isinstance(game, Measured):
            tables[MEASURED] = measured_file(self.model(pairing.model), game, items, explained.sheet)
        return tables

    def explained(self, pairing_id: str, rows: bytes, timed: Sequence[int]) -> ExplainedItems:
        """What the pairing's model and methods say of the items; those at the ``timed`` places are timed alone too."""
        pairing, settings, items = self.plan.pairing(pairing_id), self.plan.settings, unpacked(rows)
        model = self.model(pairing.model)
        explainer = Explainer(model, pairing.labels, settings["seed"], settings["batch_words"])
        with one_thread():
            sheet, timing = explainer.explain(items, [items[place] for place in timed])
        return ExplainedItems(items, sheet, timing)

    def model(self, label: str) -> Model:
        """The model, which must still be the one that was planned with."""
        if label not in self._models:
            with tempfile.TemporaryDirectory(prefix="whichword-") as folder:
                place = self.job.models[label]
                spelling = place if isinstance(place, str) else place.unpack(Path(folder))
                self._refuse_changes(f"model {label}: ", identity.of_model(label, spelling))
                self._models = {label: models.load(spelling).prepared(self._words(label))}
        return self._models[label]

    def _words(self, label: str) -> int:
        """All words that the run asks this model about: a function of the plan, so every worker prepares alike."""
        return sum(self.plan.set(pairing.set).words for pairing in self.plan.pairings if pairing.model == label)

    def _refuse_changes(self, prefix: str, now: Mapping[str, str]) -> None:
        """``now`` has to be what was planned under its names, and under all names with this beginning."""
        identities = self.plan.identity.items()
        planned = {name: value for name, value in identities if name in now or name.startswith(prefix)}
        if changed := identity.differences(planned, now, self.job.mixed):
            raise InputError(f"what changed since the run was planned: {'; '.join(changed)}")
