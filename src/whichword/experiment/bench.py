"""Where a shard is computed: bytes in, bytes out. The same in every process, on every machine."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from whichword import models
from whichword.errors import InputError
from whichword.experiment import formats, identity
from whichword.experiment.arithmetic import arithmetic
from whichword.experiment.assignment import Assignment
from whichword.experiment.explaining import Explainer
from whichword.experiment.item_files import unpacked
from whichword.experiment.measuring import Examiner, measured_columns
from whichword.experiment.plan import Pairing
from whichword.experiment.receipts import MEASURED, Made, Timing
from whichword.experiment.sheet import Sheet
from whichword.experiment.threads import one_thread
from whichword.games import GAMES, Measured
from whichword.model import Model
from whichword.types import Item


@dataclass(frozen=True, eq=False)
class ExplainedItems:
    """Items, what was said of them, and the time that it took."""

    items: list[Item]
    sheet: Sheet
    timing: Timing

    def tables(self) -> dict[str, bytes]:
        """The files of the shard that these items are."""
        return self.sheet.tables([item.key for item in self.items])


class Bench:
    """Holds the plan and the last model that was used; refuses where code, libraries or arithmetic are others."""

    def __init__(self, job: Assignment) -> None:
        self.job, self.plan = job, job.plan
        self._refuse_changes("method ", identity.computing(self.plan.pairings))  # a worker loads the code anew
        self._models: dict[str, Model] = {}

    def compute(self, name: str, rows: bytes) -> Made:
        """The shard of these items (`item_files.packed`). Nothing is written."""
        pairing, shard = self.plan.shards[name]
        timed = [place for place, row in enumerate(shard.items) if row in pairing.timed]
        explained = self.explained(pairing.id, rows, timed)
        documents = len(explained.items)
        counts = {"predictions": documents, "relevances": documents * len(pairing.labels)}
        tables, shortfall = explained.tables(), explained.sheet.shortfall
        if pairing.measured:
            tables[MEASURED] = self._measured(pairing, explained)
            counts[MEASURED] = documents * len(pairing.labels + pairing.measured)
        return Made.of(self.plan.run, name, tables, counts, explained.timing, arithmetic(), shortfall)

    def _measured(self, pairing: Pairing, explained: ExplainedItems) -> bytes:
        """What every row gets by a game that asks the model about edited copies."""
        game = GAMES[self.plan.set(pairing.set).game]
        assert isinstance(game, Measured), pairing.set
        examiner = Examiner(self.model(pairing.model), game)
        with one_thread():
            measured = [examiner.measure(item, explained.sheet, row) for row, item in enumerate(explained.items)]
        columns = measured_columns(game, explained.items, measured, pairing.labels + pairing.measured)
        return formats.parquet(columns, formats.measured_schema(game.parts))

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
